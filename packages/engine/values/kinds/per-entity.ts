/**
 * What each entity of a customer may use, beside a meter or beside `on`. It decides between values of plans that say the same of the customer;
 * where limits add up, those of entities do, too.
 */
import type { MeterableValue, PerEntity } from '#contracts/public/values';
import type { LimitOrder } from '../../artifacts/artifact-content.ts';
import { compareText } from '../../text/compare-text.ts';
import { exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import { compareLimits } from './limit-criteria.ts';
import { checkWindow, isRecord, normaliseWindow, spanKey } from './limited-window.ts';

/** Of the ID of a property. */
const MAX_SEATS = 100;

/** Undefined: entities have no limit of their own. */
export function perEntityOf(value: MeterableValue): PerEntity | undefined {
  return value.state === 'off' ? undefined : value.perEntity;
}

export function checkPerEntity(value: unknown): Issue[] {
  if (value === undefined) return [];
  if (!isRecord(value)) return issue('perEntity', 'Must have a limit and a period');
  return [...checkWindow('perEntity', value), ...checkSeats(value.seats)];
}

function checkSeats(seats: unknown): Issue[] {
  if (seats === undefined) return [];
  if (typeof seats !== 'string' || seats === '') return issue('perEntity.seats', 'Must be the ID of a meter');
  return seats.length <= MAX_SEATS ? [] : issue('perEntity.seats', `Must be at most ${MAX_SEATS} characters`);
}

/** @param own normalised, without what is said of entities */
export function normalisePerEntity(own: MeterableValue, value: MeterableValue): MeterableValue {
  const perEntity = perEntityOf(value);
  if (perEntity === undefined || own.state === 'off') return own;
  const { seats } = perEntity;
  return { ...own, perEntity: { ...normaliseWindow(perEntity), ...(seats !== undefined && { seats }) } };
}

/** Positive if `one` allows an entity more: none is more than any limit, and any entity more than those with a seat. */
export function comparePerEntity(
  one: PerEntity | undefined,
  other: PerEntity | undefined,
  limitOrder: LimitOrder,
): number {
  if (one === undefined || other === undefined)
    return Number(other !== undefined) - Number(one !== undefined);
  return (
    compareLimits(limited(one), limited(other), limitOrder) || compareText(other.seats ?? '', one.seats ?? '')
  );
}

/** Limits of the same window add up; of several windows, the highest sum applies. Undefined: there are none. */
export function sumPerEntity(limits: readonly PerEntity[]): PerEntity | undefined {
  const sums = limits.map((each) => {
    const same = limits.filter((other) => spanKey(other) === spanKey(each) && other.seats === each.seats);
    return { ...each, limit: exactSum(same.map(({ limit }) => limit)) };
  });
  return sums.sort((one, other) => comparePerEntity(other, one, 'limit'))[0];
}

/** Entities count as their property does: what is counted tells their limits apart from no other. */
function limited(perEntity: PerEntity) {
  return { ...perEntity, uniqueResourceIds: false };
}
