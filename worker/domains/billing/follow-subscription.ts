/**
 * Brings an organisation's plan in step with its subscription as Stripe has it now, whatever made somebody look: the return
 * from a checkout, a webhook, the clock. Nothing is taken from events, so they may come late, twice and in any order; and
 * what was asked before somebody else's change is asked again, so that an old answer never overwrites a newer one.
 */
import type { Stripe } from 'stripe';
import type { SubscriptionStatus } from '#contracts/billing';
import type { BillingPlan } from '#contracts/organisations';
import { subscriptionStatusSchema } from '#contracts/stripe';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';
import { hourOf } from '#engine/usage/calendar';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { openBillingAccount } from './billing-account.ts';
import {
  type BillingRow,
  changeBilling,
  changeOrganisationBilling,
  findBilling,
  isRevision,
} from './billing-store.ts';
import { fixBillableUsage } from './count-billable-usage.ts';
import { unblockStatements } from './usage-block.ts';

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
    const followed = await readSubscription(ctx, stripe, before, subscriptionId);
    if (followed === null) return null;
    if (!(await mayReplace(ctx, stripe, before, followed))) return before.plan;
    const plan: BillingPlan = GRANTING_STATUSES.has(followed.status) ? 'grow' : 'build';
    if (isUnchanged(before, followed, plan)) return plan;
    if (await change(ctx, before, followed, plan)) return plan;
  }
  throw new Error('The subscription changes faster than it can be followed');
}

/** Null: not a subscription of this organisation to Tessera, or one that Stripe does not have. */
async function readSubscription(
  ctx: WorkContext,
  stripe: StripeClient,
  { orgId, customerId, subscriptionId }: BillingRow,
  id: string,
): Promise<Followed | null> {
  try {
    const found = await stripe.subscriptions.retrieve(id);
    const customer = typeof found.customer === 'string' ? found.customer : found.customer.id;
    const isMeant = found.metadata.orgId === orgId && found.metadata.plan === 'grow';
    if (!isMeant && id !== subscriptionId) return null;
    return customerId === null || customer === customerId ? followedOf(found, customer) : null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Stripe keeps subscriptions that have ended: this is another account, and no reason to change a plan.
    if (id === subscriptionId) ctx.log.error('Stripe does not have the subscription', { orgId, id });
    return null;
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

/**
 * While one subscription is in force no other takes its place: a second one was bought by mistake, and people must see to
 * it. One that is not in force takes nobody's place, nor does its end end what was given by hand.
 */
async function mayReplace(
  ctx: WorkContext,
  stripe: StripeClient,
  before: BillingRow,
  { id, status }: Followed,
): Promise<boolean> {
  const { subscriptionId: standing, plan } = before;
  if (standing === id) return true;
  if (!GRANTING_STATUSES.has(status)) return standing === null && plan === 'build' && !ENDED.has(status);
  if (standing === null) return true;
  const other = await readSubscription(ctx, stripe, before, standing);
  if (other === null || !GRANTING_STATUSES.has(other.status)) return true;
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
    (plan === 'build' || before.countedHourAt !== null) &&
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
  // Whoever goes to grow is no longer held to the allowance.
  const lifting =
    plan === 'grow' && before.blockedMonthAt !== null ? unblockStatements(ctx, orgId, 'upgraded') : [];
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
    ...lifting,
    ...(isOtherPlan ? [outboxRow(db, message, now)] : []),
  ];
  const conditions = { isAsRead: isRevision(before) };
  const unmet =
    lifting.length > 0
      ? await commitForReplicas(ctx, { orgId }, conditions, statements)
      : await commitIf(db, conditions, statements);
  if (unmet === null && isOtherPlan) ctx.waitUntil(sendMessage(ctx.env, message));
  return unmet === null;
}

interface MeteringChange {
  /** To stand ahead of the change of the row. */
  readonly statements: readonly Statement[];
  readonly billing: { readonly billedCalls?: number; readonly countedHourAt?: number | null };
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
  if (!starts && !ends) return { statements: [], billing: {} };
  const stream = await openEventStream(ctx, { orgId });
  const calls = await stream.callsEver();
  if (starts) {
    return { statements: [], billing: { billedCalls: calls, countedHourAt: hourOf(ctx.now) } };
  }
  const usedAt = endedAt === null ? ctx.now : Math.min(ctx.now, endedAt - 1000);
  const last = { orgId, hourAt: hourOf(ctx.now), usedAt, calls, isLast: true };
  const statements = fixBillableUsage(ctx, last);
  return { statements, billing: { countedHourAt: null } };
}
