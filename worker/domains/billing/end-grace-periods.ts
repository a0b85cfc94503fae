/** Applies Build's allowance to organisations whose grace period has ended. */
import { and, asc, eq, lte } from 'drizzle-orm';
import { monthOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { countCallsOfMonth } from '#worker/domains/events/reads';
import type { WorkContext } from '#worker/http/request-context';
import { settleTotal } from './settle-usage.ts';

const MAX_PER_RUN = 50;

/** The event stream reported levels that passed during the grace period, and does not repeat them. Bounded; the next run continues. */
export async function endGracePeriods(ctx: WorkContext): Promise<void> {
  const { db, now, log } = ctx;
  const { orgId: id, graceUntil } = organisationBilling;
  const due = await db
    .select({ orgId: id, graceUntil })
    .from(organisationBilling)
    .where(lte(graceUntil, now))
    .orderBy(asc(graceUntil))
    .limit(MAX_PER_RUN);
  for (const { orgId, graceUntil: endedAt } of due) {
    try {
      await settleTotal(ctx, orgId, await countCallsOfMonth(ctx, { orgId }, monthOf(now)));
      await db
        .update(organisationBilling)
        .set({ graceUntil: null })
        .where(and(eq(id, orgId), eq(graceUntil, endedAt ?? 0)));
    } catch (error) {
      log.error('grace period could not be ended', { orgId, error });
    }
  }
}
