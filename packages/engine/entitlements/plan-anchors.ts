/** What the billing windows of a customer's plans are counted from: the subscriptions and grants that give them. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { MINUTE_MS } from '../durations.ts';
import { accessIn, givingItems, type SubscriptionRules } from './active-products.ts';
import { subscriptionsOf } from './namesakes.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { linksOf } from './product-links.ts';

export interface Anchor {
  /** Epoch milliseconds, a whole minute: usage is counted by minute, and that of a window's first one is in it. */
  readonly at: number;
  /** sub_…, or `grant`. */
  readonly by: string;
}

/** By the plan's index in the artifact. Plans that nothing anchors have no entry. */
type PlanAnchors = ReadonlyMap<number, Anchor>;

/** Of a plan that comes several times, the earliest. @param facts active, those of `factsForIdentifier` */
export function planAnchorsOf(
  prepared: PreparedArtifact,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): PlanAnchors {
  const anchors = new Map<number, Anchor>();
  const add = (index: number, anchorAt: number, by: string) => {
    const at = Math.floor(anchorAt / MINUTE_MS) * MINUTE_MS;
    const known = anchors.get(index);
    if (known === undefined || at < known.at) anchors.set(index, { at, by });
  };
  for (const subscription of subscriptionsOf(facts)) {
    const { id, integrationId, anchorAt } = subscription;
    if (anchorAt === undefined || !accessIn(rules, subscription, now).isGranting) continue;
    for (const item of givingItems(subscription)) {
      for (const { index } of linksOf(prepared, { ...item, integrationId })) add(index, anchorAt, id);
    }
  }
  for (const { planId, until, anchorAt } of facts.grants) {
    const index = prepared.planIndexById.get(planId);
    const isActive = until === null || until > now;
    if (index !== undefined && isActive && anchorAt !== undefined) add(index, anchorAt, 'grant');
  }
  return anchors;
}

/** The earliest among plans that are no add-ons, or else among add-ons; null if none of the plans is anchored. */
export function earliestAnchor(
  { addOns }: PreparedArtifact,
  indexes: readonly number[],
  anchors: PlanAnchors,
): Anchor | null {
  let earliest: Anchor | null = null;
  let isOfAddOn = false;
  for (const index of indexes) {
    const anchor = anchors.get(index);
    if (anchor === undefined) continue;
    const isAddOn = addOns.has(index);
    const isBefore =
      earliest === null || (isAddOn === isOfAddOn ? anchor.at < earliest.at : !isAddOn && isOfAddOn);
    if (!isBefore) continue;
    earliest = anchor;
    isOfAddOn = isAddOn;
  }
  return earliest;
}
