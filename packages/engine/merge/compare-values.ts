/**
 * Compares two values of a property. The order is total (only equal values compare equal), so taking the highest or lowest is
 * associative, commutative and idempotent.
 */

import type {
  Meter,
  MeterableValue,
  PeriodLength,
  PeriodType,
  PropertyType,
  PropertyValue,
} from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { compareText } from './compare-text.ts';

const STATE_RANK: Record<MeterableValue['state'], number> = { off: 0, metered: 1, on: 2 };

/** A month counts as the mean Gregorian month: between 30 and 31 days. */
const LENGTH_MS: Record<PeriodLength, number> = { hour: 3_600_000, day: 86_400_000, month: 2_629_746_000 };

/** At equal length, a calendar window allows more than a trailing one: two full limits can be used around its boundary. */
const PERIOD_TYPE_RANK: Record<PeriodType, number> = { lifetime: 0, fixed: 1, rolling: 2 };

/** A lifetime counts as ten years. */
const LIFETIME_MS = 120 * LENGTH_MS.month;

/**
 * Negative if `one` is lower than `other`, zero if equal, positive if higher. Both are of `type`. Text is compared by code point.
 */
export function compareValues(
  type: PropertyType,
  one: PropertyValue,
  other: PropertyValue,
  limitOrder: LimitOrder = 'limit',
): number {
  switch (type) {
    case 'number':
    case 'boolean':
      return Number(one) - Number(other);
    case 'string':
      return compareText(one as string, other as string);
    case 'meterable':
      return compareMeterables(one as MeterableValue, other as MeterableValue, limitOrder);
  }
}

function compareMeterables(one: MeterableValue, other: MeterableValue, limitOrder: LimitOrder): number {
  if (one.state === 'metered' && other.state === 'metered') {
    const byRate = limitOrder === 'rate' ? compareRates(one.meter, other.meter) : 0;
    return byRate || compareMeters(one.meter, other.meter);
  }
  return STATE_RANK[one.state] - STATE_RANK[other.state];
}

/**
 * The more generous meter is higher. In order: the larger limit, the shorter period (lifetime is the longest), calendar
 * windows over trailing ones, unique resources (each counts once) over plain counts, and finally the smaller unit, so
 * that 24 hours and 1 day differ.
 */
function compareMeters(one: Meter, other: Meter): number {
  return (
    one.limit - other.limit ||
    compareDurations(durationOf(other), durationOf(one)) ||
    PERIOD_TYPE_RANK[one.periodType] - PERIOD_TYPE_RANK[other.periodType] ||
    Number(one.uniqueResourceIds) - Number(other.uniqueResourceIds) ||
    unitOf(other) - unitOf(one)
  );
}

/** By limit ÷ period, exactly: 24 a day are as many as 1 an hour. */
function compareRates(one: Meter, other: Meter): number {
  const left = BigInt(one.limit) * BigInt(spanOf(other));
  const right = BigInt(other.limit) * BigInt(spanOf(one));
  return left < right ? -1 : Number(left > right);
}

function spanOf(meter: Meter): number {
  return meter.periodType === 'lifetime' ? LIFETIME_MS : durationOf(meter);
}

function durationOf({ periodType, periodCount, periodLength }: Meter): number {
  if (periodType === 'lifetime') return Number.POSITIVE_INFINITY;
  return (periodCount || 1) * LENGTH_MS[periodLength ?? 'month'];
}

function compareDurations(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function unitOf({ periodType, periodLength }: Meter): number {
  return periodType === 'lifetime' ? 0 : LENGTH_MS[periodLength ?? 'month'];
}
