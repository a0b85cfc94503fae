/** What an update changes in a customer's meters: computed first, and counted once it is accepted. */
import type {
  CountedPart,
  CounterUpdate,
  Draw,
  DrawSource,
  GrantSource,
  MeterWindow,
  ResourceUse,
  WindowAnchor,
} from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { quotaUsedOf } from '../balances/read-balances.ts';
import { minuteOf } from '../metering/bucket-widths.ts';
import { reachOf } from '../metering/read-window.ts';
import { windowOf } from '../metering/window-of.ts';
import { overageLimit } from '../values/kinds/overage.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { splitAmount } from './draws.ts';
import { type HoldPart, takenOf } from './holds.ts';
import type { ShareOf } from './outage-shares.ts';
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
  /** Of a give-back: what stays, because of grants that are no sources any more. */
  readonly lost: number;
  /** The ledger's own use after the update; null if the update changes none. */
  readonly use: Unversioned<ResourceUse> | null;
  /** The resource's uses before the update. */
  readonly uses: readonly ResourceUse[];
  /** Reported to the caller as added. */
  readonly applied: number;
}

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
export const NO_CHANGE: Change = {
  ...{ counted: 0, givenBack: [], draws: [], overage: 0, lost: 0 },
  ...{ applied: 0, use: null, uses: [] },
};
export const QUOTA_ONLY: readonly DrawSource[] = ['quota'];

export function addition(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): Change {
  const { by = 1, occurredAt = now } = update;
  if (by < 0) return { ...NO_CHANGE, ...giveBack(meters, update, -by, occurredAt) };
  return { ...NO_CHANGE, counted: by, applied: by, ...drawn(meters, update, by, now, records) };
}

/** The amount, or what is left of quota, grants and overage if that is less. */
export function atMostLeft(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): number {
  const { by = 1, value, sources = QUOTA_ONLY } = update;
  if (value.state !== 'metered') return by;
  const { overage } = splitAmount(by, 0, sources, leftIn(meters, update, value.meter, now, records));
  return by - Math.max(0, overage - overageLeft(meters, update, value.meter, now, records));
}

/** Only metered usage is drawn: what is unlimited needs no grant, and what is off has none. */
export function drawn(
  meters: CustomerMeters,
  update: CounterUpdate,
  amount: number,
  now: number,
  records: UpdateRecords,
): Partial<Change> {
  const { value, sources, occurredAt } = update;
  if (sources === undefined || value.state !== 'metered' || value.meter.uniqueResourceIds) return {};
  const minute = minuteOf(occurredAt ?? now);
  return splitAmount(amount, minute, sources, leftIn(meters, update, value.meter, now, records));
}

/** What can be taken of a source. In an outage, an enforced update takes from this location's share of it. */
function leftIn(
  meters: CustomerMeters,
  update: CounterUpdate,
  meter: Meter,
  now: number,
  { shares }: UpdateRecords,
): (source: DrawSource) => number {
  const reading = meters.read(update.propertyId, windowIn(meter, update), now);
  const leftOf = (source: DrawSource) =>
    source === 'quota'
      ? meter.limit - quotaUsedOf(reading)
      : source.amount - (reading.draws?.grants[source.grant] ?? 0);
  // Where any overage is allowed nothing is refused.
  if (shares === null || !update.enforce || meter.overage === 'allow') return leftOf;
  return (source) => shares.leftOf(shareOf(meters, update, source, now), leftOf(source));
}

/** How much more an enforced update may count above quota and grants: 0 unless the meter allows it. In an outage, this location's share. */
function overageLeft(
  meters: CustomerMeters,
  update: CounterUpdate,
  meter: Meter,
  now: number,
  { shares }: UpdateRecords,
): number {
  const most = overageLimit(meter.overage);
  if (!Number.isFinite(most) || most === 0) return most;
  const reading = meters.read(update.propertyId, windowIn(meter, update), now);
  const left = Math.max(0, most - Math.max(0, quotaUsedOf(reading) - meter.limit));
  return shares === null ? left : shares.leftOf(shareOf(meters, update, OVERAGE, now), left);
}

const OVERAGE = 'overage';

function shareOf(
  { identifier }: CustomerMeters,
  update: CounterUpdate,
  source: DrawSource | typeof OVERAGE,
  now: number,
): ShareOf {
  const { propertyId, value } = update;
  const named = { customer: identifier, propertyId };
  if (typeof source === 'object') return { ...named, grant: source.grant, until: null };
  const grant = source === 'quota' ? null : source;
  const until = value.state === 'metered' ? windowOf(windowIn(value.meter, update), now).resetsAt : null;
  return { ...named, grant, until };
}

/** In an outage: what was taken is no longer this location's share. @param amount negative: given back */
export function takeShare(
  meters: CustomerMeters,
  update: CounterUpdate,
  { amount, grant }: { readonly amount: number; readonly grant: string | null },
  now: number,
  { shares }: UpdateRecords,
): void {
  if (shares === null) return;
  const source = grant === null ? 'quota' : { grant, amount: 0 };
  const beyond = shares.take(shareOf(meters, update, source, now), amount);
  if (grant === null && beyond > 0) shares.take(shareOf(meters, update, OVERAGE, now), beyond);
}

/**
 * Counts what is used above quota and grants in the window as drawn from a grant, as far as that lasts: where it was counted, the newest
 * first, so that it leaves a window with its usage. Usage stays as it is. What is only held is not paid.
 */
export function overagePayment(
  meters: CustomerMeters,
  update: CounterUpdate,
  { grant, amount }: GrantSource,
  now: number,
): Change {
  const { propertyId, value } = update;
  if (value.state !== 'metered' || value.meter.uniqueResourceIds) return NO_CHANGE;
  const meter = windowIn(value.meter, update);
  const reading = meters.read(propertyId, meter, now);
  const overage = quotaUsedOf(reading) - value.meter.limit;
  let rest = Math.min(overage, amount - (reading.draws?.grants[grant] ?? 0));
  if (rest <= 0) return NO_CHANGE;
  const { givenBack } = meters.usageToGiveBack(propertyId, reachOf(meter, now), reading.used, QUOTA_ONLY);
  const draws: Draw[] = [];
  for (const { minute, amount: used } of givenBack) {
    const part = Math.min(rest, used);
    if (part === 0) break;
    draws.push({ grant, minute, amount: part });
    rest -= part;
  }
  return { ...NO_CHANGE, draws, applied: draws.reduce((sum, each) => sum + each.amount, 0) };
}

/** Limited to the usage in the meter's window at an instant that this ledger knows; without a meter, to all usage. */
export function giveBack(
  meters: CustomerMeters,
  update: CounterUpdate,
  amount: number,
  at: number,
): Pick<Change, 'counted' | 'applied' | 'givenBack' | 'draws' | 'lost'> {
  const { propertyId, value, sources } = update;
  const reach = value.state === 'metered' ? reachOf(windowIn(value.meter, update), at) : ALL_TIME;
  const { givenBack, draws, lost } = meters.usageToGiveBack(propertyId, reach, amount, sources);
  const counted = givenBack.reduce((sum, share) => sum - share.amount, 0);
  return { counted, applied: counted, givenBack, draws, lost };
}

/** Of what one decision counted; all of it by default. */
export function giveBackOf(meters: CustomerMeters, update: CounterUpdate, of: CountedPart): Change {
  const { propertyId, by = -of.counted, sources } = update;
  const amount = Math.min(-by, of.counted);
  const { givenBack, draws, lost } = meters.partToGiveBack(propertyId, of, amount, sources);
  const counted = givenBack.reduce((sum, share) => sum - share.amount, 0);
  return { ...NO_CHANGE, counted, applied: counted, givenBack, draws, lost };
}

/** Whether an enforced update is accepted. */
export function fits(
  meters: CustomerMeters,
  update: CounterUpdate,
  change: Change,
  now: number,
  records: UpdateRecords,
): boolean {
  const { value, resourceId, sources } = update;
  const isGivenBack = resourceId === undefined ? change.counted <= 0 : change.use?.isHeld !== true;
  if (isGivenBack || value.state === 'on') return true;
  if (value.state === 'off') return false;
  const meter = windowIn(value.meter, update);
  if (meter.uniqueResourceIds && isCounted(currentUse(change.uses), reachOf(meter, now))) return true;
  const added = meter.uniqueResourceIds ? 1 : change.counted;
  const overage =
    sources !== undefined && !meter.uniqueResourceIds
      ? change.overage
      : added - Math.max(0, leftIn(meters, update, value.meter, now, records)('quota'));
  return overage <= 0 || overage <= overageLeft(meters, update, value.meter, now, records);
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

export function count(
  meters: CustomerMeters,
  update: CounterUpdate,
  { counted, givenBack, draws, use, uses, applied }: Change,
  now: number,
  records: UpdateRecords,
): void {
  const { propertyId, occurredAt: at = now } = update;
  if (use !== null) {
    records.putUse(use, uses);
    meters.moveUse(propertyId, lastUsedAt(currentUse(uses)), lastUsedAt(use));
  }
  for (const { minute, amount } of givenBack) meters.revert(propertyId, records.origin, minute, amount);
  if (counted > 0) meters.add(propertyId, records.origin, at, counted);
  // After the total, so that whoever has a draw has its usage.
  meters.draw(propertyId, records.origin, draws);
  if (records.shares === null) return;
  let onQuota = use === null ? counted : applied;
  for (const { grant, amount } of draws) {
    onQuota -= amount;
    takeShare(meters, update, { grant, amount }, now, records);
  }
  takeShare(meters, update, { grant: null, amount: onQuota }, now, records);
}

/** What is read after the update. */
export function readWindowOf(
  update: Pick<CounterUpdate, 'value' | 'usageMeter' | keyof WindowAnchor>,
): MeterWindow | undefined {
  const { value, usageMeter } = update;
  return value.state === 'metered' ? windowIn(value.meter, update) : usageMeter;
}

/** The anchor is no part of the value, which is stored with the decision and the same for all customers of a plan. */
export function windowIn(meter: MeterWindow, { anchorAt, trialEndAt }: WindowAnchor): MeterWindow {
  return anchorAt === undefined ? meter : { ...meter, anchorAt, trialEndAt };
}

/** What a change has counted, as a part of a hold. */
export function partOf(
  { counted, draws, overage }: Pick<Change, 'counted' | 'draws' | 'overage'>,
  sources: CounterUpdate['sources'],
  now: number,
): HoldPart {
  return { minute: minuteOf(now), amount: counted, taken: takenOf(counted, draws, sources, overage) };
}
