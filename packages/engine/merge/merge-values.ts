/** Resolves a property that several plans set to one value. */
import type { ConflictResolution, Meter, PropertyType, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { compareValues } from './compare-values.ts';
import { exactNumber } from './exact-number.ts';

/** The highest, the lowest or the sum of `values`, all of `type`. Undefined if empty: the default applies. */
export function mergeValues(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  values: readonly PropertyValue[],
  limitOrder?: LimitOrder,
): PropertyValue | undefined {
  if (conflictResolution === 'sum') return sumOf(type, values, limitOrder);
  return highest(type, values, limitOrder, conflictResolution === 'higher' ? 1 : -1);
}

/** Whether a value is, or is part of, what values were merged to. */
export function isPartOf(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  value: PropertyValue,
  merged: PropertyValue,
): boolean {
  if (conflictResolution === 'sum' && type === 'number') return true;
  if (conflictResolution !== 'sum' || typeof value !== 'object' || typeof merged !== 'object')
    return compareValues(type, value, merged) === 0;
  if (value.state !== 'metered' || merged.state !== 'metered') return value.state === merged.state;
  return windowKey(value.meter) === windowKey(merged.meter);
}

/** Text and booleans have no sum: the highest applies. */
function sumOf(
  type: PropertyType,
  values: readonly PropertyValue[],
  limitOrder: LimitOrder | undefined,
): PropertyValue | undefined {
  if (type === 'meterable') return highest(type, sumsByWindow(values), limitOrder, 1);
  if (type !== 'number' || values.length < 2) return highest(type, values, limitOrder, 1);
  return exactSum(values as readonly number[]);
}

/** Limits of the same window add up. On and off stay as they are. */
export function sumsByWindow(values: readonly PropertyValue[]): PropertyValue[] {
  const others: PropertyValue[] = [];
  const limits = new Map<string, { readonly meter: Meter; readonly limits: number[] }>();
  for (const value of values) {
    if (typeof value !== 'object' || value.state !== 'metered') others.push(value);
    else {
      const { meter } = value;
      const known = limits.get(windowKey(meter));
      if (known === undefined) limits.set(windowKey(meter), { meter, limits: [meter.limit] });
      else known.limits.push(meter.limit);
    }
  }
  const sums = [...limits.values()].map(({ meter, limits: each }): PropertyValue => {
    return { state: 'metered', meter: { ...meter, limit: exactSum(each) } };
  });
  return [...others, ...sums];
}

/** Equal for meters whose limits add up: of the same window, which count the same. */
export function windowKey({ periodType, periodCount, periodLength, uniqueResourceIds }: Meter): string {
  if (periodType === 'lifetime') return `lifetime:${uniqueResourceIds}`;
  return `${periodType}:${periodCount || 1}:${periodLength ?? 'month'}:${uniqueResourceIds}`;
}

/** Summed in an order of their own, so that the plans' order has no effect. */
function exactSum(values: readonly number[]): number {
  return exactNumber(values.toSorted((one, other) => one - other).reduce((total, value) => total + value, 0));
}

function highest(
  type: PropertyType,
  values: readonly PropertyValue[],
  limitOrder: LimitOrder | undefined,
  sign: 1 | -1,
): PropertyValue | undefined {
  let merged: PropertyValue | undefined;
  for (const value of values) {
    if (merged === undefined || sign * compareValues(type, value, merged, limitOrder) > 0) merged = value;
  }
  return merged;
}
