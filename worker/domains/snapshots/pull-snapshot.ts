/**
 * Asks the replicas of an environment for a newer snapshot, nearest first. An isolate that has none learns from one D1
 * read which locations there are; with D1 down it asks all of them, and with no replica yet it builds the snapshot itself.
 */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { locationsByDistance } from '#engine/regions/nearest-location';
import { replicaStub } from '#objects/stubs';
import { findDataLocationsOf } from '#worker/db/data-locations';
import { openDatabase } from '#worker/db/database';
import type { Env } from '#worker/env';
import type { Place } from '#worker/http/place';
import { loadSnapshot } from './load-snapshot.ts';

export type Pulled = EnvironmentSnapshot | 'unchanged' | null;

/**
 * @returns null where there is no such environment
 * @throws AggregateError where no replica answers
 */
export async function pullSnapshot(
  env: Env,
  environmentId: string,
  known: EnvironmentSnapshot | null,
  place: Place,
): Promise<Pulled> {
  if (known !== null) return pullFrom(env, environmentId, known, locationsByDistance(place, known.locations));

  let enabled: readonly Location[] | null;
  try {
    enabled = await findDataLocationsOf(openDatabase(env.DB), environmentId);
  } catch {
    return pullFromAnywhere(env, environmentId, place);
  }
  return enabled === null ? null : pullFrom(env, environmentId, null, locationsByDistance(place, enabled));
}

async function pullFrom(
  env: Env,
  environmentId: string,
  known: EnvironmentSnapshot | null,
  nearestFirst: readonly Location[],
): Promise<Pulled> {
  const failures: unknown[] = [];
  const open = [...nearestFirst];
  const asked = new Set<Location>();
  const empty: Location[] = [];
  for (let location = open.shift(); location !== undefined; location = open.shift()) {
    if (asked.has(location)) continue;
    asked.add(location);
    try {
      const replica = await replicaStub(env, environmentId, location);
      const answer = await replica.pull(known?.generation ?? -1);
      if (answer.kind === 'snapshot') return answer.snapshot;
      if (answer.kind === 'unchanged') return 'unchanged';
      if (answer.kind === 'moved') open.push(...answer.locations);
      if (answer.kind === 'absent') empty.push(location);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `No data location answers for ${environmentId}`);
  const snapshot = await loadSnapshot(env, openDatabase(env.DB), environmentId);
  // A deleted environment's replicas may have been erased already, for good. Without its workflows' code, publishing is about to do it.
  const isComplete = snapshot?.artifact === null || snapshot?.artifact.workflowCode !== undefined;
  if (snapshot !== null && !snapshot.isDeleted && isComplete) await fillReplicas(env, snapshot, empty);
  return snapshot;
}

/** Publishes to enabled locations that have no copy, so that the next check needs neither D1 nor R2. Best effort. */
async function fillReplicas(
  env: Env,
  snapshot: EnvironmentSnapshot,
  empty: readonly Location[],
): Promise<void> {
  const enabled = empty.filter((location) => snapshot.locations.includes(location));
  await Promise.allSettled(
    enabled.map(async (location) => {
      const replica = await replicaStub(env, snapshot.environmentId, location);
      await replica.publish(snapshot);
    }),
  );
}

/** Every location at once; the first that has something. Asking one that has nothing leaves no trace there. */
async function pullFromAnywhere(env: Env, environmentId: string, place: Place): Promise<Pulled> {
  return Promise.any(
    locationsByDistance(place, LOCATIONS).map(async (location) => {
      const replica = await replicaStub(env, environmentId, location);
      const answer = await replica.pull(-1);
      if (answer.kind !== 'snapshot') throw new Error(`${location} has no copy of ${environmentId}`);
      return answer.snapshot;
    }),
  );
}
