/**
 * Synchronises an organisation's plan with the current state of its Stripe subscription, after a checkout, a webhook
 * or on schedule. Events are only triggers, so they may be late, duplicated or reordered. After a concurrent change
 * the subscription is fetched again, so a stale response never overwrites a newer one.
 */
import type { Stripe } from 'stripe';
import type { SubscriptionStatus } from '#contracts/console/billing';
import type { BillingPlan } from '#contracts/console/organisations';
import { subscriptionStatusSchema } from '#contracts/console/stripe';
import { grantsByDefault } from '#engine/entitlements/subscription-access';
import { ON_HOLD } from '#engine/usage/billing-notice';
import { hourOf } from '#engine/usage/calendar';
import { fallOf } from '#engine/usage/grace-period';
import { isGranting, pastDueSinceOf } from '#engine/usage/granting-period';
import type { Statement } from '#worker/db/database';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import { change } from '#worker/queue/change';
import { openBillingAccount } from './billing-account.ts';
import {
  type BillingRow,
  changeBilling,
  changeOrganisationBilling,
  findBilling,
  isRevision,
} from './billing-store.ts';
import { followBilledCalls, recordBillableUsage } from './count-billable-usage.ts';
import { settleNotice } from './settle-notice.ts';
import { unblockUsage } from './usage-block.ts';

const ENDED: ReadonlySet<SubscriptionStatus> = new Set(['canceled', 'incomplete_expired']);
const MAX_TRIES = 10;

/** The subscription's current state in Stripe. */
interface FetchedSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly status: SubscriptionStatus;
  readonly currentPeriodStartAt: number | null;
  readonly currentPeriodEndAt: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly endedAt: number | null;
}

/**
 * @param subscriptionId sub_…
 * @param orgId the expected owner; another organisation's subscription changes nothing
 * @returns the organisation's plan now; null: the subscription is not this organisation's
 * @throws errors of Stripe, the event stream or D1: nothing was changed, and a retry is safe
 */
export async function syncSubscription(
  ctx: WorkContext,
  orgId: string,
  subscriptionId: string,
): Promise<BillingPlan | null> {
  const plan = await synchronise(ctx, orgId, subscriptionId);
  if (plan !== null) await settleNotice(ctx, orgId);
  return plan;
}

async function synchronise(
  ctx: WorkContext,
  orgId: string,
  subscriptionId: string,
): Promise<BillingPlan | null> {
  const stripe = await openBillingAccount(ctx);
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const before = await findBilling(ctx.db, orgId);
    if (before === null) return null;
    const fetched = await readSubscription(ctx, stripe, before, subscriptionId);
    if (fetched === null) return null;
    if (!(await mayReplace(ctx, stripe, before, fetched))) return before.plan;
    const pastDueSince = pastDueSinceOf(before, fetched, ctx.now);
    const plan: BillingPlan = isGranting(fetched.status, pastDueSince, ctx.now) ? 'grow' : 'build';
    if (isUnchanged(before, fetched, plan, pastDueSince)) return plan;
    if (await apply(ctx, before, fetched, plan, pastDueSince)) return plan;
  }
  throw new Error('The subscription changes faster than it can be synchronised');
}

/** Null: not this organisation's Tessera subscription, or unknown to Stripe. */
async function readSubscription(
  ctx: WorkContext,
  stripe: StripeClient,
  { orgId, customerId, subscriptionId }: BillingRow,
  id: string,
): Promise<FetchedSubscription | null> {
  try {
    const found = await stripe.subscriptions.retrieve(id);
    const customer = typeof found.customer === 'string' ? found.customer : found.customer.id;
    const isMeant = found.metadata.orgId === orgId && found.metadata.plan === 'grow';
    if (!isMeant && id !== subscriptionId) return null;
    return customerId === null || customer === customerId ? toFetched(found, customer) : null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Stripe keeps ended subscriptions, so this key belongs to another account: no reason to change the plan.
    if (id === subscriptionId) ctx.log.error('subscription not found in Stripe', { orgId, id });
    return null;
  }
}

function toFetched(subscription: Stripe.Subscription, customerId: string): FetchedSubscription {
  const ends = subscription.items.data.map((item) => item.current_period_end);
  const starts = subscription.items.data.map((item) => item.current_period_start);
  const { ended_at: endedAt, cancel_at: cancelAt, cancel_at_period_end: cancelAtPeriodEnd } = subscription;
  const endS = cancelAt ?? (ends.length === 0 ? null : Math.min(...ends));
  return {
    id: subscription.id,
    customerId,
    status: subscriptionStatusSchema.catch('unknown').parse(subscription.status),
    currentPeriodStartAt: starts.length === 0 ? null : Math.max(...starts) * 1000,
    currentPeriodEndAt: endS === null ? null : endS * 1000,
    cancelAtPeriodEnd: cancelAtPeriodEnd || cancelAt !== null,
    endedAt: endedAt === null ? null : endedAt * 1000,
  };
}

/**
 * A granting subscription is not replaced: a second one was bought by mistake and needs platform staff. A subscription that
 * does not grant replaces nothing, and its end does not revoke a manually assigned plan.
 */
async function mayReplace(
  ctx: WorkContext,
  stripe: StripeClient,
  before: BillingRow,
  { id, status }: FetchedSubscription,
): Promise<boolean> {
  const { subscriptionId: current, plan } = before;
  if (current === id) return true;
  if (!grantsByDefault(status)) return current === null && plan === 'build' && !ENDED.has(status);
  if (current === null) return true;
  const other = await readSubscription(ctx, stripe, before, current);
  if (other === null || !grantsByDefault(other.status)) return true;
  ctx.log.error('organisation has two granting subscriptions', {
    orgId: before.orgId,
    current,
    other: id,
  });
  return false;
}

function isUnchanged(
  before: BillingRow,
  fetched: FetchedSubscription,
  plan: BillingPlan,
  pastDueSince: number | null,
): boolean {
  const { id, status } = fetched;
  if (before.plan !== plan) return false;
  if (ENDED.has(status)) return before.subscriptionId === null;
  return (
    before.subscriptionId === id &&
    (plan === 'build' || before.countedHourAt !== null) &&
    before.customerId === fetched.customerId &&
    before.subscriptionStatus === status &&
    before.pastDueSince === pastDueSince &&
    before.currentPeriodStartAt === fetched.currentPeriodStartAt &&
    before.currentPeriodEndAt === fetched.currentPeriodEndAt &&
    before.cancelAtPeriodEnd === fetched.cancelAtPeriodEnd
  );
}

/** @returns false after a concurrent change: nothing was committed */
async function apply(
  ctx: WorkContext,
  before: BillingRow,
  fetched: FetchedSubscription,
  plan: BillingPlan,
  pastDueSince: number | null,
): Promise<boolean> {
  const { db } = ctx;
  const { orgId } = before;
  const scope: ActorScope = { orgId, actor: null };
  const isEnded = ENDED.has(fetched.status);
  const isPlanChange = before.plan !== plan;
  const isFall = isPlanChange && plan === 'build';
  const wasOnHold = before.subscriptionStatus !== null && ON_HOLD.has(before.subscriptionStatus);
  const metering = await meteringChange(ctx, before, fetched, plan);
  // The allowance does not apply to grow.
  const lifting =
    plan === 'grow' && before.blockedMonthAt !== null ? unblockUsage(db, before, 'upgraded') : null;
  const message = { type: 'billing.plan-changed', outboxId: ctx.newId('out'), orgId } as const;
  const { unmet } = await change(ctx, scope, {
    when: { isAsRead: isRevision(before) },
    write: [
      ...metering.statements,
      changeOrganisationBilling(db, orgId, {
        plan,
        activeStripeCustomerId: fetched.customerId,
        activeStripeSubscriptionId: isEnded ? null : fetched.id,
      }),
      changeBilling(db, orgId, {
        subscriptionStatus: isEnded ? null : fetched.status,
        pastDueSince: isEnded ? null : pastDueSince,
        currentPeriodStartAt: isEnded ? null : fetched.currentPeriodStartAt,
        currentPeriodEndAt: isEnded ? null : fetched.currentPeriodEndAt,
        cancelAtPeriodEnd: !isEnded && fetched.cancelAtPeriodEnd,
        ...(isFall || (isEnded && wasOnHold) ? fallOf(before, isFall, ctx.now) : {}),
        ...metering.billing,
      }),
      ...(lifting?.write ?? []),
    ],
    audit: [
      {
        action: isPlanChange ? 'billing.plan-changed' : 'billing.subscription-changed',
        targetId: fetched.id,
        detail: {
          ...(isPlanChange ? { from: before.plan, to: plan } : {}),
          status: fetched.status,
          cancelAtPeriodEnd: fetched.cancelAtPeriodEnd,
        },
      },
      ...(lifting === null ? [] : [lifting.audit]),
    ],
    publish: [
      { messages: isPlanChange ? [message] : [] },
      ...(lifting === null ? [] : [everyEnvironmentOf(scope)]),
    ],
  });
  return unmet === null;
}

interface MeteringChange {
  /** Must precede the statement that changes the row. */
  readonly statements: readonly Statement[];
  readonly billing: { readonly billedCalls?: number; readonly countedHourAt?: number | null };
}

/** Usage on build is free. Unbilled usage on grow is recorded now, when the subscription ends. */
async function meteringChange(
  ctx: WorkContext,
  before: BillingRow,
  { endedAt }: FetchedSubscription,
  plan: BillingPlan,
): Promise<MeteringChange> {
  const { orgId } = before;
  const starts = plan === 'grow' && before.countedHourAt === null;
  const ends = plan === 'build' && before.countedHourAt !== null;
  if (!starts && !ends) return { statements: [], billing: {} };
  const { total: calls } = await followBilledCalls(ctx, orgId, before.billedCalls);
  if (starts) {
    return { statements: [], billing: { billedCalls: calls, countedHourAt: hourOf(ctx.now) } };
  }
  const usedAt = endedAt === null ? ctx.now : Math.min(ctx.now, endedAt - 1000);
  const last = { orgId, hourAt: hourOf(ctx.now), usedAt, calls, isLast: true };
  const statements = recordBillableUsage(ctx, last);
  return { statements, billing: { countedHourAt: null } };
}
