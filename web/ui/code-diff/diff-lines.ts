/** Compares two texts line by line, and aligns what belongs together in rows. */
import { diffLines } from 'diff';

export interface DiffSide {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export type DiffRow =
  | { readonly kind: 'same' | 'changed'; readonly from: DiffSide | null; readonly to: DiffSide | null }
  | { readonly kind: 'skipped'; readonly lines: number; readonly from: DiffSide; readonly to: DiffSide };

type LineRow = Exclude<DiffRow, { kind: 'skipped' }>;

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Comparing very different texts takes long; after this they count as entirely different. */
const MAX_EDITS = 5000;

/** Unchanged lines away from changes become one row. */
export function diffRows(from: string, to: string): DiffRow[] {
  return shorten(alignedRows(from, to));
}

function alignedRows(from: string, to: string): LineRow[] {
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  const rows: LineRow[] = [];
  let [fromLine, toLine] = [0, 0];
  let removed: string[] = [];
  const flush = (added: readonly string[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const [before, after] = [removed[index], added[index]];
      rows.push({
        kind: 'changed',
        from: before === undefined ? null : { line: ++fromLine, text: before },
        to: after === undefined ? null : { line: ++toLine, text: after },
      });
    }
    removed = [];
  };
  for (const part of parts) {
    const lines = linesOf(part.value);
    if (part.removed) removed = lines;
    else if (part.added) flush(lines);
    else {
      flush([]);
      for (const text of lines) {
        rows.push({ kind: 'same', from: { line: ++fromLine, text }, to: { line: ++toLine, text } });
      }
    }
  }
  flush([]);
  return rows;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function shorten(rows: readonly LineRow[]): DiffRow[] {
  const isNear = rows.map(() => false);
  rows.forEach(({ kind }, at) => {
    if (kind === 'changed') isNear.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const shown: DiffRow[] = [];
  rows.forEach((row, at) => {
    const last = shown.at(-1);
    if (isNear[at] || row.from === null || row.to === null) shown.push(row);
    else if (last?.kind === 'skipped') shown[shown.length - 1] = { ...last, lines: last.lines + 1 };
    else shown.push({ kind: 'skipped', lines: 1, from: row.from, to: row.to });
  });
  return shown;
}
