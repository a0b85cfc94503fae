/** Determines which of a customer's subscriptions grant products in an environment. */
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import {
  NO_ACCESS,
  type SubscriptionAccess,
  type SubscriptionStatus,
  subscriptionAccess,
} from './subscription-access.ts';

export type EnvironmentType = 'live' | 'test' | 'preview';

/** What an environment's snapshot says about subscriptions. */
export type SubscriptionRules = Pick<EnvironmentSnapshot, 'environmentType' | 'subscriptionPolicies'>;

/** A product that a customer subscribes to. */
export interface SubscribedProduct {
  readonly integrationId: string;
  readonly productId: string;
  /** Absent: unknown. */
  readonly priceId?: string;
  /** Absent or null: one. */
  readonly quantity?: number | null;
  /** Of a subscription in its trial. */
  readonly isInTrial?: true;
}

type InEnvironment = SubscriptionStatus & Pick<SubscriptionFacts, 'integrationId' | 'livemode'>;
type Subscription = InEnvironment & Pick<SubscriptionFacts, 'productIds' | 'items' | 'trialEndAt'>;

/** Live environments count live-mode subscriptions only; others count both modes. */
export function accessIn(
  { environmentType, subscriptionPolicies }: SubscriptionRules,
  subscription: InEnvironment,
  now: number,
): SubscriptionAccess {
  const { livemode, integrationId } = subscription;
  if (!livemode && environmentType === 'live') return NO_ACCESS;
  return subscriptionAccess(subscription, subscriptionPolicies?.[integrationId], now);
}

/** One product per item that gives something. */
export function activeProducts(
  subscriptions: readonly Subscription[],
  rules: SubscriptionRules,
  now: number,
): SubscribedProduct[] {
  return subscriptions
    .filter((each) => accessIn(rules, each, now).isGranting)
    .flatMap(({ integrationId, ...subscription }) =>
      givingItems(subscription).map(({ productId, priceId, quantity }) => ({
        integrationId,
        productId,
        ...(priceId === undefined ? {} : { priceId, quantity: quantity ?? null }),
        ...(isInTrial(subscription, now) && { isInTrial: true as const }),
      })),
    );
}

/** By the clock: Stripe reports the end of a trial a little later. */
export function isInTrial(
  { status, trialEndAt }: Pick<SubscriptionFacts, 'status' | 'trialEndAt'>,
  now: number,
): boolean {
  return status === 'trialing' && (trialEndAt ?? Infinity) > now;
}

/** Items of quantity 0 are paid for with 0.00 and give nothing. */
export function givingItems(subscription: Items): ReturnType<typeof itemsOf> {
  return itemsOf(subscription).filter(({ quantity }) => quantity !== 0);
}

/** Whether a subscription with this access has items that give something. */
export function isGiving({ isGranting }: SubscriptionAccess, subscription: Items): boolean {
  return isGranting && givingItems(subscription).length > 0;
}

type Items = Pick<SubscriptionFacts, 'items' | 'productIds'>;

/** The items of a subscription. Of older facts only the products are known. */
export function itemsOf({ items, productIds }: Items): readonly Omit<SubscribedProduct, 'integrationId'>[] {
  return items ?? productIds.map((productId) => ({ productId }));
}
