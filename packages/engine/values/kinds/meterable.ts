import type { Meter, MeterableValue } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { formatNumber } from '../../text/format-number.ts';
import { exactNumber, exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import { limitWindow } from '../limit-window.ts';
import type { Direction, Kind } from './kind.ts';
import { compareLimits, limitsWinWords } from './limit-criteria.ts';
import { checkCount, checkWindow, isRecord, normaliseWindow, spanKey } from './limited-window.ts';
import {
  checkPerEntity,
  comparePerEntity,
  normalisePerEntity,
  perEntityOf,
  perEntityWins,
  perEntityWords,
  sumPerEntity,
} from './per-entity.ts';

const STATE_RANK: Record<MeterableValue['state'], number> = { off: 0, metered: 1, on: 2 };

type Metered = Extract<MeterableValue, { state: 'metered' }>;

export const meterableKind: Kind<MeterableValue> = {
  defaultValue: { state: 'on' },
  hasBounds: false,
  isGraded: true,
  typeScript: { value: 'MeterableValue', answer: 'Meter' },
  check: checkMeterable,
  normalise: (value) =>
    normalisePerEntity(
      isMetered(value) ? { state: 'metered', meter: normaliseMeter(value.meter) } : { state: value.state },
      value,
    ),
  compare: (one, other, limitOrder) =>
    compareOwn(one, other, limitOrder) || comparePerEntity(perEntityOf(one), perEntityOf(other), limitOrder),
  sum: {
    of: sumsByWindow,
    adds: isMetered,
    isPart: (value, sum) =>
      isMetered(value) && isMetered(sum)
        ? windowKey(value.meter) === windowKey(sum.meter)
        : value.state === sum.state && comparePerEntity(perEntityOf(value), perEntityOf(sum), 'limit') === 0,
    group: 'limits of one window',
  },
  multiply: (value, quantity) =>
    isMetered(value) ? withLimit(value, exactNumber(value.meter.limit * quantity)) : value,
  isOff: (value) => value.state === 'off',
  words: (value) => `${ownWords(value)}${perEntityWords(perEntityOf(value))}`,
  winWords,
};

function ownWords(value: MeterableValue): string {
  if (isMetered(value))
    return `${formatNumber(value.meter.limit)} ${limitWindow(value.meter)}${trialWords(value.meter)}`;
  return value.state === 'on' ? 'unlimited' : 'off';
}

/** Of the customer's own meters. */
function compareOwn(one: MeterableValue, other: MeterableValue, limitOrder: LimitOrder): number {
  return isMetered(one) && isMetered(other)
    ? compareLimits(one.meter, other.meter, limitOrder)
    : STATE_RANK[one.state] - STATE_RANK[other.state];
}

function isMetered(value: MeterableValue): value is Metered {
  return value.state === 'metered';
}

function withLimit({ meter, ...value }: Metered, limit: number): Metered {
  return { ...value, meter: { ...meter, limit } };
}

function checkMeterable(value: unknown): Issue[] {
  if (!isRecord(value)) return issue('', 'Must be on, off or metered');
  if (value.state === 'off') {
    if (value.meter !== undefined) return issue('meter', 'Only a metered value has a meter');
    return value.perEntity === undefined ? [] : issue('perEntity', 'What is off has no limit');
  }
  if (value.state === 'on') {
    return value.meter === undefined
      ? checkPerEntity(value.perEntity)
      : issue('meter', 'Only a metered value has a meter');
  }
  if (value.state !== 'metered') return issue('state', 'Must be on, off or metered');
  if (!isRecord(value.meter)) return issue('meter', 'A metered value needs a meter');
  return [...checkMeter(value.meter), ...checkPerEntity(value.perEntity)];
}

function checkMeter(meter: Record<string, unknown>): Issue[] {
  const issues = checkWindow('meter', meter);
  const isBilling = meter.periodType === 'billing';
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

/** A lifetime meter has no period. A missing or zero period count is 1. Unknown fields are removed. */
function normaliseMeter(meter: Meter): Meter {
  const { uniqueResourceIds, trialLimit, ...limited } = meter;
  if (limited.periodType === 'lifetime') return { ...normaliseWindow(limited), uniqueResourceIds };
  return {
    ...{ ...normaliseWindow(limited), uniqueResourceIds },
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
  const sums = [...windows.values()].map((group): Metered => {
    const { perEntity: _, ...sum } = withLimit(
      group[0] as Metered,
      exactSum(group.map(({ meter }) => meter.limit)),
    );
    const perEntity = sumPerEntity(group.flatMap(({ perEntity = [] }) => perEntity));
    return perEntity === undefined ? sum : { ...sum, perEntity };
  });
  return [...values.filter((value) => !isMetered(value)), ...sums];
}

/** Equal for meters whose limits add up: of the same window, which count the same. */
export function windowKey({ uniqueResourceIds, ...window }: Meter): string {
  return `${spanKey(window)}:${uniqueResourceIds}`;
}

function winWords(
  direction: Direction,
  winning: MeterableValue,
  losing: readonly MeterableValue[],
  limitOrder: LimitOrder,
): string {
  const others = losing.filter((value) => compareOwn(winning, value, limitOrder) !== 0);
  const own = others.length === 0 ? null : ownWinWords(direction, winning, others, limitOrder);
  if (others.length === losing.length && own !== null) return own;
  const each = perEntityWins(direction, perEntityOf(winning));
  return own === null ? `${each} wins` : `${own}, then ${each}`;
}

/** What told the customer's own meters apart. */
function ownWinWords(
  direction: Direction,
  winning: MeterableValue,
  losing: readonly MeterableValue[],
  limitOrder: LimitOrder,
): string {
  if (!isMetered(winning)) return `${ownWords(winning)} wins`;
  const limits = losing.filter(isMetered).map(({ meter }) => meter);
  // Off is less than any limit and unlimited is more, so beside limits they need no words of their own.
  return limits.length === 0
    ? `a limit wins over ${direction === 'higher' ? 'off' : 'unlimited'}`
    : limitsWinWords(direction, winning.meter, limits, limitOrder);
}
