/** Lists of rows with an instant and an id, newest first, and the cursors of their pages. */
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { invalidField } from '#worker/http/api-error';

interface Dated {
  readonly at: number;
  readonly id: string;
}

export const newestFirst = (one: Dated, other: Dated): number =>
  other.at - one.at || (one.id < other.id ? 1 : -1);

/** @returns the page, and null as the cursor of the next if it is the last one */
export function pageOf<Row extends Dated>(
  rows: readonly Row[],
  size: number,
): { readonly items: readonly Row[]; readonly nextCursor: string | null } {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > size && last !== undefined ? `${last.at}:${last.id}` : null };
}

/** Condition: the row is on a page after the cursor. @throws {ApiError} invalid-request naming cursor */
export function isAfterCursor(
  { at, id }: { readonly at: SQLiteColumn; readonly id: SQLiteColumn },
  cursor: string | undefined,
): SQL | undefined {
  if (cursor === undefined) return undefined;
  const [, lastAt, lastId] = /^(\d{1,16}):(.+)$/su.exec(cursor) ?? [];
  if (lastAt === undefined) throw invalidField('cursor', 'Must be a cursor from this list');
  return sql`(${at}, ${id}) < (${Number(lastAt)}, ${lastId})`;
}
