/**
 * The values of a plan while they are edited: by feature, then by property. Unchangeable maps, so that whatever was not
 * touched stays the same object and needs no second look.
 */
import type { PlanProperties, PlanValue } from '#contracts/plans';
import type { PropertyType, PropertyValue } from '#contracts/values';
import { normaliseValue } from '#engine/values/normalise-value';
import type { ValueDraft } from '../../values/value-draft.ts';

export interface DraftValue {
  readonly type: PropertyType;
  readonly value: ValueDraft;
}

/** By property id. A property that is not there has its default. */
export type FeatureDraft = ReadonlyMap<string, DraftValue>;

/** By feature id. A feature that is there with no property is selected, but not part of the plan. */
export type PlanDraft = ReadonlyMap<string, FeatureDraft>;

export const NO_VALUES: FeatureDraft = new Map();

/** A feature that is listed with no values is not part of a plan. */
export function readDraft(properties: PlanProperties): PlanDraft {
  return new Map(
    Object.entries(properties)
      .filter(([, values]) => values.length > 0)
      .map(([featureId, values]) => [
        featureId,
        new Map(values.map(({ id, type, value }) => [id, { type, value }])),
      ]),
  );
}

/** What is sent. Expects a draft whose every value fits its property. */
export function writeDraft(draft: PlanDraft): PlanProperties {
  const entries = [...draft]
    .filter(([, values]) => values.size > 0)
    .map(([featureId, values]): [string, PlanValue[]] => [
      featureId,
      [...values].map(([id, { type, value }]) => ({
        id,
        type,
        value: normaliseValue(value as PropertyValue),
      })),
    ]);
  return Object.fromEntries(entries);
}

export interface ValueDifference {
  readonly featureId: string;
  readonly propertyId: string;
  /** Undefined: not configured. */
  readonly before: DraftValue | undefined;
  readonly after: DraftValue | undefined;
}

/** Property by property; empty when both say the same. */
export function differencesOf(before: PlanDraft, after: PlanDraft): ValueDifference[] {
  const differences: ValueDifference[] = [];
  for (const featureId of new Set([...before.keys(), ...after.keys()])) {
    const from = before.get(featureId) ?? NO_VALUES;
    const to = after.get(featureId) ?? NO_VALUES;
    if (from === to) continue;
    for (const propertyId of new Set([...from.keys(), ...to.keys()])) {
      const difference = { featureId, propertyId, before: from.get(propertyId), after: to.get(propertyId) };
      if (!isSameValue(difference.before, difference.after)) differences.push(difference);
    }
  }
  return differences;
}

/** Two spellings of one meter are the same value; both undefined is the same. */
export function isSameValue(one: DraftValue | undefined, other: DraftValue | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.type === other.type && spell(one.value) === spell(other.value);
}

/** Equal for equal values only. A missing or zero count of periods is 1. */
function spell(value: ValueDraft): string {
  if (typeof value === 'number') return `number ${value + 0}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value.state !== 'metered') return value.state;
  const { limit, periodType, periodCount, periodLength, uniqueResourceIds } = value.meter;
  const count = periodCount === undefined || periodCount === 0 ? 1 : periodCount;
  const window = periodType === 'lifetime' ? [] : [count, periodLength];
  return ['metered', limit === null ? null : limit + 0, uniqueResourceIds, periodType, ...window].join(' ');
}
