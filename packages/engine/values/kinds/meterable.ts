import type { Meter, MeterableValue } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { exactNumber, exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import type { Kind } from './kind.ts';
import { compareLimits } from './limit-criteria.ts';
import { checkCount, checkWindow, isRecord, normaliseWindow, spanKey } from './limited-window.ts';
import { checkOverage, overageField, overageLimit, sumOverages, timesOverage } from './overage.ts';
import {
  checkPerEntity,
  comparePerEntity,
  normalisePerEntity,
  perEntityOf,
  sumPerEntity,
} from './per-entity.ts';
import { checkPlanCosts, normalisePlanCosts } from './plan-costs.ts';
import { canRollOver, checkRollover, largestRollover, normaliseRollover } from './rollover.ts';

const STATE_RANK: Record<MeterableValue['state'], number> = { off: 0, metered: 1, on: 2 };

type Metered = Extract<MeterableValue, { state: 'metered' }>;

export const meterableKind: Kind<MeterableValue> = {
  defaultValue: { state: 'on' },
  hasBounds: false,
  isGraded: true,
  typeScript: { value: 'MeterableValue', answer: 'Meter' },
  check: checkMeterable,
  normalise: (value) =>
    normalisePlanCosts(
      normalisePerEntity(
        isMetered(value) ? { state: 'metered', meter: normaliseMeter(value.meter) } : { state: value.state },
        value,
      ),
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
  },
  multiply: (value, quantity) => (isMetered(value) ? times(value, quantity) : value),
  isOff: (value) => value.state === 'off',
};

/** Of the customer's own meters. */
export function compareOwn(one: MeterableValue, other: MeterableValue, limitOrder: LimitOrder): number {
  return isMetered(one) && isMetered(other)
    ? compareLimits(one.meter, other.meter, limitOrder)
    : STATE_RANK[one.state] - STATE_RANK[other.state];
}

function isMetered(value: MeterableValue): value is Metered {
  return value.state === 'metered';
}

/** With it the numbers that go with the limit. */
function times({ meter, ...value }: Metered, quantity: number): Metered {
  const { rollover, overage, ...own } = meter;
  const limit = exactNumber(meter.limit * quantity);
  const multiplied = { ...own, limit, ...timesOverage(overage, quantity) };
  if (rollover === undefined) return { ...value, meter: multiplied };
  const max = rollover.max === 'all' ? 'all' : exactNumber(rollover.max * quantity);
  return { ...value, meter: { ...multiplied, rollover: { ...rollover, max } } };
}

function checkMeterable(value: unknown): Issue[] {
  if (!isRecord(value)) return issue('', 'Must be on, off or metered');
  if (value.state === 'off') {
    if (value.meter !== undefined) return issue('meter', 'Only a metered value has a meter');
    if (value.costs !== undefined) return issue('costs', 'What is off costs nothing');
    return value.perEntity === undefined ? [] : issue('perEntity', 'What is off has no limit');
  }
  if (value.state === 'on') {
    return value.meter === undefined
      ? [...checkPerEntity(value.perEntity), ...checkPlanCosts(value.costs)]
      : issue('meter', 'Only a metered value has a meter');
  }
  if (value.state !== 'metered') return issue('state', 'Must be on, off or metered');
  if (!isRecord(value.meter)) return issue('meter', 'A metered value needs a meter');
  return [...checkMeter(value.meter), ...checkPerEntity(value.perEntity), ...checkPlanCosts(value.costs)];
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
  if (meter.rollover !== undefined) {
    issues.push(
      ...(canRollOver(meter as unknown as Meter)
        ? checkRollover('meter.rollover', meter.rollover)
        : issue('meter.rollover', 'Only limits every month or billing month roll over')),
    );
  }
  if (meter.overage !== undefined) issues.push(...checkOverage('meter.overage', meter.overage));
  if (typeof meter.uniqueResourceIds !== 'boolean') {
    issues.push({ path: 'meter.uniqueResourceIds', message: 'Must be true or false' });
  }
  return issues;
}

/** A lifetime meter has no period. A missing or zero period count is 1. Unknown fields are removed. */
function normaliseMeter(meter: Meter): Meter {
  const { uniqueResourceIds, trialLimit, rollover, overage, ...limited } = meter;
  const own = {
    ...{ ...normaliseWindow(limited), uniqueResourceIds },
    ...overageField(overageLimit(overage)),
  };
  if (limited.periodType === 'lifetime') return own;
  return {
    ...own,
    ...(trialLimit !== undefined && { trialLimit: trialLimit + 0 }),
    ...(rollover !== undefined && { rollover: normaliseRollover(rollover) }),
  };
}

/** Limits of the same window add up with their overages, and roll over as the one that rolls over most. On and off stay as they are. */
function sumsByWindow(values: readonly MeterableValue[]): MeterableValue[] {
  const windows = new Map<string, Metered[]>();
  for (const value of values.filter(isMetered)) {
    const key = windowKey(value.meter);
    windows.set(key, [...(windows.get(key) ?? []), value]);
  }
  const sums = [...windows.values()].map((group): Metered => {
    const [{ rollover: _, overage: __, ...meter }] = group.map((each) => each.meter) as [Meter];
    const limit = exactSum(group.map((each) => each.meter.limit));
    const rollover = largestRollover(group.map((each) => each.meter.rollover));
    const perEntity = sumPerEntity(group.flatMap((each) => each.perEntity ?? []));
    return {
      state: 'metered',
      meter: {
        ...{ ...meter, limit, ...(rollover !== undefined && { rollover }) },
        ...sumOverages(group.map((each) => each.meter.overage)),
      },
      ...(perEntity !== undefined && { perEntity }),
    };
  });
  return [...values.filter((value) => !isMetered(value)), ...sums];
}

/** Equal for meters whose limits add up: of the same window, which count the same. */
export function windowKey({ uniqueResourceIds, ...window }: Meter): string {
  return `${spanKey(window)}:${uniqueResourceIds}`;
}
