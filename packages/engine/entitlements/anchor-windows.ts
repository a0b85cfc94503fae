/**
 * Gives the billing windows of a customer's meters their anchor. A window is that of the plan whose value wins, so that one payment has
 * one quota. Where values add up, or where no plan sets the value but an override, a workflow or the default, it is that of the plan
 * that is no add-on, and of two such plans the earlier.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import { isPartOf } from '../merge/merge-values.ts';
import { multiplyValue } from '../merge/multiply-value.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import type { SubscriptionRules } from './active-products.ts';
import { type Anchor, earliestAnchor, planAnchorsOf } from './plan-anchors.ts';
import { ONCE } from './plan-set.ts';
import { planValueOf } from './plan-value.ts';
import type { Choice, PreparedProperty } from './prepared-artifact.ts';
import { nothingMade, type Resolution } from './resolution.ts';
import { configuredValue } from './resolve.ts';
import { switchMeters } from './switched-meters.ts';

/**
 * @param facts active, those of `factsForIdentifier`
 * @returns the same resolution if it has no billing window that a plan anchors
 */
export function anchorWindows(
  resolution: Resolution,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): Resolution {
  if (!hasUnanchored(resolution)) return resolution;
  const { prepared } = resolution;
  const planAnchors = planAnchorsOf(prepared, facts, rules, now);
  const configured = [...resolution.configured];
  const anchors = new Map<number, Anchor>(resolution.anchors);
  for (const entry of prepared.properties) {
    if (!isUnanchored(resolution, entry)) continue;
    const earliest = earliestAnchor(prepared, decidingPlans(resolution, entry), planAnchors);
    if (earliest === null) continue;
    const anchor = earliest.continued?.(monthsOf(configured[entry.index], entry)) ?? earliest;
    anchors.set(entry.index, anchor);
    const choice = configured[entry.index];
    if (choice?.meter?.meter.periodType === 'billing')
      configured[entry.index] = anchoredChoice(choice, choice.meter, anchor);
  }
  if (anchors.size === (resolution.anchors?.size ?? 0)) return resolution;
  const choices = switchMeters(prepared, configured);
  return { ...resolution, configured, choices, anchors, made: nothingMade() };
}

/** How long a window of its usage is. */
function monthsOf(choice: Choice | undefined, { choices }: PreparedProperty): number {
  const meter = (choice?.meter ?? choices[0]?.meter)?.meter;
  if (meter?.periodType === 'billing') return meter.periodCount || 1;
  return (typeof choice?.value === 'object' && perEntityOf(choice.value)?.periodCount) || 1;
}

/** Most resolutions have none: nothing is allocated to find out. */
function hasUnanchored(resolution: Resolution): boolean {
  for (const entry of resolution.prepared.properties) if (isUnanchored(resolution, entry)) return true;
  return false;
}

/** Usage of what is on or off is read in the window of the default. */
function isUnanchored({ configured, anchors }: Resolution, { index, choices }: PreparedProperty): boolean {
  const choice = configured[index];
  if (typeof choice?.value !== 'object') return false;
  if (choice.isPerEntity && perEntityOf(choice.value)?.periodType === 'billing' && !anchors?.has(index))
    return true;
  const meter = (choice.meter ?? choices[0]?.meter)?.meter;
  return meter?.periodType === 'billing' && meter.anchorAt === undefined;
}

export function anchoredChoice(
  choice: Choice,
  text: NonNullable<Choice['meter']>,
  { window }: Pick<Anchor, 'window'>,
): Choice {
  const meter = { ...text.meter, ...window };
  return { ...choice, meter: { ...text, meter, window: { startsAt: 0, resetsAt: 0 } } };
}

/** The plans that set the value; all of them if none does. */
function decidingPlans(resolution: Resolution, entry: PreparedProperty): readonly number[] {
  const { planIndexes, overrides } = resolution;
  const value = configuredValue(resolution, entry);
  const deciding = overrides?.has(entry.index)
    ? []
    : planIndexes.filter((index) => isSetBy(resolution, entry, value, index));
  return deciding.length === 0 ? planIndexes : deciding;
}

function isSetBy(
  { prepared, quantities, trials }: Resolution,
  { index, type, property }: PreparedProperty,
  value: PropertyValue,
  planIndex: number,
): boolean {
  const plan = prepared.plans[planIndex];
  const place = plan?.propertyIndexes.indexOf(index) ?? -1;
  const own = place === -1 ? undefined : planValueOf(prepared, planIndex, place, trials);
  if (own === undefined) return false;
  return (quantities?.get(planIndex) ?? ONCE).some((quantity) =>
    isPartOf(type, property.conflictResolution, multiplyValue(type, own, quantity), value),
  );
}
