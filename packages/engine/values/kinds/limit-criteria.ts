/** What tells two limits apart, and its words. The order is total: only equal limits compare equal. */
import type { Meter, PeriodLength, PeriodType } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import type { Direction } from './kind.ts';

/** A month counts as the mean Gregorian month: between 30 and 31 days. */
const LENGTH_MS: Record<PeriodLength, number> = { hour: 3_600_000, day: 86_400_000, month: 2_629_746_000 };

/** At equal length, a window that resets allows more than a trailing one: two full limits can be used around its boundary. */
const PERIOD_TYPE_RANK: Record<PeriodType, number> = { lifetime: 0, fixed: 1, rolling: 2, billing: 2 };

/** A lifetime counts as ten years. */
const LIFETIME_MS = 120 * LENGTH_MS.month;

interface LimitCriterion {
  /** Positive if the first meter is the more generous one. */
  readonly compare: (one: Meter, other: Meter) => number;
  /** What is higher, and what lower. */
  readonly words: Readonly<Record<Direction, string>>;
}

/** By limit ÷ period, exactly: 24 a day are as many as 1 an hour. */
const RATE: LimitCriterion = {
  compare: (one, other) => {
    const left = BigInt(one.limit) * BigInt(spanOf(other));
    const right = BigInt(other.limit) * BigInt(spanOf(one));
    return left < right ? -1 : Number(left > right);
  },
  words: {
    higher: 'the limit that allows more in the same time',
    lower: 'the limit that allows less in the same time',
  },
};

const BY_LIMIT: readonly LimitCriterion[] = [
  {
    compare: (one, other) => one.limit - other.limit,
    words: { higher: 'the larger limit', lower: 'the smaller limit' },
  },
  {
    // The shorter one; a lifetime is the longest.
    compare: (one, other) => compareDurations(durationOf(other), durationOf(one)),
    words: { higher: 'the shorter period', lower: 'the longer period' },
  },
  {
    compare: (one, other) => Number(one.periodType === 'billing') - Number(other.periodType === 'billing'),
    words: { higher: 'the billing period', lower: 'a calendar or trailing window' },
  },
  {
    compare: (one, other) => PERIOD_TYPE_RANK[one.periodType] - PERIOD_TYPE_RANK[other.periodType],
    words: { higher: 'a calendar window', lower: 'a trailing window' },
  },
  {
    // Unique ones count once each.
    compare: (one, other) => Number(one.uniqueResourceIds) - Number(other.uniqueResourceIds),
    words: { higher: 'a count of unique resources', lower: 'a count of everything' },
  },
  {
    // The smaller one, so that 24 hours and 1 day differ.
    compare: (one, other) => unitOf(other) - unitOf(one),
    words: { higher: 'the smaller unit', lower: 'the larger unit' },
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

/** 'the larger limit wins, then the shorter period'. @param losing at least one, each differs from `winning` */
export function limitsWinWords(
  direction: Direction,
  winning: Meter,
  losing: readonly Meter[],
  limitOrder: LimitOrder,
): string {
  const criteria = CRITERIA[limitOrder];
  const deciding = new Set(
    losing.map((meter) => criteria.find(({ compare }) => compare(winning, meter) !== 0)),
  );
  const [first, ...rest] = criteria.filter((each) => deciding.has(each)).map(({ words }) => words[direction]);
  return [`${first} wins`, ...rest].join(', then ');
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
