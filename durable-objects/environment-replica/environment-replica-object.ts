/**
 * A read replica of one environment in one data location. Publishing pushes snapshots; isolates pull them. The highest
 * generation wins, so duplicate and out-of-order deliveries have no effect. See durable-objects/README.md, "Environment replica".
 */

import { DurableObject } from 'cloudflare:workers';
import type { Regions } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { completed, lacksTexts, textsOf, withTexts } from '#contracts/internal/snapshot-texts';
import type { Location } from '#contracts/public/locations';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { type EntityReach, entityReaches } from '#engine/ledger/idle-entities';
import { type ObjectEnv, replicaStub } from '../stubs.ts';
import { Confirmation } from './confirmation.ts';
import { NO_GENERATION, ReplicaStore, type StoredReplica } from './replica-store.ts';

/** The home replica has not answered this one for longer than a publication may be missed. */
interface Confirmable {
  readonly isUnconfirmed?: true;
}

export type PullResult =
  | ({ readonly kind: 'unchanged' } & Confirmable)
  | ({ readonly kind: 'snapshot'; readonly snapshot: EnvironmentSnapshot } & Confirmable)
  /** This location is disabled: pull from one of these. */
  | { readonly kind: 'moved'; readonly locations: readonly Location[] }
  /** Nothing has been published here. */
  | { readonly kind: 'absent' };

/** How a replica calls the home replica, and the clock. */
interface ReplicaEffects {
  pull(environmentId: string, home: Location, known: EnvironmentSnapshot): Promise<PullResult>;
  now(): number;
}

export class EnvironmentReplica extends DurableObject<ObjectEnv> {
  /** Replaced by tests to cut the connection to the home replica. */
  effects: ReplicaEffects;
  readonly #store: ReplicaStore;
  readonly #confirmation = new Confirmation(() => this.effects.now());
  #current: StoredReplica | null;

  constructor(state: DurableObjectState, env: ObjectEnv) {
    super(state, env);
    this.effects = {
      pull: async (environmentId, home, known) =>
        (await replicaStub(env, environmentId, home)).pull(known.generation, undefined, [
          ...textsOf(known).keys(),
        ]),
      now: () => Date.now(),
    };
    this.#store = new ReplicaStore(state.storage);
    this.#current = this.#store.load();
  }

  /** @returns the stored generation: at least the given one */
  publish(snapshot: EnvironmentSnapshot): number {
    return this.#storeIfNewer({ kind: 'snapshot', snapshot }, snapshot.generation);
  }

  /**
   * As `publish`, without the texts that this replica should have.
   * @returns null if it lacks one: publish the whole snapshot
   */
  publishChange(snapshot: EnvironmentSnapshot): number | null {
    const current = this.#load();
    if (current?.kind !== 'snapshot') return null;
    const whole = completed(snapshot, textsOf(current.snapshot));
    return lacksTexts(whole) ? null : this.publish(whole);
  }

  /** Deletes the snapshot because this location is disabled, and redirects pulls to `locations`. */
  retire(generation: number, locations: readonly Location[]): number {
    return this.#storeIfNewer({ kind: 'retired', generation, locations }, generation);
  }

  /** Deletes everything that is stored: the organisation is deleted. */
  async erase(): Promise<void> {
    await this.#store.erase();
    this.#current = null;
  }

  /**
   * @param knownGeneration generation of the isolate's snapshot; -1 without one
   * @param here this replica's location; undefined if another replica asks
   * @param knownTexts hashes of texts that the caller has: they are left out (withTexts)
   */
  pull(knownGeneration: number, here?: Location, knownTexts: readonly string[] = []): PullResult {
    const current = this.#load();
    if (current === null) return { kind: 'absent' };
    if (current.kind === 'retired') return { kind: 'moved', locations: current.locations };
    const { snapshot } = current;
    if (here !== undefined && here !== snapshot.locations[0] && this.#confirmation.takeTurn()) {
      this.ctx.waitUntil(this.#confirm(snapshot, here));
    }
    const confirmable: Confirmable =
      here !== undefined && this.#confirmation.isOverdue ? { isUnconfirmed: true } : {};
    if (snapshot.generation <= knownGeneration) return { kind: 'unchanged', ...confirmable };
    const sent = withTexts(snapshot, (hash, text) => (knownTexts.includes(hash) ? '' : text));
    return { kind: 'snapshot', snapshot: sent, ...confirmable };
  }

  /** Which data locations are enabled, for ledgers. Null: nothing has been published here. */
  regions(): Regions | null {
    return this.#store.regions();
  }

  /** What the deployed version limits each entity of a customer by, for ledgers. Null: nothing has been published here. */
  entityReaches(): EntityReach[] | null {
    const current = this.#load();
    if (current?.kind !== 'snapshot') return null;
    const { artifact } = current.snapshot;
    return artifact === null ? [] : entityReaches(JSON.parse(artifact.content) as ArtifactContent);
  }

  /** Reads the generation from storage each time: an instance that the platform has replaced could otherwise serve stale memory. */
  #load(): StoredReplica | null {
    if (this.#store.generation() !== generationOf(this.#current)) this.#current = this.#store.load();
    return this.#current;
  }

  /** Takes over what the home replica has and publishing did not bring here. Never throws. */
  async #confirm(known: EnvironmentSnapshot, here: Location): Promise<void> {
    const { environmentId, locations } = known;
    try {
      let [home] = locations;
      let answer = home === undefined ? null : await this.effects.pull(environmentId, home, known);
      // The change that was missed may have moved home.
      if (answer?.kind === 'moved' && answer.locations[0] !== here) {
        [home] = answer.locations;
        answer = home === undefined ? null : await this.effects.pull(environmentId, home, known);
      }
      if (answer?.kind === 'snapshot') this.#follow(completed(answer.snapshot, textsOf(known)), here);
      if (answer?.kind === 'snapshot' || answer?.kind === 'unchanged') this.#confirmation.succeed();
      else this.#confirmation.fail();
    } catch {
      this.#confirmation.fail();
    }
  }

  #follow(snapshot: EnvironmentSnapshot, here: Location): void {
    // What was erased meanwhile stays so.
    if (this.#store.generation() === NO_GENERATION) return;
    const { generation, locations } = snapshot;
    if (locations.includes(here)) this.publish(snapshot);
    else this.retire(generation, locations);
  }

  #storeIfNewer(offered: StoredReplica, generation: number): number {
    const stored = this.#store.generation();
    // A publication is as good a source as the home replica.
    if (generation >= stored) this.#confirmation.succeed();
    if (generation <= stored) return stored;
    this.#store.save(offered);
    this.#current = offered;
    return generation;
  }
}

function generationOf(replica: StoredReplica | null): number {
  if (replica === null) return NO_GENERATION;
  return replica.kind === 'retired' ? replica.generation : replica.snapshot.generation;
}
