/**
 * Cursor pagination of the stored customers and products, newest first. A cursor is `createdAt.id`.
 */
import { and, eq, lt, or, type SQL } from 'drizzle-orm';
import type { stripeCustomer, stripeProduct } from '#worker/db/schema/stripe';
import { invalidField } from '#worker/http/api-error';

export const PAGE_SIZE = 50;

export interface PageQuery {
  readonly query?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Condition: the row comes after the cursor. @throws {ApiError} invalid-request naming cursor */
export function isAfterCursor(
  table: typeof stripeCustomer | typeof stripeProduct,
  cursor: string | undefined,
): SQL | undefined {
  if (cursor === undefined) return undefined;
  const [, createdText = '', id = ''] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  if (id === '') throw invalidField('cursor', 'Must be a cursor from this list');
  const createdAt = Number(createdText);
  return or(lt(table.createdAt, createdAt), and(eq(table.createdAt, createdAt), lt(table.id, id)));
}

/** @param rows a page, plus one row if there is a next page */
export function toPage<Row extends { readonly id: string; readonly createdAt: number }, Item>(
  rows: readonly Row[],
  total: number,
  asItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null; total: number } {
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(asItem),
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? `${last.createdAt}.${last.id}` : null,
    total,
  };
}
