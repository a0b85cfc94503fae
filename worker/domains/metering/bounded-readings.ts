/**
 * Readings that an isolate keeps for a second, for `bounded` requests. They are refreshed by ledger: a call that a request has
 * to make anyway also reads for the other customers of the same ledger object whose readings are in use and about to end. So an
 * isolate calls each object about once a second, however many customers it has.
 */
import type { LedgerRead } from '#contracts/internal/ledger';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Readings } from '#engine/entitlements/render-features';

const LIFE_MS = 1_000;
/** Younger readings are not worth reading again. */
const REFRESHED_AFTER_MS = 500;
/** Customers in one call: a millisecond or two of the object's time. */
const MAX_COMPANIONS = 100;
const MAX_CUSTOMERS = 10_000;
const MAX_LEDGERS = 1_000;

/** What was read for a customer. */
export interface CustomerReadings {
  readonly environmentId: string;
  readonly customer: string;
  /** When the call was made, epoch milliseconds. */
  readonly at: number;
  readonly reads: readonly LedgerRead[];
  readonly readings: Readings;
  /** The version of the customer facts that the ledger confirmed with the readings. */
  readonly factsVersion: number | undefined;
}

interface Kept extends CustomerReadings {
  /** A request has used these readings. */
  isUsed: boolean;
}

const kept = new BoundedCache<string, Kept>(MAX_CUSTOMERS / 2);
/** By name of the ledger object. */
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

/** @param ledger name of the object that was read */
export function keepReadings(ledger: string, read: CustomerReadings): void {
  const each: Kept = { ...read, isUsed: false };
  kept.set(`${read.environmentId} ${read.customer}`, each);
  let ofLedger = byLedger.get(ledger);
  if (ofLedger === undefined) {
    ofLedger = new Map();
    byLedger.set(ledger, ofLedger);
  }
  ofLedger.set(read.customer, each);
}

/**
 * Readings of a ledger object that a call of it should refresh. They are given out once, so that concurrent calls do not
 * refresh the same ones. Those that nobody has used are no longer refreshed.
 */
export function takeDueReadings(
  ledger: string,
  reads: readonly LedgerRead[],
  now: number,
): readonly CustomerReadings[] {
  const due: CustomerReadings[] = [];
  const ofLedger = byLedger.get(ledger);
  for (const [customer, each] of ofLedger ?? []) {
    const age = now - each.at;
    if (age <= REFRESHED_AFTER_MS) continue;
    const isDue = each.isUsed && each.reads === reads && age <= 2 * LIFE_MS;
    if (isDue && due.length >= MAX_COMPANIONS) continue;
    ofLedger?.delete(customer);
    if (isDue) due.push(each);
  }
  return due;
}
