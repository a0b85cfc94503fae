/** The input of a workflow: the subject of a check, as plain data. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { WorkflowCustomer, WorkflowFeature, WorkflowMeter } from '#contracts/internal/workflow-run';
import { activeProducts, itemsOf, type SubscriptionRules } from '#engine/entitlements/active-products';
import { factsForIdentifier, subscriptionsOf } from '#engine/entitlements/namesakes';
import type { PreparedFeature } from '#engine/entitlements/prepared-artifact';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import type { Readings } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import { configuredValue } from '#engine/entitlements/resolve';
import { unzonedValue } from '#engine/entitlements/zoned-values';

export interface SubjectFacts {
  /** The subject's canonical identifier; null for anonymous subjects. */
  readonly identifier: string | null;
  /** The customer that usage counts for. */
  readonly customer: string | null;
  readonly facts: CustomerFacts;
  readonly rules: SubscriptionRules;
  readonly now: number;
}

/** @param plans slugs */
export function customerOf(
  { identifier, customer, facts, rules, now }: SubjectFacts,
  plans: readonly string[],
): WorkflowCustomer {
  const theirs = factsForIdentifier(facts, identifier);
  const { stripe } = theirs;
  const subscriptions = subscriptionsOf(theirs);
  const products = activeProducts(subscriptions, rules, now).map(({ productId }) => productId);
  return {
    isCustomer: Boolean(stripe || theirs.namesakes?.length),
    id: customer,
    email: stripe?.email ?? (identifier?.includes('@') ? identifier : null),
    plans,
    productIds: [...new Set(products)],
    metadata: stripe?.metadata ?? {},
    createdAt: stripe?.createdAt ?? null,
    subscriptions: subscriptions.map((subscription) => ({
      id: subscription.id,
      status: subscription.status,
      productIds: subscription.productIds,
      items: itemsOf(subscription).map(({ productId, priceId = null, quantity = null }) => ({
        productId,
        priceId,
        quantity,
      })),
      pauseCollection: subscription.pauseCollection ?? null,
      currentPeriodEndAt: subscription.currentPeriodEndAt ?? null,
      cancelAt: subscription.cancelAt ?? null,
      trialEndAt: subscription.trialEndAt ?? null,
    })),
  };
}

export function featureOf(
  { slug, properties }: PreparedFeature,
  resolution: Resolution,
  readings: Readings | null,
  now: number,
): WorkflowFeature {
  const values: Record<string, unknown> = {};
  const meters: Record<string, WorkflowMeter> = {};
  for (const entry of properties) {
    const { key, id } = entry.property;
    const value = configuredValue(resolution, entry);
    values[key] = unzonedValue(value);
    if (typeof value !== 'object') continue;
    const meter = readOwnMeter(resolution, entry, value, readings?.get(id), { now });
    if (meter.state !== 'metered') continue;
    const { used, held, limit, remaining } = meter;
    meters[key] = { used, ...(held !== undefined && { held }), limit, remaining };
  }
  return { slug, values, meters };
}
