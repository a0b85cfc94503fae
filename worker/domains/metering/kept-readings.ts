/**
 * Readings that an isolate keeps. Requests with `bounded` consistency use those of the last second, and every read falls back on the
 * last one if no ledger answers. Bounded readings are refreshed by ledger: a call that a request has to make anyway also reads for
 * the other customers of the same ledger object whose readings are in use and about to end. So an isolate calls each object about
 * once a second, however many customers it has.
 */
import type { LedgerRead, MeterWindow } from '#contracts/internal/ledger';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Readings } from '#engine/entitlements/render-features';
import { freshnessOf } from '#engine/freshness';
import type { MeterReading } from '#engine/metering/read-meter';
import { readingKey } from '#engine/metering/reading-key';
import { windowOf } from '#engine/metering/window-of';

const LIFE_MS = 1_000;
/** Younger readings are not worth reading again. */
const REFRESHED_AFTER_MS = 500;
/** Customers in one call: a millisecond or two of the object's time. */
const MAX_COMPANIONS = 100;
/** About 10 MB: 10,000 customers of six readings each, or 1,000 of a hundred. */
const MAX_WEIGHT = 100_000;
/** What is kept for a customer beside its readings, in readings. */
const CUSTOMER_WEIGHT = 4;
const MAX_LEDGERS = 1_000;

const UNUSED: MeterReading = { used: 0 };

/** In a new window nothing was used, but balances have no windows. */
function unused({ draws }: MeterReading): MeterReading {
  return draws === undefined ? UNUSED : { used: 0, draws: { ...draws, inWindow: 0 } };
}

/** What was read for a customer. */
export interface CustomerReadings {
  /** When the call was made, epoch milliseconds. */
  readonly at: number;
  readonly reads: readonly LedgerRead[];
  readonly readings: Readings;
  /** The version of the customer facts that the ledger confirmed with the readings. */
  readonly factsVersion: number | undefined;
}

interface LastReading {
  readonly at: number;
  readonly meter: MeterWindow;
  readonly reading: MeterReading;
}

/** Changed in place: most checks of a metered customer keep what they have read. */
type Kept = { -readonly [Field in keyof CustomerReadings]: CustomerReadings[Field] } & {
  /** A bounded request has used these readings. */
  isUsed: boolean;
  /** By property: what earlier requests have read, for other features. */
  earlier: Map<string, LastReading> | null;
  /** In the cache: changed only while the entry is not in it. */
  weight: number;
};

const kept = new BoundedCache<string, Kept>(MAX_WEIGHT / 2, (_name, { weight }) => weight);
/** Names in `kept` of what bounded requests have read, by name of the ledger object and by customer. */
const byLedger = new BoundedCache<string, Map<string, string>>(MAX_LEDGERS / 2);

const nameOf = (environmentId: string, customer: string) => `${environmentId} ${customer}`;

/** Readings of at most a second ago; null if the isolate has none. */
export function recallReadings(
  environmentId: string,
  customer: string,
  now: number,
): CustomerReadings | null {
  const found = kept.get(nameOf(environmentId, customer));
  if (found === undefined || now - found.at > LIFE_MS) return null;
  found.isUsed = true;
  return found;
}

/**
 * The last readings of these meters, as far as the isolate has any. One whose window has begun since is 0: a calendar meter has been
 * reset, and all that was read has left a trailing window.
 */
export function lastReadings(
  environmentId: string,
  customer: string,
  reads: readonly LedgerRead[],
  now: number,
): Readings {
  const readings = new Map<string, MeterReading>();
  const found = kept.get(nameOf(environmentId, customer));
  if (found === undefined) return readings;
  const latest = new Map(found.reads.map((read) => [readingKey(read), read.meter]));
  for (const read of reads) {
    const { meter } = read;
    const key = readingKey(read);
    const known = latest.get(key);
    const reading = found.readings.get(key);
    const isLatest = known !== undefined && reading !== undefined && isSameWindow(known, meter);
    const last = isLatest ? { at: found.at, meter, reading } : found.earlier?.get(key);
    if (last === undefined || !isSameWindow(last.meter, meter)) continue;
    if (freshnessOf('usage', last.at, now) === 'lost') continue;
    readings.set(key, windowOf(meter, now).startsAt > last.at ? unused(last.reading) : last.reading);
  }
  return readings;
}

function isSameWindow(one: MeterWindow, other: MeterWindow): boolean {
  return (
    one.periodType === other.periodType &&
    one.periodLength === other.periodLength &&
    one.periodCount === other.periodCount &&
    one.anchorAt === other.anchorAt &&
    one.trialEndAt === other.trialEndAt &&
    one.zone === other.zone &&
    one.uniqueResourceIds === other.uniqueResourceIds
  );
}

/** @param read answers may arrive in another order than the calls were made: the latest call counts */
export function keepReadings(environmentId: string, customer: string, read: CustomerReadings): void {
  keep(nameOf(environmentId, customer), read);
}

/** As keepReadings, for a bounded request. @param ledger name of the object that was read */
export function keepBoundedReadings(
  ledger: string,
  environmentId: string,
  customer: string,
  read: CustomerReadings,
): void {
  const name = nameOf(environmentId, customer);
  keep(name, read).isUsed = false;
  let ofLedger = byLedger.get(ledger);
  if (ofLedger === undefined) {
    ofLedger = new Map();
    byLedger.set(ledger, ofLedger);
  }
  ofLedger.set(customer, name);
}

function keep(name: string, read: CustomerReadings): Kept {
  const known = kept.get(name);
  if (known === undefined) {
    const weight = CUSTOMER_WEIGHT + read.readings.size;
    const each = { ...read, isUsed: false, earlier: null, weight };
    kept.set(name, each);
    return each;
  }
  if (known.at > read.at) return known;
  if (known.reads === read.reads) return Object.assign(known, read);
  if (!covers(read.reads, known.reads)) setAside(known);
  const weight = CUSTOMER_WEIGHT + read.readings.size + (known.earlier?.size ?? 0);
  if (weight === known.weight) return Object.assign(known, read);
  kept.delete(name);
  Object.assign(known, read, { weight });
  kept.set(name, known);
  return known;
}

/** Whether all earlier reads are among the later ones, with the same windows. Both are in the order of the deployed version. */
function covers(later: readonly LedgerRead[], earlier: readonly LedgerRead[]): boolean {
  let place = 0;
  for (const { propertyId, meter, ofEntity } of earlier) {
    while (place < later.length && !isRead(later[place], propertyId, ofEntity)) place++;
    const same = later[place++];
    if (same === undefined || !isSameWindow(same.meter, meter)) return false;
  }
  return true;
}

function isRead(read: LedgerRead | undefined, propertyId: string, ofEntity: true | undefined): boolean {
  return read?.propertyId === propertyId && read.ofEntity === ofEntity;
}

/** Keeps readings that the next ones may lack. */
function setAside(known: Kept): void {
  known.earlier ??= new Map();
  for (const read of known.reads) {
    const { meter } = read;
    const reading = known.readings.get(readingKey(read));
    if (reading !== undefined) known.earlier.set(readingKey(read), { at: known.at, meter, reading });
  }
}

/** Another customer of a ledger object, whose readings a call should refresh. */
export interface DueReadings {
  readonly customer: string;
  readonly factsVersion: number | undefined;
}

/**
 * Readings of a ledger object that a call of it should refresh. They are given out once, so that concurrent calls do not
 * refresh the same ones. Those that nobody has used are no longer refreshed.
 */
export function takeDueReadings(
  ledger: string,
  reads: readonly LedgerRead[],
  now: number,
): readonly DueReadings[] {
  const due: DueReadings[] = [];
  const ofLedger = byLedger.get(ledger);
  for (const [customer, name] of ofLedger ?? []) {
    const each = kept.get(name);
    const age = each === undefined ? Number.POSITIVE_INFINITY : now - each.at;
    if (age <= REFRESHED_AFTER_MS) continue;
    const isDue = each?.isUsed && each.reads === reads && age <= 2 * LIFE_MS;
    if (isDue && due.length >= MAX_COMPANIONS) continue;
    ofLedger?.delete(customer);
    if (isDue) due.push({ customer, factsVersion: each.factsVersion });
  }
  return due;
}
