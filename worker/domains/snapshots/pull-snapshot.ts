/**
 * Asks the replicas of an environment for a newer snapshot, nearest first, and one other location if that one is away. An isolate that
 * has no snapshot does not know which locations are enabled: it asks the nearest of all, then all others at once. If no replica has a
 * copy or answers, it builds the snapshot itself from D1 and R2.
 */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import type { Place } from '#engine/access/place';
import { CALL_MS, HEDGE_READ_MS, PULL_MS } from '#engine/outages/budget';
import { firstAnswer } from '#engine/outages/first-answer';
import { locationsByDistance } from '#engine/regions/nearest-location';
import { pullReplica, replicaStub } from '#objects/stubs';
import { systemClock } from '#runtime/clock';
import { readInTime } from '#worker/db/read-in-time';
import type { Env } from '#worker/env';
import { loadSnapshot } from './load-snapshot.ts';

export interface Pulled {
  /** Null where there is no such environment. Texts under a hash that the caller has may be left out of a snapshot (withTexts). */
  readonly newest: EnvironmentSnapshot | 'unchanged' | null;
  /** The replica could not ask the home replica for longer than it should: there may be a newer snapshot. */
  readonly isUnconfirmed: boolean;
  /** Asks the home replica for a newer snapshot than a first one, which another replica gave: publishing may have missed that one. */
  readonly askHome?: () => Promise<Pulled>;
}

const REPLICAS = 'The replicas';

/**
 * @param home the location to ask second without a snapshot; a hint
 * @throws where no replica answers, and D1 neither if the isolate has no snapshot
 */
export function pullSnapshot(
  env: Env,
  environmentId: string,
  known: EnvironmentSnapshot | null,
  place: Place,
  home?: Location,
): Promise<Pulled> {
  const nearestFirst = locationsByDistance(place, known?.locations ?? LOCATIONS);
  if (known !== null) return new Pull(env, environmentId, known, place, each(nearestFirst)).run();
  const [first, ...others] = nearestFirst;
  const inTurn = [first, home].filter((location) => location !== undefined);
  return new Pull(env, environmentId, null, place, [...each(inTurn), others]).run();
}

const each = (locations: readonly Location[]) => locations.map((location) => [location]);

/** The replica has nothing to answer with; another may. */
class NotHere extends Error {
  override readonly name = 'NotHere';
}

class Pull {
  readonly #env: Env;
  readonly #environmentId: string;
  readonly #known: EnvironmentSnapshot | null;
  readonly #place: Place;
  /** To be asked one after the other; the locations of a stage are asked at once. */
  readonly #stages: (readonly Location[])[];
  readonly #asked = new Set<Location>();
  readonly #empty: Location[] = [];
  /** Locations that failed or are silent. An isolate that has a snapshot asks one other location instead. */
  readonly #away = new Set<Location>();

  constructor(
    env: Env,
    environmentId: string,
    known: EnvironmentSnapshot | null,
    place: Place,
    stages: readonly (readonly Location[])[],
  ) {
    this.#env = env;
    this.#environmentId = environmentId;
    this.#known = known;
    this.#place = place;
    this.#stages = [...stages];
  }

  async run(): Promise<Pulled> {
    const patience = { hedgeMs: HEDGE_READ_MS, endsAt: systemClock.now() + PULL_MS };
    try {
      return await firstAnswer(systemClock, REPLICAS, patience, this.#calls());
    } catch (error) {
      if (this.#known !== null && this.#away.size > 0) throw error;
    }
    return loadFromDatabase(this.#env, this.#environmentId, this.#empty);
  }

  *#calls(): Generator<() => Promise<Pulled>> {
    for (let stage = this.#stages.shift(); stage !== undefined; stage = this.#stages.shift()) {
      const locations = stage.filter((location) => !this.#asked.has(location));
      if (locations.length === 0) continue;
      if (this.#known !== null && this.#away.size > 1) return;
      for (const location of locations) this.#asked.add(location);
      let isOver = false;
      yield () =>
        Promise.any(locations.map((location) => this.#pullFrom(location))).finally(() => {
          isOver = true;
        });
      if (!isOver) for (const location of locations) this.#away.add(location);
    }
  }

  async #pullFrom(location: Location): Promise<Pulled> {
    const answer = await pullReplica(this.#env, this.#environmentId, location, PULL_MS, this.#known).catch(
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
        this.#stages.unshift(...each(locationsByDistance(this.#place, answer.locations)));
        throw new NotHere(location);
      case 'unchanged':
        return { newest: 'unchanged', isUnconfirmed: answer.isUnconfirmed === true };
      case 'snapshot': {
        const { snapshot: newest, isUnconfirmed = false } = answer;
        const [home] = newest.locations;
        if (this.#known !== null || home === undefined || home === location) return { newest, isUnconfirmed };
        const askHome = () => new Pull(this.#env, this.#environmentId, newest, this.#place, [[home]]).run();
        return { newest, isUnconfirmed, askHome };
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
