/**
 * A read replica of one environment in one data location. Publishing pushes snapshots; isolates pull them. The highest
 * generation wins, so duplicate and out-of-order deliveries have no effect. See durable-objects/README.md, "Environment replica".
 */

import { DurableObject } from 'cloudflare:workers';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { ObjectEnv } from '../stubs.ts';
import { NO_GENERATION, ReplicaStore, type StoredReplica } from './replica-store.ts';

export type PullResult =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'snapshot'; readonly snapshot: EnvironmentSnapshot }
  /** This location is disabled: pull from one of these. */
  | { readonly kind: 'moved'; readonly locations: readonly Location[] }
  /** Nothing has been published here. */
  | { readonly kind: 'absent' };

export class EnvironmentReplica extends DurableObject<ObjectEnv> {
  readonly #store: ReplicaStore;
  #current: StoredReplica | null;

  constructor(state: DurableObjectState, env: ObjectEnv) {
    super(state, env);
    this.#store = new ReplicaStore(state.storage);
    this.#current = this.#store.load();
  }

  /** @returns the stored generation: at least the given one */
  publish(snapshot: EnvironmentSnapshot): number {
    return this.#storeIfNewer({ kind: 'snapshot', snapshot }, snapshot.generation);
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
   * Reads the generation from storage each time: an instance that the platform has replaced could otherwise serve stale memory.
   * @param knownGeneration generation of the isolate's snapshot; -1 without one
   */
  pull(knownGeneration: number): PullResult {
    if (this.#store.generation() !== generationOf(this.#current)) this.#current = this.#store.load();
    const current = this.#current;
    if (current === null) return { kind: 'absent' };
    if (current.kind === 'retired') return { kind: 'moved', locations: current.locations };
    if (current.snapshot.generation <= knownGeneration) return { kind: 'unchanged' };
    return { kind: 'snapshot', snapshot: current.snapshot };
  }

  #storeIfNewer(offered: StoredReplica, generation: number): number {
    const stored = this.#store.generation();
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
