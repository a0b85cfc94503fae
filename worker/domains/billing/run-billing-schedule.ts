/**
 * Scheduled billing work, every minute and bounded per run: lifts blocks of past months; counts billable usage hourly
 * and re-syncs the subscription in case a webhook was lost; sends counted usage to Stripe.
 */
import { asc, eq, lt } from 'drizzle-orm';
import { hourOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import { countBillableUsage } from './count-billable-usage.ts';
import { endBlocksOfPastMonths } from './lift-usage-blocks.ts';
import { sendBillableUsage } from './send-billable-usage.ts';
import { syncSubscription } from './sync-subscription.ts';

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
      if (subscriptionId !== null) await syncSubscription(ctx, orgId, subscriptionId);
    } catch (error) {
      ctx.log.error('hourly usage count or subscription sync failed', {
        orgId,
        error,
      });
    }
  }
}
