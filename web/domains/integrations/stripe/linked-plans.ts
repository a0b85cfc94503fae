/** The plans that Stripe products grant, according to the workspace. */
import type { Plan } from '#contracts/console/plans';
import type { StripeCustomer } from '#contracts/console/stripe';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';

/** One integration's plans by product id. */
export function plansByProduct(
  plans: readonly Plan[],
  integrationId: string,
): ReadonlyMap<string, readonly Plan[]> {
  const found = new Map<string, Plan[]>();
  for (const plan of plans) {
    for (const mapping of plan.grantProductMappings) {
      if (mapping.integrationId !== integrationId) continue;
      const others = found.get(mapping.productId);
      if (others === undefined) found.set(mapping.productId, [plan]);
      else others.push(plan);
    }
  }
  return found;
}

/** The plans of a customer's subscriptions, without duplicates. */
export function plansOfCustomer(
  { subscriptions }: Pick<StripeCustomer, 'subscriptions'>,
  linked: ReadonlyMap<string, readonly Plan[]>,
): Plan[] {
  const products = subscriptions
    .filter(({ status }) => GRANTING_STATUSES.has(status))
    .flatMap(({ productIds }) => productIds);
  return [...new Set(products.flatMap((productId) => linked.get(productId) ?? []))];
}
