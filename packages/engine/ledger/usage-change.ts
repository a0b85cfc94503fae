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
import { minuteOf, type Reach } from '../metering/bucket-widths.ts';
import { reachOf } from '../metering/read-window.ts';
import { windowOf } from '../metering/window-of.ts';
import { overageLimit } from '../values/kinds/overage.ts';
import type { Part } from './also-counts.ts';
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

const ALL_TIME: Reach = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const ALL_USAGE = { periodType: 'lifetime', uniqueResourceIds: false } as const;
export const NO_CHANGE: Change = {
  ...{ counted: 0, givenBack: [], draws: [], overage: 0, lost: 0 },
  ...{ applied: 0, use: null, uses: [] },
};
export const QUOTA_ONLY: readonly DrawSource[] = ['quota'];

/** A customer's part of an update, and what it counts on the entity's account, which has a limit of its own. */
export interface WithEntity extends Part {
  /** Undefined: the update counts on no entity's account. */
  readonly entitys?: Part | undefined;
}

export function addition(part: WithEntity, now: number): Change {
  const { by = 1, occurredAt = now } = part.update;
  if (by < 0) return { ...NO_CHANGE, ...giveBack(part, -by, occurredAt) };
  return { ...NO_CHANGE, counted: by, applied: by, ...drawn(part, by, now) };
}

/** The amount, or what is left of quota, grants and overage, and of the entity's limit and grants, if that is less. */
export function atMostLeft(part: WithEntity, now: number): number {
  const { meters, records, update } = part;
  const { by = 1, value, sources = QUOTA_ONLY } = update;
  const limit = entityLeft(part, now);
  if (value.state !== 'metered' && limit === Number.POSITIVE_INFINITY) return by;
  if (value.state === 'off') return by;
  const split = splitAmount(by, 0, sources, leftIn(part, now), limit);
  const more = value.state === 'on' ? 0 : overageLeft(meters, update, value.meter, now, records);
  return split.fitting + Math.max(0, Math.min(by - split.fitting, more, split.entityLeft));
}

/** Only limited usage is drawn: what is unlimited needs no grant, and what is off has none. */
export function drawn(part: WithEntity, amount: number, now: number): Pick<Change, 'draws' | 'overage'> {
  const { value, sources, occurredAt } = part.update;
  const limit = entityLeft(part, now);
  const isLimited = value.state === 'metered' || (value.state === 'on' && Number.isFinite(limit));
  const isUnique = value.state === 'metered' && value.meter.uniqueResourceIds;
  if (sources === undefined || !isLimited || isUnique) return { draws: [], overage: 0 };
  const minute = minuteOf(occurredAt ?? now);
  const { draws, overage } = splitAmount(amount, minute, sources, leftIn(part, now), limit);
  return { draws, overage };
}

/** What the limit of the entity leaves beside its grants; infinity without one. */
function entityLeft({ entitys }: WithEntity, now: number): number {
  if (entitys === undefined || entitys.update.value.state !== 'metered') return Number.POSITIVE_INFINITY;
  return Math.max(0, leftIn(entitys, now)('quota'));
}

/** What can be taken of a source. In an outage, an enforced update takes from this location's share of it. */
function leftIn({ meters, update, records }: Part, now: number): (source: DrawSource) => number {
  const { value, propertyId, enforce } = update;
  const window = value.state === 'metered' ? windowIn(value.meter, update) : ALL_USAGE;
  const reading = meters.read(propertyId, window, now);
  const limit = value.state === 'metered' ? value.meter.limit : Number.POSITIVE_INFINITY;
  const leftOf = (source: DrawSource) =>
    source === 'quota'
      ? limit - quotaUsedOf(reading)
      : source.amount - (reading.draws?.grants[source.grant] ?? 0);
  const { shares } = records;
  // Where any overage is allowed nothing is refused.
  const isRefusing = enforce && !(value.state === 'metered' && value.meter.overage === 'allow');
  if (shares === null || !isRefusing) return leftOf;
  return (source) => {
    const left = leftOf(source);
    return Number.isFinite(left) ? shares.leftOf(shareOf(meters, update, source, now), left) : left;
  };
}

/**
 * What an update counts on the account of an entity beside its customer's: as much, in the same minute, with all that it draws from the
 * entity's grants or gives back to them.
 *
 * @param change of the entity's part alone
 * @param owner the customer's part of the same property
 * @param given what it gives back; undefined: it says so itself
 */
export function entitysChange(
  part: Part,
  change: Change,
  owner: { readonly change: Change; readonly update: CounterUpdate },
  given: CountedPart | undefined,
  now: number,
): Change {
  const draws = entitysDraws(owner.change.draws, owner.update.sources);
  const back = draws.reduce((sum, { amount }) => sum - amount, 0);
  if (back <= 0) return draws.length === 0 ? change : { ...change, draws };
  const { by = -1, resourceId, occurredAt = now } = part.update;
  const rest = Math.max(0, -by - back);
  const other =
    given === undefined
      ? giveBack(part, rest, occurredAt)
      : giveBackOf(part.meters, { ...part.update, by: -rest }, given);
  const counted = other.counted - back;
  return {
    ...{ ...change, counted, draws, applied: resourceId === undefined ? counted : change.applied },
    givenBack: [...draws.map(({ minute, amount }) => ({ minute, amount: -amount })), ...other.givenBack],
  };
}

function entitysDraws(draws: readonly Draw[], sources: readonly DrawSource[] = []): readonly Draw[] {
  const entitys = new Set(sources.flatMap((each) => (isEntitys(each) ? [each.grant] : [])));
  return draws.filter(({ grant }) => entitys.has(grant));
}

function isEntitys(source: DrawSource): source is GrantSource {
  return source !== 'quota' && source.entity !== undefined;
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

/**
 * Limited to the usage in the meter's window at an instant that this ledger knows; without a meter, to all usage. What an entity's grants
 * have paid is given back first of all of the entity's usage that is as new: only its account tells that from usage of others.
 */
export function giveBack(
  { meters, update, entitys }: Omit<WithEntity, 'records'>,
  amount: number,
  at: number,
): Pick<Change, 'counted' | 'applied' | 'givenBack' | 'draws' | 'lost'> {
  const { propertyId, sources } = update;
  const reach = giveBackReach(update, at);
  const own =
    entitys === undefined || sources?.some(isEntitys) !== true
      ? []
      : entitys.meters.usageToGiveBack(
          propertyId,
          within(reach, giveBackReach(entitys.update, at)),
          amount,
          sources,
        ).draws;
  const paid = own.map(({ minute, amount: part }) => ({ minute, amount: -part }));
  const rest = paid.reduce((left, each) => left - each.amount, amount);
  const others = entitys === undefined ? sources : sources?.filter((each) => !isEntitys(each));
  const other = meters.usageToGiveBack(propertyId, reach, rest, others);
  const givenBack = [...paid, ...other.givenBack];
  const counted = givenBack.reduce((sum, share) => sum - share.amount, 0);
  return { counted, applied: counted, givenBack, draws: [...own, ...other.draws], lost: other.lost };
}

function giveBackReach(update: CounterUpdate, at: number): Reach {
  return update.value.state === 'metered' ? reachOf(windowIn(update.value.meter, update), at) : ALL_TIME;
}

function within(one: Reach, other: Reach): Reach {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
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
export function fits(part: Part, change: Change, now: number): boolean {
  const { meters, update, records } = part;
  const { value, resourceId, sources } = update;
  const isGivenBack = resourceId === undefined ? change.counted <= 0 : change.use?.isHeld !== true;
  if (isGivenBack || value.state === 'on') return true;
  if (value.state === 'off') return false;
  const meter = windowIn(value.meter, update);
  if (meter.uniqueResourceIds && isCounted(currentUse(change.uses), reachOf(meter, now))) return true;
  const added = change.draws.reduce(
    (rest, { amount }) => rest - amount,
    meter.uniqueResourceIds ? 1 : change.counted,
  );
  const overage =
    sources !== undefined && !meter.uniqueResourceIds
      ? change.overage
      : added - Math.max(0, leftIn(part, now)('quota'));
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
