/** The table behind a chart over time: a row for each slot, the newest first. */
import classes from './chart-table.module.css';

export interface ChartTableProps {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** Headings above several columns each, from left to right. */
  readonly groups?: readonly { readonly label: string; readonly span: number }[];
  /** In the order of the chart. */
  readonly rows: readonly { readonly time: string; readonly cells: readonly string[] }[];
}

export function ChartTable({ label, columns, groups, rows }: ChartTableProps) {
  const firstRow = groups ?? columns.map((column) => ({ label: column, span: 1 }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className={classes.time} rowSpan={groups === undefined ? 1 : 2}>
              Time
            </th>
            {firstRow.map(({ label: heading, span }) => (
              <th
                key={heading}
                scope={groups === undefined ? 'col' : 'colgroup'}
                className={groups === undefined ? undefined : classes.group}
                colSpan={span}
              >
                {heading}
              </th>
            ))}
          </tr>
          {groups !== undefined && (
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: groups have columns of the same name.
                <th key={index} scope="col" className={classes.grouped}>
                  {column}
                </th>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {rows.toReversed().map(({ time, cells }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in time.
            <tr key={row}>
              <th scope="row" className={classes.time}>
                {time}
              </th>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column.
                <td key={column} data-nought={cell === '0' || cell === '–' || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
