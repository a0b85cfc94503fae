/** What tells two limits apart. The order is total: only equal limits compare equal. */
import type { Meter, PeriodLength, PeriodType } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { overageLimit } from './overage.ts';
import { compareRollovers } from './rollover.ts';

/** A month counts as the mean Gregorian month: between 30 and 31 days. */
const LENGTH_MS: Record<PeriodLength, number> = { hour: 3_600_000, day: 86_400_000, month: 2_629_746_000 };

/** At equal length, a window that resets allows more than a trailing one: two full limits can be used around its boundary. */
const PERIOD_TYPE_RANK: Record<PeriodType, number> = { lifetime: 0, fixed: 1, rolling: 2, billing: 2 };

/** A lifetime counts as ten years. */
const LIFETIME_MS = 120 * LENGTH_MS.month;

/** What limits can differ in. */
export type LimitAspect =
  | 'rate'
  | 'limit'
  | 'period'
  | 'billing'
  | 'kind'
  | 'unique'
  | 'unit'
  | 'rollover'
  | 'overage';

interface LimitCriterion {
  readonly name: LimitAspect;
  /** Positive if the first meter is the more generous one. */
  readonly compare: (one: Meter, other: Meter) => number;
}

/** By limit ÷ period, exactly: 24 a day are as many as 1 an hour. */
const RATE: LimitCriterion = {
  name: 'rate',
  compare: (one, other) => {
    const left = BigInt(one.limit) * BigInt(spanOf(other));
    const right = BigInt(other.limit) * BigInt(spanOf(one));
    return left < right ? -1 : Number(left > right);
  },
};

const BY_LIMIT: readonly LimitCriterion[] = [
  {
    name: 'limit',
    compare: (one, other) => one.limit - other.limit,
  },
  {
    name: 'period',
    // The shorter one; a lifetime is the longest.
    compare: (one, other) => compareAmounts(durationOf(other), durationOf(one)),
  },
  {
    name: 'billing',
    compare: (one, other) => Number(one.periodType === 'billing') - Number(other.periodType === 'billing'),
  },
  {
    name: 'kind',
    compare: (one, other) => PERIOD_TYPE_RANK[one.periodType] - PERIOD_TYPE_RANK[other.periodType],
  },
  {
    name: 'unique',
    // Unique ones count once each.
    compare: (one, other) => Number(one.uniqueResourceIds) - Number(other.uniqueResourceIds),
  },
  {
    name: 'unit',
    // The smaller one, so that 24 hours and 1 day differ.
    compare: (one, other) => unitOf(other) - unitOf(one),
  },
  {
    name: 'rollover',
    compare: (one, other) => compareRollovers(one.rollover, other.rollover),
  },
  {
    name: 'overage',
    compare: (one, other) => compareAmounts(overageLimit(one.overage), overageLimit(other.overage)),
  },
];

/** The first that tells two limits apart decides. */
const CRITERIA: Readonly<Record<LimitOrder, readonly LimitCriterion[]>> = {
  limit: BY_LIMIT,
  rate: [RATE, ...BY_LIMIT],
};

/** Positive if the first meter is the more generous one; zero if they are equal. */
export function compareLimits(one: Meter, other: Meter, limitOrder: LimitOrder): number {
  for (const { compare } of CRITERIA[limitOrder]) {
    const difference = compare(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What tells a limit from each of several that differ from it, the most important first. */
export function decidingAspects(
  winning: Meter,
  losing: readonly Meter[],
  limitOrder: LimitOrder,
): LimitAspect[] {
  const criteria = CRITERIA[limitOrder];
  const deciding = new Set(
    losing.map((meter) => criteria.find(({ compare }) => compare(winning, meter) !== 0)),
  );
  return criteria.filter((each) => deciding.has(each)).map(({ name }) => name);
}

function spanOf(meter: Meter): number {
  return meter.periodType === 'lifetime' ? LIFETIME_MS : durationOf(meter);
}

function durationOf({ periodType, periodCount, periodLength }: Meter): number {
  if (periodType === 'lifetime') return Number.POSITIVE_INFINITY;
  return (periodCount || 1) * LENGTH_MS[periodLength ?? 'month'];
}

function compareAmounts(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function unitOf({ periodType, periodLength }: Meter): number {
  return periodType === 'lifetime' ? 0 : LENGTH_MS[periodLength ?? 'month'];
}
