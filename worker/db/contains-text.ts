/**
 * Text search in columns by the folding rule of all searches (engine/text/fold-text.ts). SQLite folds ASCII only, so rows with other
 * characters are found by more than this condition: see `findFolded`.
 */
import { and, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { foldText } from '#engine/text/fold-text';
import type { Db } from './database.ts';

/** Condition: the column contains the text, folded or as typed. Not LIKE: D1 limits patterns to 50 bytes. */
export function containsText(column: SQLiteColumn, text: string): SQL {
  const folded = sql`replace(lower(${column}), '\`', '''')`;
  return sql`(instr(${folded}, ${foldText(text)}) > 0 OR instr(${column}, ${text}) > 0)`;
}

/** Condition: a column has characters that SQLite does not fold. */
export function isBeyondAscii(columns: readonly SQLiteColumn[]): SQL {
  return sql`${textOf(columns)} GLOB '*[^ -~]*'`;
}

function textOf(columns: readonly SQLiteColumn[]): SQL<string> {
  const texts = columns.map((column) => sql`coalesce(${column}, '')`);
  return sql`(${sql.join(texts, sql` || ' ' || `)})`;
}

/** Rows that are read at once. */
const PAGE_SIZE = 5_000;

interface Searched {
  readonly table: SQLiteTable & { readonly id: SQLiteColumn; readonly createdAt: SQLiteColumn };
  readonly columns: readonly SQLiteColumn[];
  readonly where?: SQL | undefined;
  /** As typed. */
  readonly text: string;
  /** More are not returned. */
  readonly limit: number;
}

/** @returns SQL for a list of ids: the newest rows with characters beyond ASCII whose columns contain the text */
export async function findFolded(db: Db, { table, columns, where, text, limit }: Searched): Promise<SQL> {
  const needle = foldText(text);
  const found: string[] = [];
  let after: SQL | undefined;
  for (let isEnd = false; !isEnd && found.length < limit; ) {
    const rows = await db
      .select({
        id: sql<string>`${table.id}`,
        at: sql<number>`${table.createdAt}`,
        searched: textOf(columns),
      })
      .from(table)
      .where(and(where, isBeyondAscii(columns), after))
      .orderBy(sql`${table.createdAt} DESC, ${table.id} DESC`)
      .limit(PAGE_SIZE);
    found.push(...rows.flatMap(({ id, searched }) => (foldText(searched).includes(needle) ? [id] : [])));
    const last = rows.at(-1);
    isEnd = rows.length < PAGE_SIZE || last === undefined;
    if (last !== undefined) after = sql`(${table.createdAt}, ${table.id}) < (${last.at}, ${last.id})`;
  }
  return sql`(SELECT value FROM json_each(${JSON.stringify(found.slice(0, limit))}))`;
}
