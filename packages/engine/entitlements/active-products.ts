/** Determines which of a customer's subscriptions grant products in an environment. */
import type { ProductReference } from '../artifacts/artifact-content.ts';

export type EnvironmentType = 'live' | 'test' | 'preview';

export interface SubscriptionState {
  readonly integrationId: string;
  /** Stripe's subscription status, unchanged. */
  readonly status: string;
  readonly livemode: boolean;
  readonly productIds: readonly string[];
}

/** `past_due` grants as well: Stripe retries the payment and changes the status when it gives up. */
export const GRANTING_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Live environments count live-mode subscriptions only; others count both modes. */
export function activeProducts(
  subscriptions: readonly SubscriptionState[],
  environmentType: EnvironmentType,
): ProductReference[] {
  return subscriptions
    .filter(
      ({ status, livemode }) => GRANTING_STATUSES.has(status) && (livemode || environmentType !== 'live'),
    )
    .flatMap(({ integrationId, productIds }) =>
      productIds.map((productId) => ({ integrationId, productId })),
    );
}
