/**
 * Normalises a value so that equal values have equal JSON: a lifetime meter has no period, every other period has a count
 * of at least 1, unknown fields are removed, and negative zero becomes zero.
 */
import type { Meter, MeterableValue, PropertyValue } from '#contracts/public/values';

/** @param value accepted by checkValue */
export function normaliseValue(value: PropertyValue): PropertyValue {
  if (typeof value === 'number') return value + 0;
  return typeof value === 'object' ? normaliseMeterable(value) : value;
}

function normaliseMeterable(value: MeterableValue): MeterableValue {
  return value.state === 'metered'
    ? { state: 'metered', meter: normaliseMeter(value.meter) }
    : { state: value.state };
}

/** A missing or zero period count is 1. */
export function normaliseMeter({
  limit,
  periodType,
  periodCount,
  periodLength,
  uniqueResourceIds,
}: Meter): Meter {
  return periodType === 'lifetime'
    ? { limit: limit + 0, periodType, uniqueResourceIds }
    : { limit: limit + 0, periodType, periodCount: periodCount || 1, periodLength, uniqueResourceIds };
}
