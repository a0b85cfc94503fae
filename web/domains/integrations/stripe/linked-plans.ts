/** The plans that Stripe products grant, according to the workspace. */
import type { Plan } from '#contracts/console/plans';
import type { StripeCustomer } from '#contracts/console/stripe';
import { givingItems } from '#engine/entitlements/active-products';

interface PlanLink {
  readonly plan: Plan;
  /** Undefined: any price. */
  readonly priceId: string | undefined;
}

/** One integration's plans by product id. */
export function plansByProduct(
  plans: readonly Plan[],
  integrationId: string,
): ReadonlyMap<string, readonly PlanLink[]> {
  const found = new Map<string, PlanLink[]>();
  for (const plan of plans) {
    for (const { productId, priceId, ...mapping } of plan.grantProductMappings) {
      if (mapping.integrationId !== integrationId) continue;
      const others = found.get(productId);
      if (others === undefined) found.set(productId, [{ plan, priceId }]);
      else others.push({ plan, priceId });
    }
  }
  return found;
}

/** The plans of a customer's subscriptions, without duplicates. */
export function plansOfCustomer(
  { subscriptions }: Pick<StripeCustomer, 'subscriptions'>,
  linked: ReadonlyMap<string, readonly PlanLink[]>,
): Plan[] {
  const items = subscriptions.filter(({ isGranting }) => isGranting).flatMap(givingItems);
  const plans = items.flatMap((item) =>
    (linked.get(item.productId) ?? [])
      .filter(({ priceId }) => priceId === undefined || priceId === item.priceId)
      .map(({ plan }) => plan),
  );
  return [...new Set(plans)];
}
