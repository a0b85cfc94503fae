/**
 * Reads the usage behind an answer's meters. An isolate keeps readings for one second for `bounded` requests
 * (bounded-readings.ts). If no ledger answers, the answer has no usage and a warning.
 */
import type { FactsUpdate } from '#contracts/internal/customer-facts';
import type { LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import type { Readings } from '#engine/entitlements/render-features';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { keepReadings, recallReadings, takeDueReadings } from './bounded-readings.ts';
import { callLedger, type LedgerRequest, type LedgerResult, nearestLedger } from './call-ledger.ts';

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

const NO_READINGS: Readings = new Map();
const NONE: readonly never[] = [];
const INCOMPLETE: readonly Warning[] = [warningOf('usage-incomplete')];
const UNKNOWN: readonly Warning[] = [warningOf('usage-unknown')];
const NOTHING_KNOWN: readonly Warning[] = [...UNKNOWN, warningOf('customer-facts-unknown')];

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
        : await callLedger(env, snapshot, { ...request, isStrict, updates: [] });
    const { location, factsUpdate } = result;
    const warnings = result.isWhole ? NONE : INCOMPLETE;
    return { readings: byProperty(reads, result.readings), location, factsUpdate, warnings };
  } catch (error) {
    log.warn('usage could not be read', { environmentId: snapshot.environmentId, error });
    const isWithoutFacts = request.facts !== undefined && request.facts.version <= 0;
    return { readings: NO_READINGS, location: null, warnings: isWithoutFacts ? NOTHING_KNOWN : UNKNOWN };
  }
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
    ...{ ...request, isStrict: false, updates: NONE },
    companions: due.map((each) => ({ customer: each.customer, factsVersion: each.factsVersion })),
  });
  const keep = (of: string, readings: readonly LedgerReading[], factsVersion: number | undefined) =>
    keepReadings(ledger, {
      ...{ environmentId, customer: of, at: now, factsVersion },
      ...{ reads, readings: byProperty(reads, readings) },
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
