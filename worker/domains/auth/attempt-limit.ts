/** Bounds attempts per key, such as an account, in the table that Better Auth's limits per address use. */
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { rateLimit } from '#worker/db/schema/auth';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Counts an attempt before it is made, so that concurrent ones cannot pass together. A refused attempt does not extend the window.
 *
 * @returns null if it may be made, otherwise the seconds until the window ends
 */
export async function takeAttempt(
  db: Db,
  key: string,
  { max, windowMs }: AttemptLimit,
  now: number,
): Promise<number | null> {
  const isOver = sql`${rateLimit.lastRequest} <= ${now - windowMs}`;
  const [row] = await db
    .insert(rateLimit)
    .values({ id: crypto.randomUUID(), key, count: 1, lastRequest: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimit.count} + 1 END`,
        lastRequest: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${rateLimit.lastRequest} END`,
      },
    })
    .returning({ count: rateLimit.count, startedAt: rateLimit.lastRequest });
  if (row === undefined || row.count <= max) return null;
  return Math.max(1, Math.ceil((row.startedAt + windowMs - now) / 1000));
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.delete(rateLimit).where(eq(rateLimit.key, key));
}

/** Gives one attempt back: it was not answered. */
export async function returnAttempt(db: Db, key: string): Promise<void> {
  await db
    .update(rateLimit)
    .set({ count: sql`max(0, ${rateLimit.count} - 1)` })
    .where(eq(rateLimit.key, key));
}
