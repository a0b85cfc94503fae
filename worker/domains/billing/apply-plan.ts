/**
 * What follows when an organisation's plan is another one: its event stream keeps events for as long as the plan says
 * (DESIGN section 9); whoever is on grow is held to no allowance, and whoever is back on build to its own, with what was
 * used this month already.
 */
import type { BillingPlan } from '#contracts/organisations';
import { monthOf } from '#engine/usage/calendar';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';
import type { BillingPlanChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { findBilling } from './billing-store.ts';
import { liftUsageBlock } from './lift-usage-blocks.ts';
import { settleTotal } from './settle-usage.ts';

const RETENTION_DAYS: Readonly<Record<BillingPlan, number>> = { build: 7, grow: 30 };

/**
 * The plan is read here, so messages may come twice and in any order.
 * @throws what the event stream or D1 fail with: the queue tries again
 */
export async function applyPlan(ctx: WorkContext, { orgId, outboxId }: BillingPlanChanged): Promise<void> {
  const row = await findBilling(ctx.db, orgId);
  if (row !== null) {
    const stream = await openEventStream(ctx, { orgId });
    await stream.setRetention(RETENTION_DAYS[row.plan]);
    // Whoever was put on grow by hand; a checkout has lifted the block itself.
    if (row.plan === 'grow' && row.blockedMonthAt !== null)
      await liftUsageBlock(ctx, orgId, row.blockedMonthAt, 'upgraded');
    await settleTotal(ctx, orgId, await stream.callsOfMonth(monthOf(ctx.now)));
  }
  await outboxDone(ctx.db, outboxId);
}
