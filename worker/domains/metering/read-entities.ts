/**
 * Reads usage of a customer's entities. A location knows those that have called there and what has replicated to it, so all are asked: an entity's
 * reading is the highest, since none has more than was counted, and it has a seat if any location knows of one.
 */
import type { EntityReadings, LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { READ_MS, stageEnd } from '#engine/outages/budget';
import { inTime } from '#engine/outages/in-time';
import { compareText } from '#engine/text/compare-text';
import { readEntities } from '#objects/stubs';
import { systemClock } from '#runtime/clock';
import type { Env } from '#worker/env';
import { LedgerUnavailable, ledgerPlace } from './call-ledger.ts';

export interface EntityPage {
  /** In the order of their ids. */
  readonly entities: readonly EntityReadings[];
  /** Whether there are more after the last one. */
  readonly hasMore: boolean;
  /** False: a location that may know more did not answer. */
  readonly isWhole: boolean;
}

export interface EntityQuery {
  readonly customer: string;
  readonly reads: readonly LedgerRead[];
  /** The last entity of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
  readonly now: number;
  /** When the call's budget ends, epoch milliseconds. */
  readonly endsAt?: number | undefined;
}

/** @throws {LedgerUnavailable} if no location answers */
export async function readEntityPage(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { customer, reads, after, limit, now, endsAt }: EntityQuery,
): Promise<EntityPage> {
  const started = systemClock.now();
  const ms = Math.max(0, stageEnd(started, READ_MS, endsAt) - started);
  const asked = snapshot.locations.map((location) => {
    const place = ledgerPlace(snapshot, { customer }, location);
    const reading = readEntities(env, place, { reads, after, limit: limit + 1, now });
    return inTime(systemClock, ms, 'The ledger', reading);
  });
  const answers = await Promise.allSettled(asked);
  const pages = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (pages.length === 0) throw new LedgerUnavailable({ updates: [] });
  const byEntity = new Map<string, readonly LedgerReading[]>();
  for (const { entity, readings } of pages.flat()) {
    const known = byEntity.get(entity);
    byEntity.set(entity, known === undefined ? readings : readings.map(higher(known)));
  }
  const ids = [...byEntity.keys()].sort(compareText);
  return {
    entities: ids.slice(0, limit).map((entity) => ({ entity, readings: byEntity.get(entity) ?? [] })),
    hasMore: ids.length > limit,
    isWhole: pages.length === answers.length,
  };
}

function higher(known: readonly LedgerReading[]) {
  return (reading: LedgerReading, index: number): LedgerReading => {
    const other = known[index];
    if (other === undefined) return reading;
    const { isUnseated, ...most } = other.used > reading.used ? other : reading;
    return other.isUnseated && reading.isUnseated ? { ...most, isUnseated } : most;
  };
}
