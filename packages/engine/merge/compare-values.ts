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
  if (one.state !== 'metered' || other.state !== 'metered')
    return STATE_RANK[one.state] - STATE_RANK[other.state];
  const criterion = findCriterion(one.meter, other.meter, limitOrder);
  return criterion === undefined ? 0 : CRITERIA[criterion](one.meter, other.meter);
}

/** What tells two limits apart. */
export type LimitCriterion = 'rate' | 'limit' | 'period' | 'window' | 'resources' | 'unit';

/** Positive if the first meter is the more generous one. */
const CRITERIA: Record<LimitCriterion, (one: Meter, other: Meter) => number> = {
  /** By limit ÷ period, exactly: 24 a day are as many as 1 an hour. */
  rate: (one, other) => {
    const left = BigInt(one.limit) * BigInt(spanOf(other));
    const right = BigInt(other.limit) * BigInt(spanOf(one));
    return left < right ? -1 : Number(left > right);
  },
  limit: (one, other) => one.limit - other.limit,
  /** The shorter one; a lifetime is the longest. */
  period: (one, other) => compareDurations(durationOf(other), durationOf(one)),
  window: (one, other) => PERIOD_TYPE_RANK[one.periodType] - PERIOD_TYPE_RANK[other.periodType],
  /** Unique ones count once each. */
  resources: (one, other) => Number(one.uniqueResourceIds) - Number(other.uniqueResourceIds),
  /** The smaller one, so that 24 hours and 1 day differ. */
  unit: (one, other) => unitOf(other) - unitOf(one),
};

const BY_LIMIT: readonly LimitCriterion[] = ['limit', 'period', 'window', 'resources', 'unit'];

/** The first that tells two limits apart decides. */
export const LIMIT_CRITERIA: Readonly<Record<LimitOrder, readonly LimitCriterion[]>> = {
  limit: BY_LIMIT,
  rate: ['rate', ...BY_LIMIT],
};

/** What decides between two limits; undefined if they are equal. */
export function findCriterion(one: Meter, other: Meter, limitOrder: LimitOrder): LimitCriterion | undefined {
  return LIMIT_CRITERIA[limitOrder].find((each) => CRITERIA[each](one, other) !== 0);
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
