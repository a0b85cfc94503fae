/** The table of a CodeDiff: side by side, on narrow screens in one column. */
import { useMemo } from 'react';
import { counted } from '../format.ts';
import classes from './code-diff.module.css';
import { type DiffRow, type DiffSide, diffRows } from './diff-lines.ts';

export interface CodeDiffProps {
  readonly from: string;
  readonly to: string;
  readonly fromLabel: string;
  readonly toLabel: string;
}

export function CodeDiffTable({ from, to, fromLabel, toLabel }: CodeDiffProps) {
  const rows = useMemo(() => diffRows(from, to), [from, to]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.frame} aria-label={`${fromLabel} and ${toLabel}`} tabIndex={0}>
      <table className={classes.table}>
        <colgroup>
          <col width={44} />
          <col />
          <col width={44} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              {fromLabel}
            </th>
            <th scope="col" colSpan={2}>
              {toLabel}
            </th>
          </tr>
        </thead>
        {blocksOf(rows).map((block) => (
          <tbody key={keyOf(block[0])} className={block[0]?.kind === 'changed' ? classes.changed : undefined}>
            {block.map((row) =>
              row.kind === 'skipped' ? (
                <tr key={keyOf(row)} className={classes.skipped}>
                  <td colSpan={4}>{counted(row.lines, 'unchanged line')}</td>
                </tr>
              ) : (
                <tr key={keyOf(row)}>
                  <Side
                    side={row.from}
                    mark={row.kind === 'changed' && row.from !== null ? 'removed' : null}
                  />
                  <Side side={row.to} mark={row.kind === 'changed' && row.to !== null ? 'added' : null} />
                </tr>
              ),
            )}
          </tbody>
        ))}
      </table>
    </section>
  );
}

/** Consecutive rows with changes, and those without: narrow screens show what a block removes above what it adds. */
function blocksOf(rows: readonly DiffRow[]): DiffRow[][] {
  const blocks: DiffRow[][] = [];
  for (const row of rows) {
    const block = blocks.at(-1);
    if (block !== undefined && (block[0]?.kind === 'changed') === (row.kind === 'changed')) block.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

const keyOf = (row: DiffRow | undefined) => `${row?.kind} ${row?.from?.line} ${row?.to?.line}`;

const SIGNS = { removed: '−', added: '+' } as const;

function Side({ side, mark }: { side: DiffSide | null; mark: keyof typeof SIGNS | null }) {
  return (
    <>
      <td className={classes.number} data-mark={mark ?? undefined}>
        {side?.line}
      </td>
      <td className={classes.text} data-mark={mark ?? undefined} data-empty={side === null || undefined}>
        {mark !== null && (
          <span className={classes.sign} role="img" aria-label={mark}>
            {SIGNS[mark]}
          </span>
        )}
        {side?.text}
      </td>
    </>
  );
}
