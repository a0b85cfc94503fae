/** Whether an organisation's own subscription grants its plan. A past due one does for a number of days only. */

import type { SubscriptionStatus } from '#contracts/console/billing';
import { DAY_MS } from '#engine/durations';
import { grantsByDefault } from '#engine/entitlements/subscription-access';

/** How long a subscription grants its plan after a payment has failed. */
export const PAST_DUE_DAYS = 14;

/** Since when the subscription is past due. Stripe does not say, so it is since the first read. */
export function pastDueSinceOf(
  before: { readonly subscriptionId: string | null; readonly pastDueSince: number | null },
  { id, status }: { readonly id: string; readonly status: SubscriptionStatus },
  now: number,
): number | null {
  if (status !== 'past_due') return null;
  return before.subscriptionId === id ? (before.pastDueSince ?? now) : now;
}

export function pastDueUntil(pastDueSince: number | null): number | null {
  return pastDueSince === null ? null : pastDueSince + PAST_DUE_DAYS * DAY_MS;
}

export function isGranting(status: SubscriptionStatus, pastDueSince: number | null, now: number): boolean {
  return grantsByDefault(status) && now < (pastDueUntil(pastDueSince) ?? Infinity);
}
