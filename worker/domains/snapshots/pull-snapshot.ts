/**
 * Asks the replicas of an environment for a newer snapshot, nearest first, and one other location if that one is away. An isolate that
 * has no snapshot learns from one D1 read which locations there are, and of which generation the snapshot must be; with D1 away it asks
 * all locations. If no replica has a copy or answers, it builds the snapshot itself from D1 and R2.
 */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { CALL_MS, FIND_LOCATIONS_MS, HEDGE_READ_MS, LOAD_MS, PULL_MS } from '#engine/outages/budget';
import { firstAnswer } from '#engine/outages/first-answer';
import { inTime } from '#engine/outages/in-time';
import { locationsByDistance } from '#engine/regions/nearest-location';
import { pullReplica, replicaStub } from '#objects/stubs';
import { systemClock } from '#runtime/clock';
import { findWhereItIs } from '#worker/db/data-locations';
import { readInTime } from '#worker/db/read-in-time';
import type { Env } from '#worker/env';
import type { Place } from '#worker/http/place';
import { loadSnapshot } from './load-snapshot.ts';

export interface Pulled {
  /** Null where there is no such environment. */
  readonly newest: EnvironmentSnapshot | 'unchanged' | null;
  /** The replica could not ask the home replica for longer than it should: there may be a newer snapshot. */
  readonly isUnconfirmed: boolean;
}

const REPLICAS = 'The replicas';

/** @throws where no replica answers, and D1 neither if the isolate has no snapshot */
export async function pullSnapshot(
  env: Env,
  environmentId: string,
  known: EnvironmentSnapshot | null,
  place: Place,
): Promise<Pulled> {
  if (known !== null) {
    const nearestFirst = locationsByDistance(place, known.locations);
    return new Pull(env, { environmentId, known, atLeast: 0 }, nearestFirst, known.locations[0]).run();
  }
  let found: Awaited<ReturnType<typeof findWhereItIs>>;
  try {
    // D1 is slow before it is silent: an isolate far from it must not open its breaker.
    const asked = readInTime(env.DB, LOAD_MS, undefined, (db) => findWhereItIs(db, environmentId));
    found = await inTime(systemClock, FIND_LOCATIONS_MS, 'D1', asked);
  } catch {
    return pullFromAnywhere(env, environmentId, place);
  }
  if (found === null) return { newest: null, isUnconfirmed: false };
  const { locations, generation } = found;
  const nearestFirst = locationsByDistance(place, locations);
  return new Pull(env, { environmentId, known, atLeast: generation }, nearestFirst, locations[0]).run();
}

interface Wanted {
  readonly environmentId: string;
  readonly known: EnvironmentSnapshot | null;
  /** A replica with a lower generation has missed a publication, or not received it yet. */
  readonly atLeast: number;
}

/** The replica has nothing to answer with; another may. */
class NotHere extends Error {
  override readonly name = 'NotHere';
}

class Pull {
  readonly #env: Env;
  readonly #wanted: Wanted;
  readonly #home: Location | undefined;
  /** To be asked, in this order. */
  readonly #open: Location[];
  readonly #asked = new Set<Location>();
  readonly #empty: Location[] = [];
  /** Locations that failed, are silent or have missed a publication. One other location is asked instead. */
  readonly #away = new Set<Location>();
  #behind: Pulled | null = null;

  constructor(env: Env, wanted: Wanted, nearestFirst: readonly Location[], home: Location | undefined) {
    this.#env = env;
    this.#wanted = wanted;
    this.#open = [...nearestFirst];
    this.#home = home;
  }

  async run(): Promise<Pulled> {
    const patience = { hedgeMs: HEDGE_READ_MS, endsAt: systemClock.now() + PULL_MS };
    try {
      return await firstAnswer(systemClock, REPLICAS, patience, this.#calls());
    } catch (error) {
      if (this.#behind !== null) return this.#behind;
      if (this.#wanted.known !== null && this.#away.size > 0) throw error;
    }
    return loadFromDatabase(this.#env, this.#wanted.environmentId, this.#empty);
  }

  *#calls(): Generator<() => Promise<Pulled>> {
    for (let location = this.#open.shift(); location !== undefined; location = this.#open.shift()) {
      if (this.#asked.has(location)) continue;
      if (this.#away.size > 1) return;
      this.#asked.add(location);
      const from = location;
      let isOver = false;
      yield () =>
        this.#pullFrom(from).finally(() => {
          isOver = true;
        });
      if (!isOver) this.#away.add(from);
    }
  }

  async #pullFrom(location: Location): Promise<Pulled> {
    const { environmentId, known, atLeast } = this.#wanted;
    const generation = known?.generation ?? -1;
    const answer = await pullReplica(this.#env, environmentId, location, PULL_MS, generation).catch(
      (error) => {
        this.#away.add(location);
        throw error;
      },
    );
    switch (answer.kind) {
      case 'absent':
        this.#empty.push(location);
        throw new NotHere(location);
      case 'moved':
        this.#open.push(...answer.locations);
        throw new NotHere(location);
      case 'unchanged':
        return { newest: 'unchanged', isUnconfirmed: answer.isUnconfirmed === true };
      case 'snapshot': {
        const pulled = { newest: answer.snapshot, isUnconfirmed: answer.isUnconfirmed === true };
        if (answer.snapshot.generation >= atLeast) return pulled;
        this.#away.add(location);
        this.#behind ??= pulled;
        if (this.#home !== undefined) this.#open.unshift(this.#home);
        throw new NotHere(location);
      }
    }
  }
}

/** @param empty locations without a copy, which get one */
async function loadFromDatabase(
  env: Env,
  environmentId: string,
  empty: readonly Location[],
): Promise<Pulled> {
  const snapshot = await readInTime(env.DB, CALL_MS, undefined, (db) => loadSnapshot(env, db, environmentId));
  // A deleted environment's replicas may have been erased already, for good. Without its workflows' code, publishing is about to do it.
  const isComplete = snapshot?.artifact === null || snapshot?.artifact.workflowCode !== undefined;
  if (snapshot !== null && !snapshot.isDeleted && isComplete) await fillReplicas(env, snapshot, empty);
  return { newest: snapshot, isUnconfirmed: false };
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
  try {
    return await Promise.any(
      locationsByDistance(place, LOCATIONS).map(async (location) => {
        const answer = await pullReplica(env, environmentId, location, PULL_MS, -1);
        if (answer.kind !== 'snapshot') throw new NotHere(location);
        return { newest: answer.snapshot, isUnconfirmed: answer.isUnconfirmed === true };
      }),
    );
  } catch {
    return loadFromDatabase(env, environmentId, []);
  }
}
