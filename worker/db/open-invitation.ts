/** Which invitations can still be answered. An expired one keeps its status, so nobody asks for the status alone. */
import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { invitation } from './schema/organisations.ts';

const OPEN = 'pending';

/** Condition. @param row the table, or its alias */
export function isOpenInvitation(
  now: number,
  row: Record<'status' | 'expiresAt', AnySQLiteColumn> = invitation,
): SQL {
  return sql`(${row.status} = ${OPEN} AND ${row.expiresAt} > ${now})`;
}

/** The same of a row that was read. */
export function isOpen(
  { status, expiresAt }: Pick<typeof invitation.$inferSelect, 'status' | 'expiresAt'>,
  now: number,
): boolean {
  return status === OPEN && expiresAt.getTime() > now;
}
