/** The table behind a chart over time: a row for each slot, the newest first. */
import classes from './chart-table.module.css';

export interface ChartTableProps {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** In the order of the chart. */
  readonly rows: readonly { readonly time: string; readonly cells: readonly string[] }[];
}

export function ChartTable({ label, columns, rows }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ time, cells }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in time.
            <tr key={row}>
              <th scope="row">{time}</th>
              {cells.map((cell, column) => (
                <td key={columns[column]} data-nought={cell === '0' || cell === '–' || undefined}>
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
