/** A customer's subscriptions as answers of the public API state them. */
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { SubscriptionState } from '#contracts/public/subscription-state';
import { accessIn, isGiving, type SubscriptionRules } from './active-products.ts';
import { subscriptionsOf } from './namesakes.ts';
import type { SubscriptionAccess } from './subscription-access.ts';

/** All that have not ended, whether they grant plans or not. @param facts active, those of `factsForIdentifier` */
export function subscriptionStates(
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): SubscriptionState[] {
  return subscriptionsOf(facts).map((each) => ({
    id: each.id,
    status: each.status,
    ...shownAccess(accessIn(rules, each, now), each),
    trialEndAt: each.trialEndAt ?? null,
    cancelAt: each.cancelAt ?? null,
    currentPeriodEndAt: each.currentPeriodEndAt ?? null,
    isPaused: Boolean(each.pauseCollection),
    items: itemStates(each),
  }));
}

/** Whether its items grant plans: one without items, or with none of a quantity above 0, grants none. */
function shownAccess(
  access: SubscriptionAccess,
  subscription: SubscriptionFacts,
): Pick<SubscriptionState, 'isGranting' | 'accessEndsAt' | 'reason'> {
  const { isGranting, until, reason } = access;
  const endsAt = isGranting && until !== Infinity ? until : null;
  return { isGranting: isGiving(access, subscription), accessEndsAt: endsAt, reason };
}

/** Of facts that an earlier release stored, only the products are known. */
function itemStates({ items, productIds }: SubscriptionFacts): SubscriptionState['items'] {
  if (items === undefined)
    return productIds.map((product) => ({ product, price: null, quantity: null, currentPeriodEndAt: null }));
  return items.map(({ productId, priceId, quantity, periodEndAt }) => ({
    product: productId,
    price: priceId,
    quantity,
    currentPeriodEndAt: periodEndAt,
  }));
}
