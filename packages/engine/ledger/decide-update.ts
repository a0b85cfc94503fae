/**
 * Decides one counter update and counts it: is the idempotency key known, does the update fit the limit, what does it add. Limits are
 * decided and meters are read as of now, also for usage that occurred earlier; it counts where it occurred.
 * Runs synchronously inside the ledger's transaction, one update at a time.
 */
import type {
  CounterUpdate,
  Draw,
  KeyRecord,
  MeterWindow,
  ResourceUse,
  UpdateOutcome,
  WindowAnchor,
} from '#contracts/internal/ledger';
import { quotaUsedOf } from '../balances/read-balances.ts';
import { minuteOf } from '../metering/bucket-widths.ts';
import { lacksResourceId } from '../metering/lacks-resource-id.ts';
import { reachOf } from '../metering/read-window.ts';
import { winningDecision } from './conflicting-decisions.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { splitAmount } from './draws.ts';
import { currentUse, lastUsedAt } from './resource-use.ts';
import type { BucketShare } from './usage-to-give-back.ts';

/** Access to the customer's stored records. The implementation assigns versions on write. */
export interface UpdateRecords {
  /** The ledger's own origin. */
  readonly origin: string;
  /** The uses of all origins. */
  findUses(propertyId: string, resourceId: string): readonly ResourceUse[];
  /** @param others the resource's uses before this write */
  putUse(use: Unversioned<ResourceUse>, others: readonly ResourceUse[]): void;
  findKeys(text: string): readonly KeyRecord[];
  putKey(record: Unversioned<KeyRecord>): void;
}

export type Unversioned<Stored extends { readonly version: number }> = Omit<Stored, 'version'>;

/** The effect of an update, before it is counted. */
interface Change {
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
const NO_CHANGE: Change = {
  ...{ counted: 0, givenBack: [], draws: [], overage: 0 },
  ...{ applied: 0, use: null, uses: [] },
};
const NO_USE = { stamp: 0, at: 0, isHeld: false, key: null };

export function decideUpdate(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): UpdateOutcome {
  const { key, propertyId, value } = update;
  if (key !== undefined) {
    const known = winningDecision(records.findKeys(key.text), now);
    if (known !== null) return replay(known, key.bodyHash);
  }
  const window = readWindowOf(update);
  if (window !== undefined) meters.observe(propertyId, window);
  const isCountable = !lacksResourceId(update);
  const change = isCountable ? changeOf(meters, update, now, records) : NO_CHANGE;
  // Locations that count at once may exceed it together: what gives back is taken even then.
  const isTooLarge = meters.total(propertyId) + change.counted > Number.MAX_SAFE_INTEGER;
  if (change.counted > 0 && isTooLarge) return { kind: 'too-large' };

  // Without a limit nobody is kept out for what cannot be counted.
  const isUnlimited = value.state === 'on' || (value.state === 'off' && !update.enforce);
  const accepted = isCountable ? !update.enforce || fits(meters, update, change, now) : isUnlimited;
  const at = update.occurredAt ?? now;
  if (accepted) count(meters, propertyId, change, at, records);
  const applied = accepted ? change.applied : 0;
  const reading = window === undefined ? null : meters.read(propertyId, window, now);
  if (key !== undefined) {
    records.putKey({
      text: key.text,
      bodyHash: key.bodyHash,
      origin: records.origin,
      at: now,
      accepted,
      applied,
      value,
      reading,
      propertyId,
      counted: accepted ? change.counted : 0,
      minute: minuteOf(at),
      ...(change.givenBack.length > 0 && { givenBack: change.givenBack }),
      ...(accepted && change.draws.length > 0 && { draws: change.draws }),
      holdChange: accepted ? changeOfUse(change) : null,
      isReverted: false,
    });
  }
  const draws = accepted && change.draws.length > 0 ? { draws: change.draws } : undefined;
  return { kind: 'decided', accepted, replayed: false, applied, at: now, value, reading, ...draws };
}

function replay(known: KeyRecord, bodyHash: string): UpdateOutcome {
  if (known.bodyHash !== bodyHash) return { kind: 'conflict' };
  const { accepted, applied, at, value, reading, draws } = known;
  const drawn = draws && { draws };
  return { kind: 'decided', accepted, replayed: true, applied, at, value, reading, ...drawn };
}

function changeOf(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): Change {
  return update.resourceId === undefined
    ? addition(meters, update, now)
    : resourceChange(meters, update, update.resourceId, now, records);
}

function addition(meters: CustomerMeters, update: CounterUpdate, now: number): Change {
  const { by = 1, occurredAt = now } = update;
  if (by < 0) return { ...NO_CHANGE, ...giveBack(meters, update, -by, occurredAt) };
  return { ...NO_CHANGE, counted: by, applied: by, ...drawn(meters, update, by, now) };
}

/** Only metered usage is drawn: what is unlimited needs no grant, and what is off has none. */
function drawn(meters: CustomerMeters, update: CounterUpdate, amount: number, now: number): Partial<Change> {
  const { propertyId, value, sources, occurredAt } = update;
  if (sources === undefined || value.state !== 'metered') return {};
  const reading = meters.read(propertyId, windowIn(value.meter, update), now);
  const quotaLeft = value.meter.limit - quotaUsedOf(reading);
  const minute = minuteOf(occurredAt ?? now);
  return splitAmount(amount, minute, sources, quotaLeft, (grant) => reading.draws?.grants[grant] ?? 0);
}

/** Limited to the usage in the meter's window at an instant that this ledger knows; without a meter, to all usage. */
function giveBack(
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

/** A release is written even if the resource is not in use here: another location may know of a use. */
function resourceChange(
  meters: CustomerMeters,
  update: CounterUpdate,
  resourceId: string,
  now: number,
  records: UpdateRecords,
): Change {
  const { propertyId, release = false, key, occurredAt = now } = update;
  const uses = records.findUses(propertyId, resourceId);
  const before = currentUse(uses);
  const isInUse = before?.isHeld === true;
  const use = {
    propertyId,
    resourceId,
    // Must win over every known use, even one written by a clock that runs ahead.
    stamp: before === null ? now : Math.max(now, before.stamp + 1),
    at: before === null || !isInUse ? occurredAt : Math.max(occurredAt, before.at),
    origin: records.origin,
    isHeld: !release,
    key: key?.text ?? null,
  };
  if (!release)
    return {
      ...NO_CHANGE,
      counted: 1,
      applied: isInUse ? 0 : 1,
      ...drawn(meters, update, 1, now),
      use,
      uses,
    };
  if (!isInUse) return { ...NO_CHANGE, use, uses };
  return { ...NO_CHANGE, ...giveBack(meters, update, 1, occurredAt), applied: -1, use, uses };
}

function fits(meters: CustomerMeters, update: CounterUpdate, change: Change, now: number): boolean {
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

function isCounted(use: ResourceUse | null, { from, to }: { from: number; to: number }): boolean {
  if (use === null || !use.isHeld) return false;
  const minute = minuteOf(use.at);
  return minute >= from && minute < to;
}

/** @param at when the usage occurred, epoch milliseconds */
function count(
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

function changeOfUse({ use, uses }: Change): KeyRecord['holdChange'] {
  if (use === null) return null;
  const own = uses.find((each) => each.origin === use.origin);
  const { stamp, at, isHeld, key } = own ?? NO_USE;
  return { resourceId: use.resourceId, stamp: use.stamp, before: { stamp, at, isHeld, key } };
}

/** What is read after the update. */
function readWindowOf(update: CounterUpdate): MeterWindow | undefined {
  const { value, usageMeter } = update;
  return value.state === 'metered' ? windowIn(value.meter, update) : usageMeter;
}

/** The anchor is no part of the value, which is stored with the decision and the same for all customers of a plan. */
function windowIn(meter: MeterWindow, { anchorAt, trialEndAt }: WindowAnchor): MeterWindow {
  return anchorAt === undefined ? meter : { ...meter, anchorAt, trialEndAt };
}
