/**
 * INSERT … SELECT with named columns. Drizzle takes the SELECT as raw SQL and matches its columns by position; here each
 * column is named and type-checked, and an omitted column gets its default.
 */
import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './database.ts';

/** A constant or a SQL expression per column. */
export type SelectedValues<Table extends SQLiteTable> = {
  readonly [Column in keyof Table['$inferInsert']]: Table['$inferInsert'][Column] | SQL;
};

/** Where the rows come from. Without `from` there is one row. */
export interface RowSource {
  /** Common table expressions, separated by commas. */
  readonly with?: SQL;
  readonly from?: SQL;
  readonly where?: SQL;
}

/** @returns the unexecuted statement, which may still get ON CONFLICT and RETURNING clauses */
export function insertSelect<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  values: SelectedValues<Table>,
  source: RowSource,
) {
  const stored = Object.entries(getTableColumns(table)).filter(
    ([, column]) => column.generated === undefined,
  );
  const selected = stored.map(([name, column]) => {
    const given: unknown = values[name as keyof typeof values];
    const value = given === undefined ? (column.default ?? null) : given;
    return is(value, SQL) ? value : sql.param(value, column);
  });
  const { with: tables, from, where = sql`TRUE` } = source;
  // SQLite cannot parse ON CONFLICT after a SELECT that has no WHERE clause.
  const before = tables === undefined ? sql`` : sql`WITH ${tables} `;
  const rows = from === undefined ? sql`` : sql` FROM ${from}`;
  return db.insert(table).select(sql`${before}SELECT ${sql.join(selected, sql`, `)}${rows} WHERE ${where}`);
}
