/**
 * Which customers are copied completely from which peers. A ledger copies a customer on its first use; see
 * durable-objects/README.md, "Replication". copy-pages.ts has the protocol.
 */
import type { Location } from '#contracts/public/locations';
import type { LedgerStore } from './ledger-store.ts';
import type { OpenCustomers } from './open-customers.ts';
import type { ReplicationState } from './replication-state.ts';

const NONE: readonly never[] = [];

export class CustomerCopies {
  readonly #store: LedgerStore;
  readonly #state: ReplicationState;
  readonly #customers: OpenCustomers;

  constructor(store: LedgerStore, state: ReplicationState, customers: OpenCustomers) {
    this.#store = store;
    this.#state = state;
    this.#customers = customers;
  }

  /** Other locations that may have usage of the customer that never replicated here. */
  peersToCopy(identifier: string): readonly Location[] {
    const { others, isOpen } = this.#state;
    if (others.length === 0 || !isOpen) return NONE;
    return others.filter(
      (location) =>
        !this.#state.peer(location)?.isWhole && !this.#customers.open(identifier).copiedFrom.has(location),
    );
  }

  /** All of the peer's records of the customer are merged, and the peer pushes what follows. */
  save(identifier: string, location: Location): void {
    const { copiedFrom } = this.#customers.open(identifier);
    copiedFrom.add(location);
    this.#store.saveCopiedFrom(identifier, [...copiedFrom]);
  }

  /**
   * The other locations did not replicate here while this location was disabled: every customer is copied again on
   * next use.
   */
  forget(): void {
    if (!this.#state.isStored) return;
    for (const { copiedFrom } of this.#customers.values()) copiedFrom.clear();
    this.#store.clearCopiedFrom();
    this.#state.forgetWhole();
  }
}
