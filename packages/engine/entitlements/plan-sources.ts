/** Why a customer has each of their plans, for explanations. Computed only on request. */

import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { PlanSource } from '#contracts/public/access';
import { accessIn, activeProducts, itemsOf, type SubscriptionRules } from './active-products.ts';
import { subscriptionsOf } from './namesakes.ts';
import type { Subject } from './plans-of.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { linksOf, quantityOf } from './product-links.ts';

/** By the plan's index in the artifact. */
export type PlanSources = ReadonlyMap<number, readonly PlanSource[]>;

/**
 * @param facts active, those of `factsForIdentifier`
 */
export function planSources(
  prepared: PreparedArtifact,
  { isAuthenticated, provisioned = [] }: Pick<Subject, 'isAuthenticated' | 'provisioned'>,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): PlanSources {
  const sources = new Map<number, PlanSource[]>();
  const add = (index: number | undefined, source: PlanSource) => {
    if (index === undefined) return;
    const countsForItself = prepared.hasSums && source.quantity !== undefined;
    const known = sources.get(index);
    if (known === undefined) sources.set(index, [source]);
    // Two prices of one product are one reason if the plan is linked to the product.
    else if (countsForItself || !known.some((each) => JSON.stringify(each) === JSON.stringify(source)))
      known.push(source);
  };
  for (const { plans, workflow } of provisioned) {
    for (const slug of plans) add(prepared.planIndexBySlug.get(slug), { kind: 'workflow', workflow });
  }
  if (provisioned.some(({ mode }) => mode === 'replace')) return sources;
  const kind = isAuthenticated ? 'authenticated-users' : 'anonymous-sessions';
  const assigned = isAuthenticated ? prepared.assigned.authenticated : prepared.assigned.anonymous;
  for (const index of assigned) add(index, { kind });
  if (!isAuthenticated) return sources;

  for (const subscription of subscriptionsOf(facts)) {
    const { id: subscriptionId, status } = subscription;
    const { reason } = accessIn(rules, subscription, now);
    for (const product of activeProducts([subscription], rules, now)) {
      const { integrationId, productId } = product;
      for (const link of linksOf(prepared, product)) {
        add(link.index, {
          kind: 'subscription',
          integrationId,
          productId,
          ...(link.priceId === null ? {} : { priceId: link.priceId }),
          ...(link.isTimesQuantity ? { quantity: quantityOf(link, product) } : {}),
          subscriptionId,
          status,
          ...(reason === null ? {} : { reason }),
        });
      }
    }
  }
  for (const { planId, until } of facts.grants) {
    const isGranted = until === null || until > now;
    if (isGranted) add(prepared.planIndexById.get(planId), { kind: 'grant' });
  }
  return sources;
}

/** A plan that a subscription does not give although it is linked to an item. */
export interface WithheldPlan {
  /** In the artifact. */
  readonly index: number;
  readonly subscriptionId: string;
  /** The policy of its account, or the item’s quantity. */
  readonly reason: string;
}

const QUANTITY_ZERO = 'its quantity is 0';

/** @param facts as of `planSources` */
export function withheldPlans(
  prepared: PreparedArtifact,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): WithheldPlan[] {
  return subscriptionsOf(facts).flatMap((subscription) => {
    const { integrationId, id: subscriptionId } = subscription;
    const access = accessIn(rules, subscription, now);
    const reason = access.isGranting ? QUANTITY_ZERO : access.reason;
    if (reason === null) return [];
    const withheld = itemsOf(subscription).filter(({ quantity }) => !access.isGranting || quantity === 0);
    const indexes = withheld.flatMap((item) => linksOf(prepared, { ...item, integrationId }));
    return [...new Set(indexes.map(({ index }) => index))].map((index) => ({
      index,
      subscriptionId,
      reason,
    }));
  });
}
