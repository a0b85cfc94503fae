/** Determines which of a customer's subscriptions grant products in an environment. */
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';

export type EnvironmentType = 'live' | 'test' | 'preview';

/** A product that a customer subscribes to. */
export interface SubscribedProduct {
  readonly integrationId: string;
  readonly productId: string;
  /** Absent: unknown. */
  readonly priceId?: string;
  /** Absent or null: one. */
  readonly quantity?: number | null;
}

type SubscriptionState = Pick<
  SubscriptionFacts,
  'integrationId' | 'status' | 'livemode' | 'productIds' | 'items'
>;

/** `past_due` grants as well: Stripe retries the payment and changes the status when it gives up. */
export const GRANTING_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Live environments count live-mode subscriptions only; others count both modes. One product per item. */
export function activeProducts(
  subscriptions: readonly SubscriptionState[],
  environmentType: EnvironmentType,
): SubscribedProduct[] {
  return subscriptions
    .filter(
      ({ status, livemode }) => GRANTING_STATUSES.has(status) && (livemode || environmentType !== 'live'),
    )
    .flatMap(({ integrationId, ...subscription }) =>
      itemsOf(subscription).map(({ productId, priceId, quantity }) => ({
        integrationId,
        productId,
        ...(priceId === undefined ? {} : { priceId, quantity: quantity ?? null }),
      })),
    );
}

/** The items of a subscription. Of older facts only the products are known. */
export function itemsOf({
  items,
  productIds,
}: Pick<SubscriptionFacts, 'items' | 'productIds'>): readonly Omit<SubscribedProduct, 'integrationId'>[] {
  return items ?? productIds.map((productId) => ({ productId }));
}
