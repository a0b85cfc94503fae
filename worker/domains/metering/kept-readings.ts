/**
 * Readings that an isolate keeps. Requests with `bounded` consistency use those of the last second, and every read falls back on the
 * last one if no ledger answers. Bounded readings are refreshed by ledger: a call that a request has to make anyway also reads for
 * the other customers of the same ledger object whose readings are in use and about to end. So an isolate calls each object about
 * once a second, however many customers it has.
 */
import type { LedgerRead } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Readings } from '#engine/entitlements/render-features';
import type { MeterReading } from '#engine/metering/read-meter';

const LIFE_MS = 1_000;
/** Without a ledger, a reading is used for so long, unless one of its meters resets before. */
const LAST_LIFE_MS = 24 * 3_600_000;
/** Younger readings are not worth reading again. */
const REFRESHED_AFTER_MS = 500;
/** Customers in one call: a millisecond or two of the object's time. */
const MAX_COMPANIONS = 100;
const MAX_CUSTOMERS = 10_000;
const MAX_LEDGERS = 1_000;

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
  readonly meter: Meter;
  readonly reading: MeterReading;
}

/** Changed in place: most checks of a metered customer keep what they have read. */
type Kept = { -readonly [Field in keyof CustomerReadings]: CustomerReadings[Field] } & {
  /** A bounded request has used these readings. */
  isUsed: boolean;
  /** By property: what earlier requests have read, for other features. */
  earlier: Map<string, LastReading> | null;
};

const kept = new BoundedCache<string, Kept>(MAX_CUSTOMERS / 2);
/** Readings of bounded requests, by name of the ledger object and by customer. */
const byLedger = new BoundedCache<string, Map<string, Kept>>(MAX_LEDGERS / 2);

/** Readings of at most a second ago; null if the isolate has none. */
export function recallReadings(
  environmentId: string,
  customer: string,
  now: number,
): CustomerReadings | null {
  const found = kept.get(`${environmentId} ${customer}`);
  if (found === undefined || now - found.at > LIFE_MS) return null;
  found.isUsed = true;
  return found;
}

/** The last readings of these meters; null if the isolate has none, or if one of the meters has been reset since. */
export function lastReadings(
  environmentId: string,
  customer: string,
  reads: readonly LedgerRead[],
  now: number,
): Readings | null {
  const found = kept.get(`${environmentId} ${customer}`);
  if (found === undefined) return null;
  const readings = new Map<string, MeterReading>();
  for (const { propertyId, meter } of reads) {
    const last = lastReading(found, propertyId);
    if (last === undefined || now - last.at > LAST_LIFE_MS || !isSameWindow(last.meter, meter)) return null;
    const { resetsAt = null } = last.reading;
    if (resetsAt !== null && resetsAt <= now) return null;
    readings.set(propertyId, last.reading);
  }
  return readings;
}

function lastReading({ at, reads, readings, earlier }: Kept, propertyId: string): LastReading | undefined {
  const read = reads.find((each) => each.propertyId === propertyId);
  const reading = readings.get(propertyId);
  return read && reading ? { at, meter: read.meter, reading } : earlier?.get(propertyId);
}

function isSameWindow(one: Meter, other: Meter): boolean {
  return (
    one.periodType === other.periodType &&
    one.periodLength === other.periodLength &&
    one.periodCount === other.periodCount &&
    one.uniqueResourceIds === other.uniqueResourceIds
  );
}

/** @param read answers may arrive in another order than the calls were made: the latest call counts */
export function keepReadings(environmentId: string, customer: string, read: CustomerReadings): void {
  keep(environmentId, customer, read);
}

/** As keepReadings, for a bounded request. @param ledger name of the object that was read */
export function keepBoundedReadings(
  ledger: string,
  environmentId: string,
  customer: string,
  read: CustomerReadings,
): void {
  const each = keep(environmentId, customer, read);
  each.isUsed = false;
  let ofLedger = byLedger.get(ledger);
  if (ofLedger === undefined) {
    ofLedger = new Map();
    byLedger.set(ledger, ofLedger);
  }
  ofLedger.set(customer, each);
}

function keep(environmentId: string, customer: string, read: CustomerReadings): Kept {
  const name = `${environmentId} ${customer}`;
  const known = kept.get(name);
  if (known === undefined) {
    const each = { ...read, isUsed: false, earlier: null };
    kept.set(name, each);
    return each;
  }
  if (known.at > read.at) return known;
  if (known.reads !== read.reads) {
    known.earlier ??= new Map();
    for (const { propertyId } of known.reads) {
      const last = lastReading(known, propertyId);
      if (last !== undefined) known.earlier.set(propertyId, last);
    }
  }
  return Object.assign(known, read);
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
  for (const [customer, each] of ofLedger ?? []) {
    const age = now - each.at;
    if (age <= REFRESHED_AFTER_MS) continue;
    const isDue = each.isUsed && each.reads === reads && age <= 2 * LIFE_MS;
    if (isDue && due.length >= MAX_COMPANIONS) continue;
    ofLedger?.delete(customer);
    if (isDue) due.push({ customer, factsVersion: each.factsVersion });
  }
  return due;
}
