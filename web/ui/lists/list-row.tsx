/** One row of a ListTable. Memoised, so that scrolling and searching render only rows that were not there before. */
import { memo, type RefCallback, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { ListTableProps } from './list-columns.ts';
import classes from './list-table.module.css';
import { rowOpening } from './row-opening.ts';

interface ListRowProps<Row> {
  readonly row: Row;
  /** The row's position among the rows found. */
  readonly index: number;
  /** Whether Tab reaches the row's link and controls. Ignored unless rows are links. */
  readonly isTabStop: boolean;
  readonly measure: RefCallback<Element> | undefined;
  /** The same object until the table's parent renders again. */
  readonly table: ListTableProps<Row>;
}

function PlainListRow<Row>({ row, index, isTabStop, measure, table }: ListRowProps<Row>) {
  const { rowTo } = table;
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (rowTo === undefined) return;
    for (const control of element.current?.querySelectorAll<HTMLElement>('a, button') ?? []) {
      control.tabIndex = isTabStop ? 0 : -1;
    }
  });
  return (
    <tr
      ref={(row) => {
        element.current = row;
        return measure?.(row);
      }}
      data-index={index}
      aria-rowindex={index + 2}
      data-clickable={rowTo !== undefined || undefined}
      {...(rowTo && rowOpening)}
    >
      <Cells row={row} table={table} />
    </tr>
  );
}

function PlainCells<Row>({ row, table }: Pick<ListRowProps<Row>, 'row' | 'table'>) {
  const { rowTo, isRowLoaded, lead, name, columns, actions } = table;
  const detail = name.detail?.(row);
  const shown = name.shown?.(row) ?? name.cell(row);
  return (
    <>
      {lead && <td>{lead.cell(row)}</td>}
      <td>
        <div className={`column shrink ${classes.name}`}>
          {rowTo ? (
            <Link to={rowTo(row)} reloadDocument={isRowLoaded ?? false}>
              {shown}
            </Link>
          ) : (
            <span>{shown}</span>
          )}
          {detail && (
            <span className={`one-line muted breaks ${classes.detail}`} title={detail}>
              {detail}
            </span>
          )}
        </div>
      </td>
      {columns.map(({ header, cell, isNumber, isSecondary, isMinor }) => (
        <td
          key={header}
          data-number={isNumber || undefined}
          data-secondary={isSecondary || undefined}
          data-minor={isMinor || undefined}
        >
          {cell(row)}
        </td>
      ))}
      {actions && <td className="text-end">{actions(row)}</td>}
    </>
  );
}

export const ListRow = memo(PlainListRow) as typeof PlainListRow;
const Cells = memo(PlainCells) as typeof PlainCells;
