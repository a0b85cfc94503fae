/**
 * Removes customers whose grants or overrides have all expired from the partial indexes behind the “Granted” and “Has
 * override” filters, and balances that have ended from those that facts are loaded from. Lists and decisions skip them anyway; this only
 * keeps them fast.
 */

import { and, lte, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DAY_MS } from '#engine/durations';
import { limitTo } from '#worker/db/limit-to';
import { customerBalance, isUnclosed, knownCustomer } from '#worker/db/schema/customers';
import type { WorkContext } from '#worker/http/request-context';

/** Per run and kind. */
const MAX_ROWS = 1_000;

export async function endExpiredEntries({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  const { grantedUntil, overriddenUntil } = knownCustomer;
  // The literals are those of the partial indexes.
  const first = (ended: SQL | undefined, table: SQLiteTable = knownCustomer) =>
    sql`rowid IN (SELECT rowid FROM ${table} WHERE ${ended} ${limitTo(MAX_ROWS)})`;
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
    // Usage is reported up to a day late.
    db
      .update(customerBalance)
      .set({ closedAt: now })
      .where(
        first(
          and(
            sql`${isUnclosed(sql`closed_at`)} AND ends_at < 9000000000000000`,
            lte(customerBalance.endsAt, now - DAY_MS),
          ),
          customerBalance,
        ),
      ),
  ]);
}
