/**
 * What each entity of a customer may use, beside a meter or beside `on`. It decides between values of plans that say the same of the customer;
 * where limits add up, those of entities do, too.
 */
import type { MeterableValue, PerEntity } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import { compareLimits } from './limit-criteria.ts';
import { checkWindow, isRecord, normaliseWindow, spanKey } from './limited-window.ts';

/** Undefined: entities have no limit of their own. */
export function perEntityOf(value: MeterableValue): PerEntity | undefined {
  return value.state === 'off' ? undefined : value.perEntity;
}

export function checkPerEntity(value: unknown): Issue[] {
  if (value === undefined) return [];
  return isRecord(value)
    ? checkWindow('perEntity', value)
    : issue('perEntity', 'Must have a limit and a period');
}

/** @param own normalised, without what is said of entities */
export function normalisePerEntity(own: MeterableValue, value: MeterableValue): MeterableValue {
  const perEntity = perEntityOf(value);
  return perEntity === undefined || own.state === 'off'
    ? own
    : { ...own, perEntity: normaliseWindow(perEntity) };
}

/** Positive if `one` allows an entity more; none is more than any limit. */
export function comparePerEntity(
  one: PerEntity | undefined,
  other: PerEntity | undefined,
  limitOrder: LimitOrder,
): number {
  if (one === undefined || other === undefined)
    return Number(other !== undefined) - Number(one !== undefined);
  return compareLimits(limited(one), limited(other), limitOrder);
}

/** Limits of the same window add up; of several windows, the highest sum applies. Undefined: there are none. */
export function sumPerEntity(limits: readonly PerEntity[]): PerEntity | undefined {
  const sums = limits.map((each) => {
    const same = limits.filter((other) => spanKey(other) === spanKey(each));
    return { ...each, limit: exactSum(same.map(({ limit }) => limit)) };
  });
  return sums.sort((one, other) => comparePerEntity(other, one, 'limit'))[0];
}

/** Entities count as their property does: what is counted tells their limits apart from no other. */
function limited(perEntity: PerEntity) {
  return { ...perEntity, uniqueResourceIds: false };
}
