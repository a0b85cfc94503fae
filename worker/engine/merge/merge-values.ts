/** Resolves a property that several plans configure to one value (DESIGN 4.2). */
import type { ConflictResolution, PropertyType, PropertyValue } from '#contracts/values';
import { compareValues } from './compare-values.ts';

/** The highest or the lowest of `values`, all of `type`; undefined when there is none, and the default holds. */
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
