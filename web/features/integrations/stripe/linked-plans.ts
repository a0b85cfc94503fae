/** Which plans the products of Stripe grant, as the workspace says. */
import type { Plan } from '#contracts/plans';
import type { StripeCustomer } from '#contracts/stripe';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';

/** By product id, for one integration. */
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

/** What a customer's subscriptions grant, each plan once. */
export function plansOfCustomer(
  { subscriptions }: Pick<StripeCustomer, 'subscriptions'>,
  linked: ReadonlyMap<string, readonly Plan[]>,
): Plan[] {
  const products = subscriptions
    .filter(({ status }) => GRANTING_STATUSES.has(status))
    .flatMap(({ productIds }) => productIds);
  return [...new Set(products.flatMap((productId) => linked.get(productId) ?? []))];
}
