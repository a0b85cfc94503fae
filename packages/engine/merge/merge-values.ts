/** Resolves a property that several plans set to one value. */
import type { ConflictResolution, PropertyType, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { kindOf } from '../values/kinds/kinds.ts';

/**
 * The highest, the lowest or the sum of `values`, all of `type`. Values of a type that does not add up have no sum: the highest applies.
 * @returns undefined if empty: the default applies
 */
export function mergeValues(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  values: readonly PropertyValue[],
  limitOrder: LimitOrder = 'limit',
): PropertyValue | undefined {
  const kind = kindOf(type);
  const sign = conflictResolution === 'lower' ? -1 : 1;
  const candidates = conflictResolution === 'sum' && kind.sum !== null ? kind.sum.of(values) : values;
  let merged: PropertyValue | undefined;
  for (const value of candidates) {
    if (merged === undefined || sign * kind.compare(value, merged, limitOrder) > 0) merged = value;
  }
  return merged;
}

/** Whether a value is, or is part of, what values were merged to. */
export function isPartOf(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  value: PropertyValue,
  merged: PropertyValue,
): boolean {
  const { sum, compare } = kindOf(type);
  return conflictResolution === 'sum' && sum !== null
    ? sum.isPart(value, merged)
    : compare(value, merged, 'limit') === 0;
}
