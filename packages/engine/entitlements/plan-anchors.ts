/** What the billing windows of a customer's plans are counted from: the subscriptions and grants that give them. */
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { WindowAnchor } from '#contracts/internal/ledger';
import { MINUTE_MS } from '../durations.ts';
import { accessIn, givingItems, isInTrial, type SubscriptionRules } from './active-products.ts';
import { continuedAnchor } from './continued-anchor.ts';
import { endedIn, subscriptionsOf } from './namesakes.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { linksOf } from './product-links.ts';

export interface Anchor {
  /** Epoch milliseconds, a whole minute: usage is counted by minute, and that of a window's first one is in it. */
  readonly at: number;
  /** For ledgers: `at`, and the end of a trial that begins then. */
  readonly window: WindowAnchor;
  /** sub_…, or `grant`. */
  readonly by: string;
  /** Of a subscription that goes on with the windows of an earlier one if they are of so many months: whose it then is. */
  readonly continued?: (months: number) => Anchor;
  /** Whether it goes on with those of an earlier one. */
  readonly isContinued?: true;
  /** Of the current window, if its limit is made of several: these, in order. The first begins with the window. */
  readonly parts?: readonly LimitPart[];
}

/** A limit that applied from an instant on, epoch milliseconds. */
export interface LimitPart {
  readonly from: number;
  readonly limit: number;
}

/** By the plan's index in the artifact. Plans that nothing anchors have no entry. */
type PlanAnchors = ReadonlyMap<number, Anchor>;

/** Of a plan that comes several times, the earliest; trials count where nothing else gives the plan. @param facts active, those of `factsForIdentifier` */
export function planAnchorsOf(
  prepared: PreparedArtifact,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): PlanAnchors {
  const anchors = new Map<number, Anchor>();
  const add = (index: number, anchor: Anchor) => {
    const known = anchors.get(index);
    if (known === undefined || isBefore(anchor, known)) anchors.set(index, anchor);
  };
  for (const subscription of subscriptionsOf(facts)) {
    const { id, integrationId, trialStartAt, trialEndAt } = subscription;
    const isTrial =
      isInTrial(subscription, now) && trialStartAt !== undefined && typeof trialEndAt === 'number';
    const { onPlanChange, minDaysBetweenResets = 0 } = rules.subscriptionPolicies?.[integrationId] ?? {};
    const isRestarted = onPlanChange === 'restart';
    const begunAt = isRestarted ? restartedAt(subscription, now) : subscription.anchorAt;
    const anchorAt = isTrial ? trialStartAt : begunAt;
    if (anchorAt === undefined || !accessIn(rules, subscription, now).isGranting) continue;
    const anchor = anchorOf(id, anchorAt, isTrial ? trialEndAt : undefined);
    const ended = isTrial || minDaysBetweenResets === 0 ? [] : endedIn(facts);
    if (ended.length > 0) {
      const before = ended
        .filter((each) => each.integrationId === integrationId)
        .map((each) => ({
          at: minuteOf((isRestarted ? restartedAt(each, each.endedAt) : each.anchorAt) ?? anchorAt),
          ...{ by: each.id, endedAt: each.endedAt },
        }));
      anchor.continued = (months) => {
        const { at, by } = continuedAnchor(anchor, before, months, minDaysBetweenResets);
        return by === id ? anchor : { ...anchorOf(by, at), isContinued: true };
      };
    }
    for (const item of givingItems(subscription)) {
      for (const { index } of linksOf(prepared, { ...item, integrationId })) add(index, anchor);
    }
  }
  for (const { planId, until, anchorAt } of facts.grants) {
    const index = prepared.planIndexById.get(planId);
    const isActive = until === null || until > now;
    if (index !== undefined && isActive && anchorAt !== undefined) add(index, anchorOf('grant', anchorAt));
  }
  return anchors;
}

type Making = { -readonly [Name in keyof Anchor]: Anchor[Name] };

function anchorOf(by: string, anchorAt: number, trialEndAt?: number): Making {
  const at = minuteOf(anchorAt);
  if (trialEndAt === undefined) return { at, by, window: { anchorAt: at } };
  return { at, by, window: { anchorAt: at, trialEndAt: minuteOf(trialEndAt) } };
}

/** With the last change of its items, unless its anchor has come since then, as at the end of a trial. */
function restartedAt(
  { anchorAt, itemsChangedAt }: Pick<SubscriptionFacts, 'anchorAt' | 'itemsChangedAt'>,
  now: number,
): number | undefined {
  if (itemsChangedAt === undefined || anchorAt === undefined) return itemsChangedAt ?? anchorAt;
  return anchorAt > itemsChangedAt && anchorAt <= now ? anchorAt : itemsChangedAt;
}

/** The next anchor that is to come, which begins a period by the clock alone; infinity without any. */
export function nextAnchorAt(facts: CustomerFacts, now: number): number {
  const anchors = subscriptionsOf(facts).map(({ anchorAt = 0 }) => anchorAt);
  return Math.min(...anchors.filter((at) => at > now));
}

const minuteOf = (instant: number) => Math.floor(instant / MINUTE_MS) * MINUTE_MS;

function isBefore(one: Anchor, other: Anchor): boolean {
  const isTrial = ({ window }: Anchor) => window.trialEndAt !== undefined;
  return isTrial(one) === isTrial(other) ? one.at < other.at : isTrial(other);
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
    const isFirst =
      earliest === null || (isAddOn === isOfAddOn ? anchor.at < earliest.at : !isAddOn && isOfAddOn);
    if (!isFirst) continue;
    earliest = anchor;
    isOfAddOn = isAddOn;
  }
  return earliest;
}
