/**
 * Brings an organisation's plan in step with its subscription as Stripe has it now, whatever made somebody look: the return
 * from a checkout, a webhook, the clock. Nothing is taken from events, so they may come late, twice and in any order; and
 * what was asked before somebody else's change is asked again, so that an old answer never overwrites a newer one.
 */
import { sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { SubscriptionStatus } from '#contracts/billing';
import type { BillingPlan } from '#contracts/organisations';
import { subscriptionStatusSchema } from '#contracts/stripe';
import { hourOf, monthOf } from '#engine/usage/calendar';
import { usageStanding } from '#engine/usage/usage-standing';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { isMissing, openBillingAccount } from './billing-account.ts';
import {
  type BillingRow,
  changeBilling,
  changeOrganisationBilling,
  findBilling,
  isRevision,
} from './billing-store.ts';
import { fixBillableUsage } from './count-billable-usage.ts';
import { blockStatements, unblockStatements } from './usage-block.ts';

/** What is paid for, or about to be: a customer whose card failed keeps the plan while Stripe tries again. */
const IN_FORCE: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing', 'past_due']);
const ENDED: ReadonlySet<SubscriptionStatus> = new Set(['canceled', 'incomplete_expired']);
const MAX_TRIES = 10;

/** As Stripe has it. */
interface Followed {
  readonly id: string;
  readonly customerId: string;
  readonly status: SubscriptionStatus;
  readonly currentPeriodEndAt: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly endedAt: number | null;
}

/**
 * @param subscriptionId sub_…
 * @param orgId the organisation whose it is said to be; one whose it is not is left as it is
 * @returns the organisation's plan now; null: the subscription is not this organisation's
 * @throws what Stripe, the event stream or D1 fail with: nothing was changed, and another try does no harm
 */
export async function followSubscription(
  ctx: WorkContext,
  orgId: string,
  subscriptionId: string,
): Promise<BillingPlan | null> {
  const stripe = await openBillingAccount(ctx);
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const before = await findBilling(ctx.db, orgId);
    if (before === null) return null;
    const followed = await readSubscription(stripe, before, subscriptionId);
    if (followed === null) return null;
    if (!(await mayReplace(ctx, stripe, before, followed))) return before.plan;
    const plan: BillingPlan = IN_FORCE.has(followed.status) ? 'grow' : 'build';
    if (isUnchanged(before, followed, plan)) return plan;
    if (await change(ctx, before, followed, plan)) return plan;
  }
  throw new Error('The subscription changes faster than it can be followed');
}

/** Null: not a subscription of this organisation to Tessera. One that Stripe has no more has ended. */
async function readSubscription(
  stripe: StripeClient,
  { orgId, customerId, subscriptionId }: BillingRow,
  id: string,
): Promise<Followed | null> {
  try {
    const found = await stripe.subscriptions.retrieve(id);
    const customer = typeof found.customer === 'string' ? found.customer : found.customer.id;
    if (found.metadata.orgId !== orgId || found.metadata.plan !== 'grow') return null;
    return customerId === null || customer === customerId ? followedOf(found, customer) : null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (subscriptionId !== id || customerId === null) return null;
    return {
      id,
      customerId,
      status: 'canceled',
      currentPeriodEndAt: null,
      cancelAtPeriodEnd: false,
      endedAt: null,
    };
  }
}

function followedOf(subscription: Stripe.Subscription, customerId: string): Followed {
  const ends = subscription.items.data.map((item) => item.current_period_end);
  const { ended_at: endedAt, cancel_at: cancelAt, cancel_at_period_end: cancelAtPeriodEnd } = subscription;
  const endS = cancelAt ?? (ends.length === 0 ? null : Math.min(...ends));
  return {
    id: subscription.id,
    customerId,
    status: subscriptionStatusSchema.catch('unknown').parse(subscription.status),
    currentPeriodEndAt: endS === null ? null : endS * 1000,
    cancelAtPeriodEnd: cancelAtPeriodEnd || cancelAt !== null,
    endedAt: endedAt === null ? null : endedAt * 1000,
  };
}

/** While one subscription is in force no other takes its place: a second one was bought by mistake, and people must see to it. */
async function mayReplace(
  ctx: WorkContext,
  stripe: StripeClient,
  before: BillingRow,
  { id, status }: Followed,
): Promise<boolean> {
  const { subscriptionId: standing } = before;
  if (standing === null || standing === id) return true;
  if (!IN_FORCE.has(status)) return false;
  const other = await readSubscription(stripe, before, standing);
  if (other === null || !IN_FORCE.has(other.status)) return true;
  ctx.log.error('an organisation has two subscriptions in force', {
    orgId: before.orgId,
    standing,
    other: id,
  });
  return false;
}

function isUnchanged(before: BillingRow, followed: Followed, plan: BillingPlan): boolean {
  const { id, status } = followed;
  if (before.plan !== plan) return false;
  if (ENDED.has(status)) return before.subscriptionId === null;
  return (
    before.subscriptionId === id &&
    before.customerId === followed.customerId &&
    before.subscriptionStatus === status &&
    before.currentPeriodEndAt === followed.currentPeriodEndAt &&
    before.cancelAtPeriodEnd === followed.cancelAtPeriodEnd
  );
}

/** @returns whether it was committed: not where somebody else changed it meanwhile */
async function change(
  ctx: WorkContext,
  before: BillingRow,
  followed: Followed,
  plan: BillingPlan,
): Promise<boolean> {
  const { db, now } = ctx;
  const { orgId } = before;
  const isEnded = ENDED.has(followed.status);
  const isOtherPlan = before.plan !== plan;
  const metering = await changeOfMetering(ctx, before, followed, plan);
  const block = changeOfBlock(ctx, before, plan, metering.callsOfMonth);
  const message = { type: 'billing.plan-changed', outboxId: ctx.newId('out'), orgId } as const;
  const statements: Statement[] = [
    ...metering.statements,
    changeOrganisationBilling(db, orgId, {
      plan,
      activeStripeCustomerId: followed.customerId,
      activeStripeSubscriptionId: isEnded ? null : followed.id,
    }),
    changeBilling(db, orgId, {
      subscriptionStatus: isEnded ? null : followed.status,
      currentPeriodEndAt: isEnded ? null : followed.currentPeriodEndAt,
      cancelAtPeriodEnd: !isEnded && followed.cancelAtPeriodEnd,
      ...metering.billing,
    }),
    auditRow(ctx, {
      orgId,
      actorUserId: null,
      action: isOtherPlan ? 'billing.plan-changed' : 'billing.subscription-changed',
      targetId: followed.id,
      detail: {
        ...(isOtherPlan ? { from: before.plan, to: plan } : {}),
        status: followed.status,
        cancelAtPeriodEnd: followed.cancelAtPeriodEnd,
      },
    }),
    ...block,
    ...(isOtherPlan ? [outboxRow(db, message, now)] : []),
  ];
  const conditions = { isAsRead: isRevision(before) };
  const unmet =
    block.length > 0
      ? await commitForReplicas(ctx, { orgId }, conditions, statements)
      : await commitIf(db, conditions, statements);
  if (unmet === null && isOtherPlan) ctx.waitUntil(sendMessage(ctx.env, message));
  return unmet === null;
}

interface MeteringChange {
  /** To stand ahead of the change of the row. */
  readonly statements: readonly Statement[];
  readonly billing: { readonly billedCalls?: number; readonly countedHourAt?: number | null };
  /** API calls of this month, where the plan is to be another one. */
  readonly callsOfMonth: number | null;
}

/** What was used on build costs nothing; what was used on grow and is not billed yet is fixed now, at its end. */
async function changeOfMetering(
  ctx: WorkContext,
  before: BillingRow,
  { endedAt }: Followed,
  plan: BillingPlan,
): Promise<MeteringChange> {
  const { orgId } = before;
  const starts = plan === 'grow' && before.countedHourAt === null;
  const ends = plan === 'build' && before.countedHourAt !== null;
  if (before.plan === plan && !starts && !ends) return { statements: [], billing: {}, callsOfMonth: null };
  const stream = await openEventStream(ctx, { orgId });
  const [ever, month] = await Promise.all([stream.callsEver(), stream.callsOfMonth(monthOf(ctx.now))]);
  if (starts) {
    const billing = { billedCalls: ever, countedHourAt: hourOf(ctx.now) };
    return { statements: [], billing, callsOfMonth: month };
  }
  if (!ends) return { statements: [], billing: {}, callsOfMonth: month };
  const usedAt = endedAt === null ? ctx.now : Math.min(ctx.now, endedAt - 1000);
  const statements = fixBillableUsage(ctx, { orgId, hourAt: hourOf(ctx.now), usedAt, calls: ever });
  return { statements, billing: { countedHourAt: null }, callsOfMonth: month };
}

/** Whoever goes to grow is no longer held to the allowance; whoever comes back to build is, with what was used already. */
function changeOfBlock(
  ctx: WorkContext,
  before: BillingRow,
  plan: BillingPlan,
  callsOfMonth: number | null,
): readonly Statement[] {
  const { orgId, blockedMonthAt, waivedMonthAt, blockReason } = before;
  if (plan === 'grow') {
    return blockedMonthAt === null ? [] : unblockStatements(ctx, orgId, 'upgraded');
  }
  const monthAt = monthOf(ctx.now);
  const isDue =
    callsOfMonth !== null &&
    usageStanding(plan, callsOfMonth).standing === 'reached' &&
    blockReason === null &&
    waivedMonthAt !== monthAt;
  return isDue ? blockStatements(ctx, orgId, monthAt) : [];
}

/** Condition for commitIf: the organisation is on that plan. */
export function isOnPlan(orgId: string, plan: BillingPlan) {
  return sql`(SELECT plan FROM organization WHERE id = ${orgId}) = ${plan}`;
}
