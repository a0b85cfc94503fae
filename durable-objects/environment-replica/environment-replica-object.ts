/**
 * The copy of one environment in one data location. Publishing gives it snapshots; isolates pull them. It takes only
 * what is newer than what it has, so duplicate and out-of-order deliveries do no harm.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Location } from '#contracts/locations';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Env } from '#worker/env';
import { NOTHING, ReplicaStore, type StoredReplica } from './replica-store.ts';

export type PullAnswer =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'snapshot'; readonly snapshot: EnvironmentSnapshot }
  /** This location was turned off: ask one of these. */
  | { readonly kind: 'moved'; readonly locations: readonly Location[] }
  /** Nothing was ever published here. */
  | { readonly kind: 'absent' };

export class EnvironmentReplica extends DurableObject<Env> {
  readonly #store: ReplicaStore;
  #held: StoredReplica | null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new ReplicaStore(state.storage);
    this.#held = this.#store.load();
  }

  /** @returns the generation now held: at least the one given */
  publish(snapshot: EnvironmentSnapshot): number {
    return this.#take({ kind: 'snapshot', snapshot }, snapshot.generation);
  }

  /** This location no longer serves the environment: forget it, and say where it is. */
  retire(generation: number, locations: readonly Location[]): number {
    return this.#take({ kind: 'retired', generation, locations }, generation);
  }

  /**
   * Asks the storage each time: an instance that the platform has replaced could otherwise answer from memory.
   * @param knownGeneration of the snapshot the isolate has; -1 for none
   */
  pull(knownGeneration: number): PullAnswer {
    if (this.#store.generation() !== heldGeneration(this.#held)) this.#held = this.#store.load();
    const held = this.#held;
    if (held === null) return { kind: 'absent' };
    if (held.kind === 'retired') return { kind: 'moved', locations: held.locations };
    if (held.snapshot.generation <= knownGeneration) return { kind: 'unchanged' };
    return { kind: 'snapshot', snapshot: held.snapshot };
  }

  #take(offered: StoredReplica, generation: number): number {
    const held = this.#store.generation();
    if (generation <= held) return held;
    this.#store.save(offered);
    this.#held = offered;
    return generation;
  }
}

function heldGeneration(held: StoredReplica | null): number {
  if (held === null) return NOTHING;
  return held.kind === 'retired' ? held.generation : held.snapshot.generation;
}
