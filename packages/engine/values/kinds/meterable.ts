import type { Meter, MeterableValue } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { formatNumber } from '../../text/format-number.ts';
import { exactNumber, exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import { limitWindow } from '../limit-window.ts';
import type { Direction, Kind } from './kind.ts';
import { compareLimits, limitsWinWords } from './limit-criteria.ts';

const MAX_PERIOD_COUNT = 1000;
/** Of billing windows: a year. */
export const MAX_BILLING_MONTHS = 12;

const STATE_RANK: Record<MeterableValue['state'], number> = { off: 0, metered: 1, on: 2 };

type Metered = Extract<MeterableValue, { state: 'metered' }>;

export const meterableKind: Kind<MeterableValue> = {
  defaultValue: { state: 'on' },
  hasBounds: false,
  isGraded: true,
  typeScript: { value: 'MeterableValue', answer: 'Meter' },
  check: checkMeterable,
  normalise: (value) =>
    isMetered(value) ? { state: 'metered', meter: normaliseMeter(value.meter) } : { state: value.state },
  compare: (one, other, limitOrder) =>
    isMetered(one) && isMetered(other)
      ? compareLimits(one.meter, other.meter, limitOrder)
      : STATE_RANK[one.state] - STATE_RANK[other.state],
  sum: {
    of: sumsByWindow,
    adds: isMetered,
    isPart: (value, sum) =>
      isMetered(value) && isMetered(sum)
        ? windowKey(value.meter) === windowKey(sum.meter)
        : value.state === sum.state,
    group: 'limits of one window',
  },
  multiply: (value, quantity) =>
    isMetered(value) ? withLimit(value, exactNumber(value.meter.limit * quantity)) : value,
  isOff: (value) => value.state === 'off',
  words: (value) =>
    isMetered(value)
      ? `${formatNumber(value.meter.limit)} ${limitWindow(value.meter)}${trialWords(value.meter)}`
      : value.state === 'on'
        ? 'unlimited'
        : 'off',
  winWords,
};

function isMetered(value: MeterableValue): value is Metered {
  return value.state === 'metered';
}

function withLimit({ meter }: Metered, limit: number): Metered {
  return { state: 'metered', meter: { ...meter, limit } };
}

function checkMeterable(value: unknown): Issue[] {
  if (!isRecord(value)) return issue('', 'Must be on, off or metered');
  if (value.state === 'on' || value.state === 'off') {
    return value.meter === undefined ? [] : issue('meter', 'Only a metered value has a meter');
  }
  if (value.state !== 'metered') return issue('state', 'Must be on, off or metered');
  return isRecord(value.meter) ? checkMeter(value.meter) : issue('meter', 'A metered value needs a meter');
}

function checkMeter(meter: Record<string, unknown>): Issue[] {
  const issues = checkCount('meter.limit', meter.limit, Number.MAX_SAFE_INTEGER);
  const { periodType, periodCount, periodLength } = meter;
  const isBilling = periodType === 'billing';
  if (!isBilling && periodType !== 'fixed' && periodType !== 'rolling' && periodType !== 'lifetime') {
    issues.push({ path: 'meter.periodType', message: 'Must be fixed, rolling, billing or lifetime' });
  }
  if (periodCount !== undefined) {
    const most = isBilling ? MAX_BILLING_MONTHS : MAX_PERIOD_COUNT;
    issues.push(...checkCount('meter.periodCount', periodCount, most));
  }
  if (periodLength === undefined ? periodType !== 'lifetime' : !isPeriodLength(periodLength)) {
    issues.push({ path: 'meter.periodLength', message: 'Please select a meter length' });
  } else if (isBilling && periodLength !== 'month') {
    issues.push({ path: 'meter.periodLength', message: 'Must be month' });
  }
  if (meter.trialLimit !== undefined) {
    issues.push(
      ...(isBilling
        ? checkCount('meter.trialLimit', meter.trialLimit, Number.MAX_SAFE_INTEGER)
        : issue('meter.trialLimit', 'Only a limit of a billing period has one')),
    );
  }
  if (typeof meter.uniqueResourceIds !== 'boolean') {
    issues.push({ path: 'meter.uniqueResourceIds', message: 'Must be true or false' });
  }
  return issues;
}

function checkCount(path: string, value: unknown, most: number): Issue[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return issue(path, 'Must be a number');
  if (!Number.isInteger(value)) return issue(path, 'Must be a whole number');
  if (value < 0) return issue(path, 'Must be greater than or equal to 0');
  return value <= most ? [] : issue(path, `Must be less than or equal to ${formatNumber(most)}`);
}

function isPeriodLength(value: unknown): boolean {
  return value === 'hour' || value === 'day' || value === 'month';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A lifetime meter has no period. A missing or zero period count is 1. Unknown fields are removed. */
function normaliseMeter(meter: Meter): Meter {
  const { limit, periodType, periodCount, periodLength, uniqueResourceIds, trialLimit } = meter;
  if (periodType === 'lifetime') return { limit: limit + 0, periodType, uniqueResourceIds };
  return {
    ...{ limit: limit + 0, periodType, periodCount: periodCount || 1, periodLength, uniqueResourceIds },
    ...(trialLimit !== undefined && { trialLimit: trialLimit + 0 }),
  };
}

function trialWords({ trialLimit }: Meter): string {
  return trialLimit === undefined ? '' : `, ${formatNumber(trialLimit)} in a trial`;
}

/** Limits of the same window add up. On and off stay as they are. */
function sumsByWindow(values: readonly MeterableValue[]): MeterableValue[] {
  const windows = new Map<string, Metered[]>();
  for (const value of values.filter(isMetered)) {
    const key = windowKey(value.meter);
    windows.set(key, [...(windows.get(key) ?? []), value]);
  }
  const sums = [...windows.values()].map((group) =>
    withLimit(group[0] as Metered, exactSum(group.map(({ meter }) => meter.limit))),
  );
  return [...values.filter((value) => !isMetered(value)), ...sums];
}

/** Equal for meters whose limits add up: of the same window, which count the same. */
export function windowKey({ periodType, periodCount, periodLength, uniqueResourceIds }: Meter): string {
  if (periodType === 'lifetime') return `lifetime:${uniqueResourceIds}`;
  return `${periodType}:${periodCount || 1}:${periodLength ?? 'month'}:${uniqueResourceIds}`;
}

function winWords(
  direction: Direction,
  winning: MeterableValue,
  losing: readonly MeterableValue[],
  limitOrder: LimitOrder,
): string {
  if (!isMetered(winning)) return `${meterableKind.words(winning)} wins`;
  const limits = losing.filter(isMetered).map(({ meter }) => meter);
  // Off is less than any limit and unlimited is more, so beside limits they need no words of their own.
  return limits.length === 0
    ? `a limit wins over ${direction === 'higher' ? 'off' : 'unlimited'}`
    : limitsWinWords(direction, winning.meter, limits, limitOrder);
}
