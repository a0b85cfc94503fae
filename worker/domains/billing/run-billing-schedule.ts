/**
 * What billing does by the clock, every minute and each part bounded: blocks of past months end; organisations that pay by
 * usage are counted once an hour, and their subscriptions looked at, should a webhook have been lost; fixed usage is sent.
 */
import { asc, eq, lt } from 'drizzle-orm';
import { hourOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import { countBillableUsage } from './count-billable-usage.ts';
import { followSubscription } from './follow-subscription.ts';
import { endBlocksOfPastMonths } from './lift-usage-blocks.ts';
import { sendBillableUsage } from './send-billable-usage.ts';

const HOUR_MS = 3_600_000;
const MAX_COUNTED_PER_RUN = 100;

export async function runBillingSchedule(ctx: WorkContext): Promise<void> {
  await endBlocksOfPastMonths(ctx);
  if (ctx.settings.billing === null) return;
  await countLastHour(ctx);
  await sendBillableUsage(ctx);
}

async function countLastHour(ctx: WorkContext): Promise<void> {
  const thisHourAt = hourOf(ctx.now);
  const due = await ctx.db
    .select({ orgId: organisationBilling.orgId, subscriptionId: organization.activeStripeSubscriptionId })
    .from(organisationBilling)
    .innerJoin(organization, eq(organization.id, organisationBilling.orgId))
    .where(lt(organisationBilling.countedHourAt, thisHourAt))
    .orderBy(asc(organisationBilling.countedHourAt))
    .limit(MAX_COUNTED_PER_RUN);
  for (const { orgId, subscriptionId } of due) {
    try {
      await countBillableUsage(ctx, orgId, thisHourAt - HOUR_MS, thisHourAt - 1000);
      if (subscriptionId !== null) await followSubscription(ctx, orgId, subscriptionId);
    } catch (error) {
      ctx.log.error('an hour of usage could not be counted, or a subscription not be looked at', {
        orgId,
        error,
      });
    }
  }
}
