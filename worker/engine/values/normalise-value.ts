/**
 * One spelling per value: a lifetime meter has no period, every other has a count of at least 1, nothing stands beside
 * the known fields, and there is no negative zero. Equal values then have equal JSON.
 */
import type { Meter, MeterableValue, PropertyValue } from '#contracts/values';

/** Expects a value that checkValue accepts. */
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
