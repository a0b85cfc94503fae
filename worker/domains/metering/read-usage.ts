/**
 * Reads the usage behind an answer's meters. An isolate keeps readings for one second for `bounded` requests
 * (kept-readings.ts). If no ledger answers, the pipeline falls back on the last ones.
 */
import type { FactsUpdate } from '#contracts/internal/customer-facts';
import type { LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import type { Readings } from '#engine/entitlements/render-features';
import { log } from '#runtime/log';
import type { Env } from '#worker/env';
import {
  callLedger,
  type LedgerRequest,
  type LedgerResult,
  LedgerUnavailable,
  nearestLedger,
} from './call-ledger.ts';
import {
  keepBoundedReadings,
  keepReadings,
  lastReadings,
  recallReadings,
  takeDueReadings,
} from './kept-readings.ts';

export type Consistency = 'bounded' | 'local' | 'strict';

export interface Usage {
  readonly readings: Readings;
  /** The location that was read; null if served from the cache, or if no ledger answered. */
  readonly location: Location | null;
  /** Set if the ledger has other facts than the request used. */
  readonly factsUpdate?: FactsUpdate | undefined;
  /** Set if no ledger answered: there are no readings. */
  readonly failure?: LedgerUnavailable | undefined;
  readonly warnings: readonly Warning[];
}

export interface UsageRequest extends Omit<LedgerRequest, 'updates' | 'isStrict'> {
  readonly consistency: Consistency;
}

export type RecallRequest = Pick<LedgerRequest, 'customer' | 'reads' | 'now' | 'facts'>;

const NO_READINGS: Readings = new Map();
const NONE: readonly never[] = [];
const INCOMPLETE: readonly Warning[] = [warningOf('usage-incomplete')];

/** Readings of up to a second ago, with the same facts; null if the isolate has none. */
export function recallUsage(
  { environmentId }: EnvironmentSnapshot,
  { customer, reads, now, facts }: RecallRequest,
): Readings | null {
  const known = recallReadings(environmentId, customer, now);
  if (known === null || known.factsVersion !== facts?.version) return null;
  const hasAll = known.reads === reads || reads.every(({ propertyId }) => known.readings.has(propertyId));
  return hasAll ? known.readings : null;
}

/** The last readings of these meters, of up to a day ago, as far as the isolate has any. */
export function recallLastUsage(
  { environmentId }: EnvironmentSnapshot,
  { customer, reads, now }: Pick<LedgerRequest, 'customer' | 'reads' | 'now'>,
): Readings {
  return lastReadings(environmentId, customer, reads, now);
}

export async function readUsage(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: UsageRequest,
): Promise<Usage> {
  const { reads, consistency } = request;
  const known = consistency === 'bounded' ? recallUsage(snapshot, request) : null;
  if (known !== null) return { readings: known, location: null, warnings: NONE };
  try {
    const isStrict = consistency === 'strict';
    const result =
      consistency === 'bounded'
        ? await readBounded(env, snapshot, request)
        : await readNow(env, snapshot, { ...request, isStrict, updates: NONE });
    const { location, factsUpdate } = result;
    const warnings = result.isWhole ? NONE : INCOMPLETE;
    return { readings: byProperty(reads, result.readings), location, factsUpdate, warnings };
  } catch (failure) {
    if (!(failure instanceof LedgerUnavailable)) throw failure;
    log.warn('usage could not be read', { environmentId: snapshot.environmentId, error: failure });
    return { readings: NO_READINGS, location: null, failure, warnings: NONE };
  }
}

async function readNow(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
): Promise<LedgerResult> {
  const result = await callLedger(env, snapshot, request);
  const { customer, reads, now, facts } = request;
  if (reads.length > 0 && result.isWhole && result.factsUpdate === undefined) {
    const readings = byProperty(reads, result.readings);
    keepReadings(snapshot.environmentId, customer, {
      at: now,
      reads,
      readings,
      factsVersion: facts?.version,
    });
  }
  return result;
}

/** Keeps what was read: for the customer, and for others whose readings of the same ledger object were due. */
async function readBounded(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: UsageRequest,
): Promise<LedgerResult> {
  const { environmentId } = snapshot;
  const { customer, reads, now, facts } = request;
  const ledger = nearestLedger(snapshot, request);
  const due = takeDueReadings(ledger, reads, now).filter((each) => each.customer !== customer);
  const result = await callLedger(env, snapshot, {
    ...request,
    isStrict: false,
    updates: NONE,
    companions: due.map((each) => ({ customer: each.customer, factsVersion: each.factsVersion })),
  });
  const keep = (of: string, readings: readonly LedgerReading[], factsVersion: number | undefined) =>
    keepBoundedReadings(ledger, environmentId, of, {
      at: now,
      factsVersion,
      reads,
      readings: byProperty(reads, readings),
    });
  for (const [index, each] of due.entries()) {
    const readings = result.companions[index];
    if (readings) keep(each.customer, readings, each.factsVersion);
  }
  if (result.isWhole && result.factsUpdate === undefined) keep(customer, result.readings, facts?.version);
  return result;
}

interface ByProperty {
  readonly reads: readonly LedgerRead[];
  readonly readings: Readings;
}

const byReadings = new WeakMap<readonly LedgerReading[], ByProperty>();

/** One result for the same lists, so that what is rendered from it can be remembered. @param readings one per read */
export function byProperty(reads: readonly LedgerRead[], readings: readonly LedgerReading[]): Readings {
  const known = byReadings.get(readings);
  if (known?.reads === reads) return known.readings;
  const found = new Map<string, LedgerReading>();
  for (const [index, { propertyId }] of reads.entries()) {
    const reading = readings[index];
    if (reading !== undefined) found.set(propertyId, reading);
  }
  byReadings.set(readings, { reads, readings: found });
  return found;
}
