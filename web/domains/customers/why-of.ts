/** Why a customer has a plan, in words. */
import type { CustomerEntitlements } from '#contracts/console/customers';
import { formatNumber, sentence } from '#web/ui/format.ts';

type CustomerPlan = CustomerEntitlements['plans'][number];

const SOURCE_LABELS: Record<Exclude<CustomerPlan['from'][number], 'subscription'>, string> = {
  'authenticated-users': 'everyone who is signed in',
  grant: 'granted manually',
  workflow: 'added by a workflow',
};

/** For example 'subscription to Pro × 7, past due, and granted manually'. */
export function whyOf({ from, subscriptions }: CustomerPlan): string {
  const products = subscriptions.map(
    ({ productName, productId, status, quantity = 1 }) =>
      sentence`${productName ?? productId}${quantity === 1 ? '' : ` × ${formatNumber(quantity)}`}, ${status.replaceAll('_', ' ')}`,
  );
  return from
    .map((each) => (each === 'subscription' ? `subscription to ${products.join('; ')}` : SOURCE_LABELS[each]))
    .join(', and ');
}
