/**
 * Scheduled billing work, every minute and bounded per run, each part in an invocation of its own: lifts blocks of past months; ends grace periods; reads subscriptions and open
 * checkouts from Stripe, in case a webhook was lost; counts billable usage hourly, and sends it to Stripe.
 */

import { and, asc, eq, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { hourOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import type { Schedule, ScheduledWork } from '#worker/queue/schedule';
import { takeDueCheckouts } from './checkout-store.ts';
import { countBillableUsage } from './count-billable-usage.ts';
import { endGracePeriods } from './end-grace-periods.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { endBlocksOfPastMonths } from './lift-usage-blocks.ts';
import { sendBillableUsage } from './send-billable-usage.ts';
import { syncSubscription } from './sync-subscription.ts';

/**
 * The longest waiting first. The limits keep the calls of one run below the platform's: an hour's runs count 6,000 organisations and
 * read 3,000 subscriptions. With more, each comes later than hourly, and none is skipped: the count is the difference of a
 * counter that only rises, and webhooks report what subscriptions become.
 */
const MAX_COUNTED_PER_RUN = 100;
const MAX_FOLLOWED_PER_RUN = 50;
/** The return page and the webhook come first. */
const CHECKOUT_HEAD_START_MS = MINUTE_MS;
const CHECKOUT_INTERVAL_MS = 5 * MINUTE_MS;
/** A session expires within a day; some payment methods take days to confirm. */
const CHECKOUT_FOLLOWED_MS = 14 * DAY_MS;

export const BILLING_SCHEDULE: Schedule<WorkContext> = {
  'lift-past-usage-blocks': endBlocksOfPastMonths,
  'end-grace-periods': endGracePeriods,
  'count-billable-usage': withBilling(countLastHour),
  'follow-subscriptions': withBilling(followSubscriptions),
  'follow-checkouts': withBilling(followCheckouts),
  'send-billable-usage': withBilling((ctx) => sendBillableUsage(ctx)),
};

/** Nothing to do where Tessera has no account at Stripe. */
function withBilling(work: ScheduledWork<WorkContext>): ScheduledWork<WorkContext> {
  return async (ctx, dueAt) => (ctx.settings.billing === null ? undefined : work(ctx, dueAt));
}

/** Applies checkouts that were paid although neither the return page nor a webhook has reported it. */
async function followCheckouts(ctx: WorkContext): Promise<void> {
  const { now, log } = ctx;
  const due = {
    openedAfter: now - CHECKOUT_FOLLOWED_MS,
    openedBefore: now - CHECKOUT_HEAD_START_MS,
    followedBefore: now - CHECKOUT_INTERVAL_MS,
  };
  for (const sessionId of await takeDueCheckouts(ctx, due, MAX_FOLLOWED_PER_RUN)) {
    try {
      await fulfilCheckout(ctx, sessionId);
    } catch (error) {
      log.error('checkout could not be followed', { sessionId, error });
    }
  }
}

/** Reads every subscription hourly, whatever its status: one on hold is active again after a payment. */
async function followSubscriptions(ctx: WorkContext): Promise<void> {
  const { db, now, log } = ctx;
  const { followedAt } = organisationBilling;
  const due = await db
    .select({ orgId: organisationBilling.orgId, subscriptionId: organization.activeStripeSubscriptionId })
    .from(organisationBilling)
    .innerJoin(organization, eq(organization.id, organisationBilling.orgId))
    .where(
      and(
        isNotNull(organization.activeStripeSubscriptionId),
        or(isNull(followedAt), lte(followedAt, now - HOUR_MS)),
      ),
    )
    .orderBy(asc(followedAt))
    .limit(MAX_FOLLOWED_PER_RUN);
  for (const { orgId, subscriptionId } of due) {
    // Before the call: a subscription that fails does not stop the others.
    await db.update(organisationBilling).set({ followedAt: now }).where(eq(organisationBilling.orgId, orgId));
    try {
      if (subscriptionId !== null) await syncSubscription(ctx, orgId, subscriptionId);
    } catch (error) {
      log.error('subscription could not be followed', { orgId, error });
    }
  }
}

async function countLastHour(ctx: WorkContext): Promise<void> {
  const thisHourAt = hourOf(ctx.now);
  const due = await ctx.db
    .select({ orgId: organisationBilling.orgId })
    .from(organisationBilling)
    .where(lt(organisationBilling.countedHourAt, thisHourAt))
    .orderBy(asc(organisationBilling.countedHourAt))
    .limit(MAX_COUNTED_PER_RUN);
  for (const { orgId } of due) {
    try {
      await countBillableUsage(ctx, orgId, thisHourAt - HOUR_MS, thisHourAt - 1000);
    } catch (error) {
      ctx.log.error('hourly usage count failed', {
        orgId,
        error,
      });
    }
  }
}
