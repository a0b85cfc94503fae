/**
 * Consumer of billing.plan-changed: sets the event stream's retention (build 7 days, grow 30 days), lifts a usage
 * block on grow, applies the allowance of build to this month's usage so far, and mails owners and admins about a plan that fell.
 */
import type { BillingPlan } from '#contracts/console/organisations';
import { monthOf } from '#engine/usage/calendar';
import type { BillingPlanChanged } from '#runtime/messages';
import { setRetention } from '#worker/domains/events/instruct-stream';
import { countCallsOfMonth } from '#worker/domains/events/reads';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone } from '#worker/queue/outbox';
import { findBilling } from './billing-store.ts';
import { endUsedShare, liftUsageBlock } from './lift-usage-blocks.ts';
import { settleNotice } from './settle-notice.ts';
import { settleTotal } from './settle-usage.ts';

const RETENTION_DAYS: Readonly<Record<BillingPlan, number>> = { build: 7, grow: 30 };

/**
 * Reads the current plan, so messages may be duplicated or reordered.
 * @throws errors of the event stream or D1: the queue retries
 */
export async function applyPlan(ctx: WorkContext, { orgId, outboxId }: BillingPlanChanged): Promise<void> {
  const row = await findBilling(ctx.db, orgId);
  if (row !== null) {
    await setRetention(ctx, { orgId }, RETENTION_DAYS[row.plan]);
    // After a manual plan change; a checkout lifts the block itself.
    if (row.plan === 'grow' && row.blockedMonthAt !== null)
      await liftUsageBlock(ctx, orgId, row.blockedMonthAt, 'upgraded');
    if (row.plan === 'grow' && row.usedMonthAt !== null) await endUsedShare(ctx, orgId);
    await settleTotal(ctx, orgId, await countCallsOfMonth(ctx, { orgId }, monthOf(ctx.now)));
    await settleNotice(ctx, orgId);
  }
  await outboxDone(ctx.db, outboxId);
}
