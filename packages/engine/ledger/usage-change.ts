/** What an update changes in a customer's meters: computed first, and counted once it is accepted. */
import type {
  CounterUpdate,
  Draw,
  DrawSource,
  MeterWindow,
  ResourceUse,
  WindowAnchor,
} from '#contracts/internal/ledger';
import { quotaUsedOf } from '../balances/read-balances.ts';
import { minuteOf } from '../metering/bucket-widths.ts';
import { reachOf } from '../metering/read-window.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { splitAmount } from './draws.ts';
import { type HoldPart, takenOf } from './holds.ts';
import { currentUse, lastUsedAt } from './resource-use.ts';
import type { Unversioned, UpdateRecords } from './update-records.ts';
import type { BucketShare } from './usage-to-give-back.ts';

/** The effect of an update, before it is counted. */
export interface Change {
  /** Added to the usage buckets; negative for a give-back. */
  readonly counted: number;
  /** Which usage a give-back removes. */
  readonly givenBack: readonly BucketShare[];
  /** What is drawn from grants, or given back to them. */
  readonly draws: readonly Draw[];
  /** Above quota and grants. */
  readonly overage: number;
  /** The ledger's own use after the update; null if the update changes none. */
  readonly use: Unversioned<ResourceUse> | null;
  /** The resource's uses before the update. */
  readonly uses: readonly ResourceUse[];
  /** Reported to the caller as added. */
  readonly applied: number;
}

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
export const NO_CHANGE: Change = {
  ...{ counted: 0, givenBack: [], draws: [], overage: 0 },
  ...{ applied: 0, use: null, uses: [] },
};
export const QUOTA_ONLY: readonly DrawSource[] = ['quota'];

export function addition(meters: CustomerMeters, update: CounterUpdate, now: number): Change {
  const { hold, occurredAt = now } = update;
  const by = hold?.kind === 'open' && hold.orLess ? atMostLeft(meters, update, now) : (update.by ?? 1);
  if (by < 0) return { ...NO_CHANGE, ...giveBack(meters, update, -by, occurredAt) };
  return { ...NO_CHANGE, counted: by, applied: by, ...drawn(meters, update, by, now) };
}

/** The amount, or what is left of quota and grants if that is less; at least 1, which does not fit where nothing is left. */
function atMostLeft(meters: CustomerMeters, update: CounterUpdate, now: number): number {
  const { by = 1, value, propertyId, sources = QUOTA_ONLY } = update;
  if (value.state !== 'metered') return by;
  const reading = meters.read(propertyId, windowIn(value.meter, update), now);
  const quotaLeft = value.meter.limit - quotaUsedOf(reading);
  const { overage } = splitAmount(by, 0, sources, quotaLeft, (grant) => reading.draws?.grants[grant] ?? 0);
  return Math.max(1, by - overage);
}

/** Only metered usage is drawn: what is unlimited needs no grant, and what is off has none. */
export function drawn(
  meters: CustomerMeters,
  update: CounterUpdate,
  amount: number,
  now: number,
): Partial<Change> {
  const { propertyId, value, sources, occurredAt } = update;
  if (sources === undefined || value.state !== 'metered' || value.meter.uniqueResourceIds) return {};
  const reading = meters.read(propertyId, windowIn(value.meter, update), now);
  const quotaLeft = value.meter.limit - quotaUsedOf(reading);
  const minute = minuteOf(occurredAt ?? now);
  return splitAmount(amount, minute, sources, quotaLeft, (grant) => reading.draws?.grants[grant] ?? 0);
}

/** Limited to the usage in the meter's window at an instant that this ledger knows; without a meter, to all usage. */
export function giveBack(
  meters: CustomerMeters,
  update: CounterUpdate,
  amount: number,
  at: number,
): Pick<Change, 'counted' | 'applied' | 'givenBack' | 'draws'> {
  const { propertyId, value, sources } = update;
  const reach = value.state === 'metered' ? reachOf(windowIn(value.meter, update), at) : ALL_TIME;
  const { givenBack, draws } = meters.usageToGiveBack(propertyId, reach, amount, sources);
  const counted = givenBack.reduce((sum, share) => sum - share.amount, 0);
  return { counted, applied: counted, givenBack, draws };
}

/** Whether an enforced update is accepted. */
export function fits(meters: CustomerMeters, update: CounterUpdate, change: Change, now: number): boolean {
  const { propertyId, value, resourceId, sources } = update;
  const isGivenBack = resourceId === undefined ? change.counted <= 0 : change.use?.isHeld !== true;
  if (isGivenBack || value.state === 'on') return true;
  if (value.state === 'off') return false;
  const meter = windowIn(value.meter, update);
  if (meter.uniqueResourceIds && isCounted(currentUse(change.uses), reachOf(meter, now))) return true;
  if (sources !== undefined && !meter.uniqueResourceIds) return change.overage === 0;
  const added = meter.uniqueResourceIds ? 1 : change.counted;
  return meters.read(propertyId, meter, now).used + added <= value.meter.limit;
}

/** Locations that count at once may exceed it together: what gives back is taken even then. */
export function isTooLarge(
  meters: CustomerMeters,
  { propertyId }: CounterUpdate,
  { counted }: Change,
): boolean {
  return counted > 0 && meters.total(propertyId) + counted > Number.MAX_SAFE_INTEGER;
}

function isCounted(use: ResourceUse | null, { from, to }: { from: number; to: number }): boolean {
  if (use === null || !use.isHeld) return false;
  const minute = minuteOf(use.at);
  return minute >= from && minute < to;
}

/** @param at when the usage occurred, epoch milliseconds */
export function count(
  meters: CustomerMeters,
  propertyId: string,
  { counted, givenBack, draws, use, uses }: Change,
  at: number,
  records: UpdateRecords,
): void {
  if (use !== null) {
    records.putUse(use, uses);
    meters.moveUse(propertyId, lastUsedAt(currentUse(uses)), lastUsedAt(use));
  }
  for (const { minute, amount } of givenBack) meters.revert(propertyId, records.origin, minute, amount);
  if (counted > 0) meters.add(propertyId, records.origin, at, counted);
  // After the total, so that whoever has a draw has its usage.
  meters.draw(propertyId, records.origin, draws);
}

/** What is read after the update. */
export function readWindowOf(update: CounterUpdate): MeterWindow | undefined {
  const { value, usageMeter } = update;
  return value.state === 'metered' ? windowIn(value.meter, update) : usageMeter;
}

/** The anchor is no part of the value, which is stored with the decision and the same for all customers of a plan. */
export function windowIn(meter: MeterWindow, { anchorAt, trialEndAt }: WindowAnchor): MeterWindow {
  return anchorAt === undefined ? meter : { ...meter, anchorAt, trialEndAt };
}

/** What a change has counted, as a part of a hold. */
export function partOf(
  { counted, draws }: Pick<Change, 'counted' | 'draws'>,
  sources: CounterUpdate['sources'],
  now: number,
): HoldPart {
  return { minute: minuteOf(now), amount: counted, taken: takenOf(counted, draws, sources) };
}
