/**
 * Removes customers whose grants or overrides have all expired from the partial indexes behind the “Granted” and “Has
 * override” filters. Lists skip them anyway; this only keeps pages fast.
 */
import { and, lte, sql } from 'drizzle-orm';
import { knownCustomer } from '#worker/db/schema/customers';
import type { WorkContext } from '#worker/http/request-context';

/** Per run and kind. */
const MAX_ROWS = 1_000;

export async function endExpiredEntries({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  const { grantedUntil, overriddenUntil } = knownCustomer;
  // The literals are those of the partial indexes.
  const first = (ended: ReturnType<typeof and>) =>
    sql`rowid IN (SELECT rowid FROM ${knownCustomer} WHERE ${ended} LIMIT ${MAX_ROWS})`;
  const hasGrant = sql`granted_until > 0 AND granted_until < 9000000000000000`;
  const hasOverride = sql`overridden_until > 0 AND overridden_until < 9000000000000000`;
  await db.batch([
    db
      .update(knownCustomer)
      .set({ grantedUntil: 0 })
      .where(first(and(hasGrant, lte(grantedUntil, now)))),
    db
      .update(knownCustomer)
      .set({ overriddenUntil: 0 })
      .where(first(and(hasOverride, lte(overriddenUntil, now)))),
  ]);
}
