/** The table behind a chart over time: a row for each slot, the newest first. */
import classes from './chart-table.module.css';

export interface ChartTableProps {
  /** For screen readers. */
  readonly label: string;
  /** Heading of the first column. */
  readonly heading?: string;
  readonly columns: readonly string[];
  /** Headings above several columns each, from left to right. */
  readonly groups?: readonly { readonly label: string; readonly span: number }[];
  /** In the order of the chart. */
  readonly rows: readonly { readonly time: string; readonly cells: readonly string[] }[];
  /** The last row, which stays while the others scroll. */
  readonly totals?: { readonly label: string; readonly cells: readonly string[] };
}

export function ChartTable({ label, heading = 'Time', columns, groups, rows, totals }: ChartTableProps) {
  const firstRow = groups ?? columns.map((column) => ({ label: column, span: 1 }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <table className={`table data-table figures ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className={classes.time} rowSpan={groups === undefined ? 1 : 2}>
              {heading}
            </th>
            {firstRow.map(({ label: name, span }) => (
              <th
                key={name}
                scope={groups === undefined ? 'col' : 'colgroup'}
                className={groups === undefined ? undefined : classes.group}
                colSpan={span}
              >
                {name}
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
            <Row key={row} name={time} cells={cells} />
          ))}
        </tbody>
        {totals !== undefined && (
          <tfoot>
            <Row name={totals.label} cells={totals.cells} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

function Row({ name, cells }: { name: string; cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row" className={classes.time}>
        {name}
      </th>
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column.
        <td key={column} data-nought={cell === '0' || cell === '–' || undefined}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
