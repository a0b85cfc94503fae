/**
 * Asks the replicas of an environment for a newer snapshot, nearest first. An isolate that has none learns from one D1
 * read which locations there are; with D1 down it asks all of them, and with no replica yet it builds the snapshot itself.
 */
import { eq } from 'drizzle-orm';
import { LOCATIONS, type Location } from '#contracts/locations';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import { locationsByDistance } from '#engine/regions/nearest-location';
import { replicaStub } from '#objects/stubs';
import { openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { loadSnapshot } from '#worker/domains/artifacts/load-snapshot';
import type { Env } from '#worker/env';
import type { Place } from '#worker/http/place';

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
    enabled = await findLocations(env, environmentId);
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
  for (let location = open.shift(); location !== undefined; location = open.shift()) {
    if (asked.has(location)) continue;
    asked.add(location);
    try {
      const replica = await replicaStub(env, environmentId, location);
      const answer = await replica.pull(known?.generation ?? -1);
      if (answer.kind === 'snapshot') return answer.snapshot;
      if (answer.kind === 'unchanged') return 'unchanged';
      if (answer.kind === 'moved') open.push(...answer.locations);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `No data location answers for ${environmentId}`);
  return loadSnapshot(env, openDatabase(env.DB), environmentId);
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

/** @returns null where there is no such environment */
async function findLocations(env: Env, environmentId: string): Promise<readonly Location[] | null> {
  const [row] = await openDatabase(env.DB)
    .select({ locations: organization.dataLocations })
    .from(environment)
    .innerJoin(organization, eq(organization.id, environment.orgId))
    .where(eq(environment.id, environmentId));
  return row?.locations ?? null;
}
