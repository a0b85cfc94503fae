/** The table of a CodeDiff. */
import { useMemo } from 'react';
import classes from './code-diff.module.css';
import type { CodeDiffProps } from './code-diff.tsx';
import { type DiffSide, diffRows } from './diff-lines.ts';

export function CodeDiffTable({ from, to, fromLabel, toLabel }: CodeDiffProps) {
  const rows = useMemo(() => diffRows(from, to), [from, to]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.frame} aria-label={`${fromLabel} and ${toLabel}`} tabIndex={0}>
      <table className={classes.table}>
        <colgroup>
          <col className={classes.numbers} />
          <col />
          <col className={classes.numbers} />
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
        <tbody>
          {rows.map((row) =>
            row.kind === 'skipped' ? (
              <tr key={`skipped ${row.from.line}`} className={classes.skipped}>
                <td colSpan={4}>{row.lines === 1 ? '1 unchanged line' : `${row.lines} unchanged lines`}</td>
              </tr>
            ) : (
              <tr key={`${row.from?.line} ${row.to?.line}`}>
                <Side side={row.from} mark={row.kind === 'changed' && row.from !== null ? 'removed' : null} />
                <Side side={row.to} mark={row.kind === 'changed' && row.to !== null ? 'added' : null} />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

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
