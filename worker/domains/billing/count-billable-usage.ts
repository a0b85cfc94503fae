/**
 * Counts an organisation's billable usage per hour, as an immutable row: all API calls that its event stream has total
 * counted, minus the calls already billed. Late events are part of the next hour's difference, and a repeated run
 * never bills a call twice. Nor does a restored database, because the stream remembers what was billed.
 */

import { and, eq, gt, gte, isNotNull, lt, or, sql } from 'drizzle-orm';
import { HOUR_MS } from '#engine/durations';
import { hourOf } from '#engine/usage/calendar';
import type { Db, Statement } from '#worker/db/database';
import { commit } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { billableUsage, organisationBilling } from '#worker/db/schema/billing';
import { countCallsEver, readCallsToBill } from '#worker/domains/events/reads';
import type { WorkContext } from '#worker/http/request-context';

export interface CountedUsage {
  readonly orgId: string;
  /** Start of the billed hour. */
  readonly hourAt: number;
  /** The instant that Stripe bills it at. */
  readonly usedAt: number;
  /** The event stream's total of API calls. */
  readonly calls: number;
  /** The subscription ends. If the hour already has a row, the next free hour is used, because no later difference would include these calls. */
  readonly isLast?: boolean;
}

/** The statements that write the row and advance `billedCalls`. No effect if the hour has a row, or without new calls. */
export function recordBillableUsage(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  { orgId, hourAt, usedAt, calls, isLast = false }: CountedUsage,
): Statement[] {
  const freeHourAt = sql`(SELECT max(${hourAt}, ifnull(max(hour_at) + ${HOUR_MS}, 0)) FROM ${billableUsage} WHERE org_id = ${orgId})`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${billableUsage} WHERE org_id = ${orgId} AND hour_at = ${hourAt})`;
  return [
    insertSelect(
      db,
      billableUsage,
      {
        orgId,
        hourAt: isLast ? freeHourAt : hourAt,
        stripeCustomerId: sql`o.active_stripe_customer_id`,
        quantity: sql`${calls} - b.billed_calls`,
        usedAt,
        createdAt: now,
        nextTryAt: now,
      },
      {
        from: sql`organisation_billing b JOIN organization o ON o.id = b.org_id`,
        where: sql`b.org_id = ${orgId} AND b.counted_hour_at IS NOT NULL AND b.billed_calls < ${calls}
          AND o.active_stripe_customer_id IS NOT NULL AND ${isLast ? sql`1` : isNew}`,
      },
    ),
    db
      .update(organisationBilling)
      .set({ billedCalls: calls })
      .where(and(eq(organisationBilling.orgId, orgId), sql`changes() > 0`)),
  ];
}

/**
 * @param hourAt, usedAt see CountedUsage
 * @throws errors of the event stream or D1: nothing was recorded, and the next run counts the same calls
 */
export async function countBillableUsage(
  ctx: WorkContext,
  orgId: string,
  hourAt: number,
  usedAt: number,
): Promise<void> {
  const { db, now, log } = ctx;
  const billing = await findCounted(db, orgId);
  if (billing === undefined) return;
  const { total, isSetBack } = await followBilledCalls(ctx, orgId, billing.billedCalls);
  if (isSetBack) return;
  const isLost = total < billing.billedCalls;
  if (isLost) log.error('event stream counted less than was billed', { orgId, total, ...billing });
  await commit(db, [
    ...recordBillableUsage(ctx, { orgId, hourAt, usedAt, calls: total }),
    db
      .update(organisationBilling)
      .set({ countedHourAt: hourOf(now) })
      .where(and(eq(organisationBilling.orgId, orgId), lt(organisationBilling.countedHourAt, hourOf(now)))),
    ...(isLost ? [resetCounter(db, orgId, billing.billedCalls, total)] : []),
  ]);
  const after = await findCounted(db, orgId);
  // If the stream does not hear of it, the next count says it again.
  if (after) await readCallsToBill(ctx, { orgId }, after.billedCalls).catch(() => undefined);
}

/**
 * Reads what there is to bill. A database that was restored to an earlier instant says that less was billed than was: it is set right,
 * and this hour is left to the next one, because Stripe may have its identifier already.
 * @param billedCalls what the database says
 */
export async function followBilledCalls(
  ctx: Pick<WorkContext, 'db' | 'env' | 'now' | 'log'>,
  orgId: string,
  billedCalls: number,
): Promise<{ readonly total: number; readonly isSetBack: boolean }> {
  const { total, billed } = await readCallsToBill(ctx, { orgId }, billedCalls);
  const isSetBack = billed > billedCalls;
  if (isSetBack) {
    const changed = await ctx.db
      .update(organisationBilling)
      .set({
        billedCalls: billed,
        countedHourAt: sql`CASE WHEN counted_hour_at IS NULL THEN NULL ELSE ${hourOf(ctx.now)} END`,
      })
      .where(and(eq(organisationBilling.orgId, orgId), lt(organisationBilling.billedCalls, billed)))
      .returning({ orgId: organisationBilling.orgId });
    // Otherwise another run has counted meanwhile.
    if (changed.length > 0) {
      ctx.log.warn('the database said less was billed than was', { orgId, billedCalls, billed });
    }
  }
  return { total, isSetBack };
}

/**
 * API calls that the invoice of a period has: those sent to Stripe, to be sent, or to be counted in this hour. Usage that is not retried is not
 * invoiced.
 * @param periodStartAt its first instant
 * @throws errors of the event stream
 */
export async function countInvoicedCalls(
  ctx: Pick<WorkContext, 'db' | 'env'>,
  { orgId, billedCalls }: { readonly orgId: string; readonly billedCalls: number },
  periodStartAt: number,
): Promise<number> {
  const isInvoiced = or(isNotNull(billableUsage.sentAt), isNotNull(billableUsage.nextTryAt));
  const [total, recorded] = await Promise.all([
    countCallsEver(ctx, { orgId }),
    ctx.db
      .select({ calls: sql<number>`ifnull(sum(${billableUsage.quantity}), 0)` })
      .from(billableUsage)
      .where(
        and(
          eq(billableUsage.orgId, orgId),
          gte(billableUsage.hourAt, hourOf(periodStartAt)),
          gte(billableUsage.usedAt, periodStartAt),
          isInvoiced,
        ),
      )
      .get(),
  ]);
  return (recorded?.calls ?? 0) + Math.max(0, total - billedCalls);
}

function findCounted(db: Db, orgId: string) {
  return db
    .select({ billedCalls: organisationBilling.billedCalls })
    .from(organisationBilling)
    .where(and(eq(organisationBilling.orgId, orgId), sql`${organisationBilling.countedHourAt} IS NOT NULL`))
    .get();
}

/** The stream lost its counter: billing continues from the new one. The row was read before the stream, so this is no race. */
function resetCounter(db: Db, orgId: string, billedCalls: number, calls: number): Statement {
  return db
    .update(organisationBilling)
    .set({ billedCalls: calls })
    .where(
      and(
        eq(organisationBilling.orgId, orgId),
        eq(organisationBilling.billedCalls, billedCalls),
        gt(organisationBilling.billedCalls, calls),
      ),
    );
}
