/**
 * A plan's values during an edit, by feature and then by property. The maps are immutable: whatever is unchanged keeps
 * its identity and need not be compared.
 */
import type { Feature } from '#contracts/console/features';
import type { PlanProperties, PlanValue } from '#contracts/console/plans';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { overageLimit } from '#engine/values/kinds/overage';
import { withoutPlanCosts } from '#engine/values/kinds/plan-costs';
import { normaliseRollover } from '#engine/values/kinds/rollover';
import type { LimitDraft, ValueDraft } from '#web/values/value-draft.ts';

export interface DraftValue {
  readonly type: PropertyType;
  readonly value: ValueDraft;
}

/** By property id. A missing property has its default. */
export type FeatureDraft = ReadonlyMap<string, DraftValue>;

/** By feature id. A feature with an empty map is selected, but not part of the plan. */
export type PlanDraft = ReadonlyMap<string, FeatureDraft>;

export const NO_VALUES: FeatureDraft = new Map();

/** A feature without values is not part of a plan. */
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

/**
 * The request's values. Expects a draft in which every value is valid. What a meter costs no longer is not sent. A system property without a value has its default: it is
 * sent, as saving would turn the feature on.
 */
export function writeDraft(draft: PlanDraft, features: readonly Feature[]): PlanProperties {
  const free = new Set(
    features.flatMap(({ properties }) =>
      properties.filter(({ costs }) => costs === null).map(({ id }) => id),
    ),
  );
  const systemOf = new Map(features.map(({ id, systemFeatureProperties }) => [id, systemFeatureProperties]));
  const entries = [...draft]
    .filter(([, values]) => values.size > 0)
    .map(([featureId, values]): [string, PlanValue[]] => {
      const missing = (systemOf.get(featureId) ?? []).filter(({ id }) => !values.has(id));
      const own = [...values].map(([id, { type, value }]) => ({ id, type, value: value as PropertyValue }));
      return [
        featureId,
        [...own, ...missing].map(({ id, type, value }) => {
          const normal = normaliseValue(value);
          const isFree = typeof normal === 'object' && free.has(id);
          return { id, type, value: isFree ? withoutPlanCosts(normal) : normal };
        }),
      ];
    });
  return Object.fromEntries(entries);
}

/** A draft as JSON, for storage. */
export type PackedDraft = readonly (readonly [
  featureId: string,
  values: readonly (readonly [string, DraftValue])[],
])[];

export function packDraft(draft: PlanDraft): PackedDraft {
  return [...draft].map(([featureId, values]) => [featureId, [...values]]);
}

export function unpackDraft(packed: PackedDraft): PlanDraft {
  return new Map(packed.map(([featureId, values]) => [featureId, new Map(values)]));
}

export interface ValueDifference {
  readonly featureId: string;
  readonly propertyId: string;
  /** Undefined if not configured. */
  readonly before: DraftValue | undefined;
  readonly after: DraftValue | undefined;
}

/** The differences by property. Empty if both are equal. */
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

/** Compares meters by meaning, not by representation. Undefined equals undefined. */
export function isSameValue(one: DraftValue | undefined, other: DraftValue | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.type === other.type && spell(one.value) === spell(other.value);
}

/** A key that is equal for equal values only. A missing or zero period count is 1. */
function spell(value: ValueDraft): string {
  if (typeof value === 'number') return `number ${value + 0}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value.state === 'off') return value.state;
  const each =
    value.perEntity === undefined
      ? ''
      : ` each ${spellLimit(value.perEntity)} ${value.perEntity.seats ?? ''}`;
  const more = value.costs === undefined ? each : `${each} costs ${value.costs.per + 0}`;
  if (value.state === 'on') return value.state + more;
  const { uniqueResourceIds, trialLimit = null, rollover, overage } = value.meter;
  const rolls = rollover === undefined ? '' : JSON.stringify(normaliseRollover(rollover));
  const own = ['metered', spellNumber(trialLimit), uniqueResourceIds, spellLimit(value.meter), rolls];
  const over = overage === undefined ? '' : ` over ${overageLimit(overage)}`;
  return own.join(' ') + over + more;
}

function spellLimit({ limit, periodType, periodCount, periodLength }: LimitDraft): string {
  const count = periodCount === undefined || periodCount === 0 ? 1 : periodCount;
  const window = periodType === 'lifetime' ? [] : [count, periodLength];
  return [spellNumber(limit), periodType, ...window].join(' ');
}

const spellNumber = (each: number | null) => (each === null ? 'none' : each + 0);
