/**
 * Reads the usage behind an answer's meters. An isolate keeps readings for one second for `bounded` requests
 * (kept-readings.ts). If no ledger answers, the pipeline falls back on the last ones.
 */
import type { LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import type {
  LedgerRequest,
  LedgerResult,
  RecallRequest,
  Usage,
  UsageRequest,
} from '#engine/access/ledger-call';
import { byProperty } from '#engine/access/readings-by-property';
import type { Readings } from '#engine/entitlements/render-features';
import { accountOf } from '#engine/ledger/account';
import { readingKey } from '#engine/metering/reading-key';
import { log } from '#runtime/log';
import type { Env } from '#worker/env';
import { callLedger, LedgerUnavailable, nearestLedger } from './call-ledger.ts';
import {
  keepBoundedReadings,
  keepReadings,
  lastReadings,
  recallReadings,
  takeDueReadings,
} from './kept-readings.ts';

const NO_READINGS: Readings = new Map();
const NONE: readonly never[] = [];
const INCOMPLETE: readonly Warning[] = [warningOf('usage-incomplete')];

/** Readings of up to a second ago, with the same facts; null if the isolate has none. */
export function recallUsage(
  { environmentId }: EnvironmentSnapshot,
  { customer, entity, reads, now, facts }: RecallRequest,
): Readings | null {
  const known = recallReadings(environmentId, accountOf(customer, entity), now);
  if (known === null || known.factsVersion !== facts?.version) return null;
  const hasAll = known.reads === reads || reads.every((read) => known.readings.has(readingKey(read)));
  return hasAll ? known.readings : null;
}

/** The last readings of these meters, of up to a day ago, as far as the isolate has any. */
export function recallLastUsage(
  { environmentId }: EnvironmentSnapshot,
  { customer, entity, reads, now }: Pick<LedgerRequest, 'customer' | 'entity' | 'reads' | 'now'>,
): Readings {
  return lastReadings(environmentId, accountOf(customer, entity), reads, now);
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
      consistency === 'bounded' && request.entity === undefined
        ? await readBounded(env, snapshot, request)
        : await readNow(env, snapshot, { ...request, isStrict, updates: NONE });
    return usageOf(reads, result);
  } catch (failure) {
    return withoutLedger(snapshot, failure);
  }
}

/**
 * Reads of one ledger object and of the same list, in one call. Those that the object cannot answer at once have calls of their own.
 * @param requests of different customers, with `local` consistency @returns in their order
 */
export async function readUsageTogether(
  env: Env,
  snapshot: EnvironmentSnapshot,
  requests: readonly [UsageRequest, ...UsageRequest[]],
): Promise<readonly Promise<Usage>[]> {
  const [first, ...others] = requests;
  let result: LedgerResult;
  try {
    const companions = others.map(({ customer, facts }) => ({ customer, factsVersion: facts?.version }));
    result = await readNow(env, snapshot, { ...first, isStrict: false, updates: NONE, companions });
  } catch (thrown) {
    const usage = withoutLedger(snapshot, thrown);
    return requests.map(() => Promise.resolve(usage));
  }
  const { location, companions } = result;
  const ofOthers = others.map(async (request, index): Promise<Usage> => {
    const read = companions[index];
    if (!read) return readUsage(env, snapshot, request);
    const { reads, now, facts, customer } = request;
    const { factsUpdate } = read;
    const readings = byProperty(reads, read.readings);
    if (reads.length > 0 && factsUpdate === undefined)
      keepReadings(snapshot.environmentId, customer, {
        at: now,
        reads,
        readings,
        factsVersion: facts?.version,
      });
    return { readings, location, factsUpdate, warnings: NONE };
  });
  return [Promise.resolve(usageOf(first.reads, result)), ...ofOthers];
}

function usageOf(reads: readonly LedgerRead[], result: LedgerResult): Usage {
  const { location, factsUpdate } = result;
  const warnings = result.isWhole ? NONE : INCOMPLETE;
  return { readings: byProperty(reads, result.readings), location, factsUpdate, warnings };
}

/** @throws whatever says something else than that no ledger answered */
function withoutLedger({ environmentId }: EnvironmentSnapshot, failure: unknown): Usage {
  if (!(failure instanceof LedgerUnavailable)) throw failure;
  log.warn('usage could not be read', { environmentId, error: failure });
  return { readings: NO_READINGS, location: null, failure, warnings: NONE };
}

async function readNow(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
): Promise<LedgerResult> {
  const result = await callLedger(env, snapshot, request);
  const { customer, entity, reads, now, facts } = request;
  if (reads.length > 0 && result.isWhole && result.factsUpdate === undefined) {
    const readings = byProperty(reads, result.readings);
    keepReadings(snapshot.environmentId, accountOf(customer, entity), {
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
    const read = result.companions[index];
    if (read && read.factsUpdate === undefined) keep(each.customer, read.readings, each.factsVersion);
  }
  if (result.isWhole && result.factsUpdate === undefined) keep(customer, result.readings, facts?.version);
  return result;
}
