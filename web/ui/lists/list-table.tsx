/**
 * A table of items. A click on a row opens the item; the first column contains the link for keyboards and screen
 * readers. A table of links is one tab stop: arrow keys, j and k, Home and End move between its rows.
 * Long tables are searchable, and render only the rows near the screen. The search field is in the header, where it moves
 * nothing when it appears. While loading, the table shows skeleton rows of the same height.
 */
import { Skeleton } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { VisuallyHidden } from '../labels/visually-hidden.tsx';
import { hasSearchField } from './has-search-field.ts';
import type { ListTableProps } from './list-columns.ts';
import { ListRow } from './list-row.tsx';
import classes from './list-table.module.css';
import { matchesSearch } from './matches-search.ts';
import { SearchField } from './search-field.tsx';
import { SpacerRow } from './spacer-row.tsx';
import { useRowFocus } from './use-row-focus.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

const ROW_HEIGHT = 40;
const SKELETON_ROWS = ['one', 'two', 'three', 'four'];

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, rows, rowKey, lead, name, columns, actions, keywords, isSearchable = true } = props;
  const [search, setSearch] = useState('');
  const needle = useDeferredValue(search).trim();
  const found = useMemo(
    () =>
      needle === ''
        ? (rows ?? [])
        : (rows ?? []).filter((row) =>
            matchesSearch(`${name.cell(row)}\n${name.detail?.(row) ?? ''}\n${keywords?.(row) ?? ''}`, needle),
          ),
    [rows, needle, name, keywords],
  );
  const focus = useRowFocus(found, rowKey);
  const shown = useVirtualRows<Row, HTMLTableSectionElement>({
    items: found,
    keyOf: rowKey,
    heightOf: () => ROW_HEIGHT,
    pinned: props.rowTo === undefined ? undefined : focus.tabStop,
  });
  const hasSearch = isSearchable && rows !== undefined && hasSearchField(rows.length, search);
  return (
    <div className={`card clip ${classes.frame}`}>
      {/* Another element once it has loaded: on narrow screens the columns are as wide as their contents. */}
      <div key={rows === undefined ? 'loading' : 'loaded'} className={classes.scroll}>
        <table
          className={classes.table}
          aria-label={label}
          aria-rowcount={rows === undefined ? -1 : found.length + 1}
          // Columns keep their widths whichever rows are rendered.
          data-fixed={shown.measure !== undefined || undefined}
        >
          <thead>
            <tr aria-rowindex={1}>
              {lead && (
                <th scope="col" style={{ width: lead.width }}>
                  <VisuallyHidden>{lead.header}</VisuallyHidden>
                </th>
              )}
              <th scope="col" {...(hasSearch && { 'aria-label': name.header })}>
                {hasSearch ? (
                  <div className={classes.search}>
                    <span className={classes.searched}>{name.header}</span>
                    <SearchField label={label} text={search} onText={setSearch} />
                  </div>
                ) : (
                  name.header
                )}
              </th>
              {columns.map(({ header, width, isNumber, isSecondary, isMinor }) => (
                <th
                  key={header}
                  scope="col"
                  style={{ width }}
                  data-number={isNumber || undefined}
                  data-secondary={isSecondary || undefined}
                  data-minor={isMinor || undefined}
                >
                  {header}
                </th>
              ))}
              {actions && (
                <th scope="col" className={classes.actions}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody
            ref={shown.container}
            {...(props.rowTo && { onKeyDown: focus.onKeyDown, onFocus: focus.onFocus })}
          >
            {rows === undefined
              ? SKELETON_ROWS.map((row) => (
                  <tr key={row}>
                    {lead && <td />}
                    <td>
                      <Skeleton height={14} maw={180} />
                    </td>
                    {columns.map(({ header, isNumber, isSecondary, isMinor }) => (
                      <td
                        key={header}
                        data-number={isNumber || undefined}
                        data-secondary={isSecondary || undefined}
                        data-minor={isMinor || undefined}
                      >
                        <Skeleton height={14} width={72} maw="100%" display="inline-block" />
                      </td>
                    ))}
                    {actions && <td />}
                  </tr>
                ))
              : shown.rows.flatMap(({ item: row, index, spaceBefore }) => [
                  <SpacerRow key={`before ${rowKey(row)}`} height={spaceBefore} />,
                  <ListRow
                    key={rowKey(row)}
                    row={row}
                    index={index}
                    isTabStop={index === focus.tabStop}
                    measure={shown.measure}
                    table={props}
                  />,
                ])}
            <SpacerRow height={shown.spaceAfter} />
          </tbody>
        </table>
      </div>
      {rows !== undefined && found.length === 0 && <p className="note">No results</p>}
    </div>
  );
}
