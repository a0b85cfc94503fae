/**
 * Bounds attempts per key, such as an account. Better Auth's limits per address have a table of their own: it deletes rows
 * that are older than its longest window, which is a minute.
 */

import { and, eq, lte, or, sql } from 'drizzle-orm';
import { commit, type Db } from './database.ts';
import { limitTo } from './limit-to.ts';
import { attempt } from './schema/auth.ts';

/** Ended rows of other keys that an attempt deletes. */
const MAX_PRUNED = 100;

/**
 * Counts an attempt before it is made, so that concurrent ones cannot pass together. A refused attempt does not extend the window.
 *
 * @returns null if it may be made, otherwise the seconds until the window ends
 */
export async function takeAttempt(
  db: Db,
  key: string,
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  now: number,
): Promise<number | null> {
  const ended = sql`(SELECT key FROM ${attempt} WHERE ends_at <= ${now} ${limitTo(MAX_PRUNED)})`;
  const [, rows] = (await commit(db, [
    db
      .delete(attempt)
      .where(and(lte(attempt.endsAt, now), or(eq(attempt.key, key), sql`${attempt.key} IN ${ended}`))),
    db
      .insert(attempt)
      .values({ key, count: 1, endsAt: now + windowMs })
      .onConflictDoUpdate({ target: attempt.key, set: { count: sql`${attempt.count} + 1` } })
      .returning({ count: attempt.count, endsAt: attempt.endsAt }),
  ])) as [unknown, { count: number; endsAt: number }[]];
  const [row] = rows;
  if (row === undefined || row.count <= max) return null;
  return Math.max(1, Math.ceil((row.endsAt - now) / 1000));
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.delete(attempt).where(eq(attempt.key, key));
}

/** Gives one attempt back: it was not answered. */
export async function returnAttempt(db: Db, key: string): Promise<void> {
  await db
    .update(attempt)
    .set({ count: sql`max(0, ${attempt.count} - 1)` })
    .where(eq(attempt.key, key));
}
