/** Resolves a property that several plans set to one value. */
import type { ConflictResolution, PropertyType, PropertyValue } from '#contracts/public/values';
import { compareValues } from './compare-values.ts';

/** The highest or lowest of `values`, all of `type`. Undefined if empty: the default applies. */
export function mergeValues<Value extends PropertyValue>(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  values: readonly Value[],
): Value | undefined {
  const sign = conflictResolution === 'higher' ? 1 : -1;
  let merged: Value | undefined;
  for (const value of values) {
    if (merged === undefined || sign * compareValues(type, value, merged) > 0) merged = value;
  }
  return merged;
}
