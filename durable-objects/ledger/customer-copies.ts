/**
 * Which customers are copied completely from which peers. A ledger copies a customer on its first use; see
 * durable-objects/README.md, "Replication". copy-pages.ts has the protocol.
 */
import type { Location } from '#contracts/public/locations';
import type { LedgerStore } from './ledger-store.ts';
import type { OpenCustomers } from './open-customers.ts';
import type { ReplicationState } from './replication-state.ts';

export class CustomerCopies {
  readonly #store: LedgerStore;
  readonly #state: ReplicationState;
  readonly #customers: OpenCustomers;

  constructor(store: LedgerStore, state: ReplicationState, customers: OpenCustomers) {
    this.#store = store;
    this.#state = state;
    this.#customers = customers;
  }

  /** Peers that may have usage of the customer that never replicated here. */
  peersToCopy(identifier: string, now: number): Location[] {
    const locations: Location[] = [];
    const { site } = this.#state;
    if (site === null || site.locations.length === 1) return locations;
    const { copiedFrom, emptyUntil } = this.#customers.open(identifier);
    for (const location of site.locations) {
      if (location === site.location || this.#state.peer(location)?.isWhole) continue;
      if (!copiedFrom.has(location) && (emptyUntil.get(location) ?? 0) <= now) locations.push(location);
    }
    return locations;
  }

  /** All of the peer's records of the customer are merged. Stored only if the customer has stored records. */
  save(identifier: string, location: Location): void {
    const { copiedFrom } = this.#customers.open(identifier);
    copiedFrom.add(location);
    this.#store.saveCopiedFrom(identifier, [...copiedFrom]);
  }

  /** The peer has nothing stored. @param until when to ask it again: it will not replicate to us */
  saveEmpty(identifier: string, location: Location, until: number): void {
    this.#customers.open(identifier).emptyUntil.set(location, until);
  }

  /**
   * The other locations did not replicate here while this location was disabled: every customer is copied again on
   * next use.
   */
  forget(): void {
    if (!this.#state.isStored) return;
    for (const { copiedFrom, emptyUntil } of this.#customers.values()) {
      copiedFrom.clear();
      emptyUntil.clear();
    }
    this.#store.clearCopiedFrom();
    for (const peer of this.#state.peers) if (peer.isWhole) this.#state.savePeer({ ...peer, isWhole: false });
  }
}
