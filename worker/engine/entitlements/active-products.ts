/** Which of a customer's subscriptions grant anything in an environment (DESIGN 4.1). */
import type { ProductReference } from '../artifacts/artifact-content.ts';

export type EnvironmentType = 'live' | 'test' | 'preview';

export interface SubscriptionState {
  readonly integrationId: string;
  /** Stripe's word for it. */
  readonly status: string;
  readonly livemode: boolean;
  readonly productIds: readonly string[];
}

/** Stripe goes on trying to collect a past_due subscription; until it gives up the customer keeps what they had. */
export const GRANTING_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** The products of all subscriptions that count: in live environments live-mode ones only, in the others both. */
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
