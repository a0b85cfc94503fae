/** Reads an organisation's billing page: plan, subscription, usage, block. Does not call Stripe. */
import type { Billing } from '#contracts/console/billing';
import { billingNoticeOf } from '#engine/usage/billing-notice';
import { activeBlockReason } from '#engine/usage/block-reason';
import { monthOf, nextMonthOf } from '#engine/usage/calendar';
import { pastDueUntil } from '#engine/usage/granting-period';
import { MONTHLY_ALLOWANCES, usageLevelOf } from '#engine/usage/usage-level';
import { countCallsOfMonth } from '#worker/domains/events/reads';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type BillingRow, findBilling } from './billing-store.ts';
import { countInvoicedCalls } from './count-billable-usage.ts';

/** @throws {ApiError} not-found */
export async function readBilling(ctx: RequestContext, scope: Scope): Promise<Billing> {
  const [row, total] = await Promise.all([
    findBilling(ctx.db, scope.orgId),
    orNull(ctx, scope, countCallsOfMonth(ctx, scope, monthOf(ctx.now))),
  ]);
  if (row === null) throw notFound('The organisation');
  const { plan, blockReason, blockedMonthAt } = row;
  const reason = activeBlockReason(blockReason, blockedMonthAt, ctx.now);
  return {
    plan,
    isSetUp: ctx.settings.billing !== null,
    hasCustomerId: row.customerId !== null,
    subscription: subscriptionOf(row),
    notice: billingNoticeOf(row, ctx.now),
    usage: {
      monthAt: monthOf(ctx.now),
      nextMonthAt: nextMonthOf(ctx.now),
      total,
      allowance: MONTHLY_ALLOWANCES[plan],
      remaining: total === null ? null : usageLevelOf(plan, total).remaining,
      invoiced: await invoicedOf(ctx, row),
    },
    block:
      reason === null
        ? null
        : { reason, until: blockedMonthAt === null ? null : nextMonthOf(blockedMonthAt) },
  };
}

/** Null if the event stream does not respond; the rest of the page works without it. */
async function orNull(ctx: RequestContext, { orgId }: Scope, count: Promise<number>): Promise<number | null> {
  try {
    return await count;
  } catch (error) {
    ctx.log.warn('usage could not be read for the billing page', { orgId, error });
    return null;
  }
}

async function invoicedOf(ctx: RequestContext, row: BillingRow): Promise<Billing['usage']['invoiced']> {
  const { subscriptionId, countedHourAt, currentPeriodStartAt, currentPeriodEndAt } = row;
  const isBilled = subscriptionId !== null && countedHourAt !== null;
  if (!isBilled || currentPeriodStartAt === null || currentPeriodEndAt === null) return null;
  const total = await orNull(ctx, row, countInvoicedCalls(ctx, row, currentPeriodStartAt));
  return { periodStartAt: currentPeriodStartAt, periodEndAt: currentPeriodEndAt, total };
}

function subscriptionOf(row: BillingRow): Billing['subscription'] {
  const {
    subscriptionId,
    subscriptionStatus: status,
    currentPeriodEndAt,
    cancelAtPeriodEnd,
    pastDueSince,
  } = row;
  return subscriptionId === null || status === null
    ? null
    : { status, currentPeriodEndAt, cancelAtPeriodEnd, pastDueUntil: pastDueUntil(pastDueSince) };
}
