/** Deletes sessions and mailed secrets that have ended: nobody signs out of a device that they lost. */

import { lte, sql } from 'drizzle-orm';
import { limitTo } from '#worker/db/limit-to';
import { session, verification } from '#worker/db/schema/auth';
import type { WorkContext } from '#worker/http/request-context';

/** Of each kind, an hour. */
export const MAX_ROWS = 5_000;

/** A part of the schedule: once an hour. */
export async function forgetExpired({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  for (const table of [session, verification]) {
    const ended = sql`SELECT rowid FROM ${table} WHERE ${lte(table.expiresAt, new Date(now))} ${limitTo(MAX_ROWS)}`;
    await db.delete(table).where(sql`rowid IN (${ended})`);
  }
}
