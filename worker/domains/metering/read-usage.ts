/**
 * Reads the usage behind an answer's meters. An isolate caches readings for one second for `bounded` requests. If no
 * ledger answers, the answer has no usage and a warning.
 */
import type { FactsUpdate } from '#contracts/internal/customer-facts';
import type { LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Readings } from '#engine/entitlements/render-features';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { callLedger, type LedgerRequest } from './call-ledger.ts';

export type Consistency = 'bounded' | 'local' | 'strict';

export interface Usage {
  readonly readings: Readings;
  /** The location that was read; null if served from the cache, or if no ledger answered. */
  readonly location: Location | null;
  /** Set if the ledger has other facts than the request used. */
  readonly factsUpdate?: FactsUpdate | undefined;
  readonly warnings: readonly Warning[];
}

export interface UsageRequest extends Omit<LedgerRequest, 'updates' | 'isStrict'> {
  readonly consistency: Consistency;
}

export type RecallRequest = Pick<LedgerRequest, 'customer' | 'reads' | 'now' | 'facts'>;

interface CachedReadings {
  readonly at: number;
  readonly readings: Readings;
  /** The version of the facts that were confirmed with the readings. */
  readonly factsVersion: number | undefined;
}

const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
const NO_READINGS: Readings = new Map();
const NONE: readonly never[] = [];
const INCOMPLETE: readonly Warning[] = [warningOf('usage-incomplete')];
const UNKNOWN: readonly Warning[] = [warningOf('usage-unknown')];
const NOTHING_KNOWN: readonly Warning[] = [...UNKNOWN, warningOf('customer-facts-unknown')];

const cache = new BoundedCache<string, CachedReadings>(MAX_CACHED / 2);

/** Readings of up to a second ago, with the same facts; null if the isolate has none. */
export function recallUsage(snapshot: EnvironmentSnapshot, request: RecallRequest): Readings | null {
  const known = cache.get(nameOf(snapshot, request));
  if (known === undefined || request.now - known.at > CACHE_MS || !hasAll(known, request)) return null;
  return known.readings;
}

export async function readUsage(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: UsageRequest,
): Promise<Usage> {
  const { reads, now, consistency } = request;
  const known = consistency === 'bounded' ? recallUsage(snapshot, request) : null;
  if (known !== null) return { readings: known, location: null, warnings: NONE };
  try {
    const isStrict = consistency === 'strict';
    const result = await callLedger(env, snapshot, { ...request, isStrict, updates: [] });
    const readings = byProperty(reads, result.readings);
    const { location, factsUpdate } = result;
    if (consistency === 'bounded' && factsUpdate === undefined) {
      cache.set(nameOf(snapshot, request), { at: now, readings, factsVersion: request.facts?.version });
    }
    return { readings, location, factsUpdate, warnings: result.isWhole ? NONE : INCOMPLETE };
  } catch (error) {
    log.warn('usage could not be read', { environmentId: snapshot.environmentId, error });
    const isWithoutFacts = request.facts !== undefined && request.facts.version <= 0;
    return { readings: NO_READINGS, location: null, warnings: isWithoutFacts ? NOTHING_KNOWN : UNKNOWN };
  }
}

function nameOf(
  { environmentId }: EnvironmentSnapshot,
  { customer }: Pick<LedgerRequest, 'customer'>,
): string {
  return `${environmentId} ${customer}`;
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

function hasAll(
  { readings, factsVersion }: CachedReadings,
  { reads, facts }: Pick<LedgerRequest, 'reads' | 'facts'>,
): boolean {
  return factsVersion === facts?.version && reads.every(({ propertyId }) => readings.has(propertyId));
}
