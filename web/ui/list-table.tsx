/**
 * A table of things that open when their row is clicked. The first column holds the link itself, for keyboard and
 * screen readers. Searchable when long; while loading it has rows of the real shape.
 */
import { Skeleton, Table, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import classes from './list-table.module.css';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: number | string;
  /** Hidden on small screens. */
  readonly isSecondary?: boolean;
}

export interface ListTableProps<Row> {
  /** Names the table. */
  readonly label: string;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where a row leads; absent where rows lead nowhere. */
  readonly rowTo?: (row: Row) => string;
  /** The first column: what each row is called. */
  readonly name: {
    readonly header: string;
    readonly cell: (row: Row) => string;
    readonly detail?: (row: Row) => string | null;
  };
  readonly columns: readonly Column<Row>[];
  /** At the right: the row's own menu. */
  readonly actions?: (row: Row) => ReactNode;
  /** What the search finds a row by besides its name and detail: a slug. */
  readonly keywords?: (row: Row) => string;
}

const SEARCH_FROM_ROWS = 10;
const SKELETON_ROWS = ['one', 'two', 'three', 'four'];

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, rows, rowKey, rowTo, name, columns, actions, keywords } = props;
  const [search, setSearch] = useState('');
  const navigate = useNavigate();
  const needle = search.trim().toLocaleLowerCase();
  const shown = rows?.filter((row) =>
    `${name.cell(row)}\n${name.detail?.(row) ?? ''}\n${keywords?.(row) ?? ''}`
      .toLocaleLowerCase()
      .includes(needle),
  );
  return (
    <div className={classes.frame}>
      {rows !== undefined && rows.length > SEARCH_FROM_ROWS && (
        <TextInput
          className={classes.search}
          aria-label={`Search ${label}`}
          placeholder="Search"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className={classes.scroll}>
        <Table className={classes.table} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{name.header}</Table.Th>
              {columns.map(({ header, width, isSecondary }) => (
                <Table.Th key={header} w={width} data-secondary={isSecondary || undefined}>
                  {header}
                </Table.Th>
              ))}
              {actions && (
                <Table.Th w={56}>
                  <span className={classes.hidden}>Actions</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown === undefined
              ? SKELETON_ROWS.map((row) => (
                  <Table.Tr key={row}>
                    <Table.Td>
                      <Skeleton height={14} width={180} />
                    </Table.Td>
                    {columns.map(({ header, isSecondary }) => (
                      <Table.Td key={header} data-secondary={isSecondary || undefined}>
                        <Skeleton height={14} width={72} />
                      </Table.Td>
                    ))}
                    {actions && <Table.Td />}
                  </Table.Tr>
                ))
              : shown.map((row) => (
                  <Table.Tr
                    key={rowKey(row)}
                    data-clickable={rowTo !== undefined || undefined}
                    onClick={(event) => {
                      if (
                        rowTo &&
                        event.target instanceof Element &&
                        !event.target.closest('a,button,[role=menu],input')
                      ) {
                        navigate(rowTo(row));
                      }
                    }}
                  >
                    <Table.Td>
                      <div className={classes.name}>
                        {rowTo ? (
                          <Link to={rowTo(row)}>{name.cell(row)}</Link>
                        ) : (
                          <span>{name.cell(row)}</span>
                        )}
                        {name.detail?.(row) && <span className={classes.detail}>{name.detail(row)}</span>}
                      </div>
                    </Table.Td>
                    {columns.map(({ header, cell, isSecondary }) => (
                      <Table.Td key={header} data-secondary={isSecondary || undefined}>
                        {cell(row)}
                      </Table.Td>
                    ))}
                    {actions && <Table.Td className={classes.actions}>{actions(row)}</Table.Td>}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </div>
      {shown?.length === 0 && <p className={classes.none}>No results</p>}
    </div>
  );
}
