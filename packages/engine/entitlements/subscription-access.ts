/**
 * Whether a subscription gives access: its state in Stripe, by the policy of its account, at an instant. Nothing else decides this.
 * Conditions in SQL take the statuses from here (worker/db/granting-status.ts), and what they count is compared with it.
 */
import type { SubscriptionPolicy } from '#contracts/console/subscription-policy';
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import { DAY_MS } from '../durations.ts';
import { dayOf } from '../text/day-of.ts';

/** A policy that differs from the default, and the name of its integration. */
export type NamedPolicy = SubscriptionPolicy & { readonly name: string };

/** @param policy null: the default @returns undefined: the default */
export function namedPolicy(name: string, policy: SubscriptionPolicy | null): NamedPolicy | undefined {
  return policy === null ? undefined : { ...policy, name };
}

export type SubscriptionStatus = Pick<
  SubscriptionFacts,
  'status' | 'pauseCollection' | 'pastDueAt' | 'lacksPaymentMethod'
>;

export interface SubscriptionAccess {
  readonly isGranting: boolean;
  /** When it changes by the clock alone, epoch milliseconds; infinity: never. */
  readonly until: number;
  /** What the policy says, for people; null: it says nothing of this state. */
  readonly reason: string | null;
}

/** By default. `past_due` grants as well: Stripe retries the payment and changes the status when it gives up. */
export const GRANTING_STATUSES: readonly string[] = ['active', 'trialing', 'past_due'];

/** Where no policy applies: by default, and to Tessera's own subscriptions. */
export function grantsByDefault(status: string): boolean {
  return GRANTING_STATUSES.includes(status);
}

const GRANTS: SubscriptionAccess = { isGranting: true, until: Infinity, reason: null };
export const NO_ACCESS: SubscriptionAccess = { isGranting: false, until: Infinity, reason: null };

/** @param policy undefined: the default */
export function subscriptionAccess(
  subscription: SubscriptionStatus,
  policy: NamedPolicy | undefined,
  now: number,
): SubscriptionAccess {
  if (policy === undefined) return grantsByDefault(subscription.status) ? GRANTS : NO_ACCESS;
  const byStatus = accessByStatus(subscription, policy, now);
  if (!byStatus.isGranting) return byStatus;
  const byPause = accessByPause(subscription, policy, now);
  if (!byPause.isGranting) return byPause;
  return { ...byStatus, until: Math.min(byStatus.until, byPause.until) };
}

function accessByStatus(
  { status, pastDueAt, lacksPaymentMethod }: SubscriptionStatus,
  policy: NamedPolicy,
  now: number,
): SubscriptionAccess {
  const { name } = policy;
  if (status === 'past_due' && policy.pastDueDays !== null) {
    return accessPastDue(pastDueAt ?? null, { ...policy, pastDueDays: policy.pastDueDays }, now);
  }
  if (status === 'unpaid' && policy.keepsUnpaid) {
    return { ...GRANTS, reason: `unpaid; ${name} keeps access` };
  }
  if (status === 'trialing' && lacksPaymentMethod && !policy.grantsCardlessTrials) {
    return { ...NO_ACCESS, reason: `a trial without a payment method; ${name} gives no access` };
  }
  return grantsByDefault(status) ? GRANTS : NO_ACCESS;
}

/** @param since null: unknown, as the subscription was last read by an earlier release */
function accessPastDue(
  since: number | null,
  { name, pastDueDays: days }: NamedPolicy & { readonly pastDueDays: number },
  now: number,
): SubscriptionAccess {
  const state = since === null ? 'past due' : `past due since ${dayOf(since)}`;
  if (days === 0) return { ...NO_ACCESS, reason: `${state}; ${name} ends access at once` };
  const kept = `for ${days} ${days === 1 ? 'day' : 'days'}`;
  if (since === null) return { ...GRANTS, reason: `${state}; ${name} keeps access ${kept}` };
  const until = since + days * DAY_MS;
  return now < until
    ? { isGranting: true, until, reason: `${state}; ${name} keeps access ${kept}: until ${dayOf(until)}` }
    : { ...NO_ACCESS, reason: `${state}; ${name} kept access ${kept}: until ${dayOf(until)}` };
}

/** Stripe resumes the collection at the instant that it names. */
function accessByPause(
  { pauseCollection }: SubscriptionStatus,
  { name, keepsPaused }: NamedPolicy,
  now: number,
): SubscriptionAccess {
  if (!pauseCollection || keepsPaused) return GRANTS;
  const until = pauseCollection.resumesAt ?? Infinity;
  if (until <= now) return GRANTS;
  const end = until === Infinity ? '' : ` until ${dayOf(until)}`;
  return {
    ...NO_ACCESS,
    until,
    reason: `payment collection paused${end}; ${name} gives no access meanwhile`,
  };
}
