/**
 * A ledger's replication state: the site, its own incarnation, the version counter, the cursor of each peer, and the
 * retired incarnations. Memory mirrors the storage.
 */
import type { LedgerSite } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { LedgerStore, StoredPeer, StoredState } from './ledger-store.ts';

/** Retired incarnations to keep; the oldest are dropped first. Each disabled location adds one. */
const MAX_RETIRED = 50;

export class ReplicationState {
  readonly #store: LedgerStore;
  readonly #newOrigin: (location: Location) => string;
  #stored: StoredState | null = null;
  #site: LedgerSite | null = null;
  #peers = new Map<Location, StoredPeer>();
  /** The progress of a peer is in memory only. */
  #isUnsaved = false;
  #sequence = 0;
  #retired = new Set<string>();

  /** @param newOrigin returns a unique origin for a new incarnation, prefixed with the location */
  constructor(store: LedgerStore, newOrigin: (location: Location) => string) {
    this.#store = store;
    this.#newOrigin = newOrigin;
    this.reload();
  }

  /** Restores the state from storage, when memory may be ahead of it. */
  reload(): void {
    this.#stored = this.#store.loadState();
    this.#site = this.#stored?.site ?? null;
    this.#retired = new Set(this.#stored?.retired);
    this.#isUnsaved = false;
    const peers = this.#stored?.peers ?? [];
    const lastChange = this.#stored === null ? 0 : this.#store.lastChange();
    this.#sequence = Math.max(this.#stored?.sequence ?? 0, lastChange, ...peers.map(({ cursor }) => cursor));
    this.#peers = new Map(
      peers.map((peer) => [
        peer.location,
        // One that has the last change has everything.
        peer.cursor < lastChange ? peer : { ...peer, cursor: this.#sequence },
      ]),
    );
  }

  /** Null: no site was received or stored yet. */
  get site(): LedgerSite | null {
    return this.#site;
  }

  /** Null: nothing was counted since the last retirement, or ever. */
  get origin(): string | null {
    return this.#stored?.origin ?? null;
  }

  /** Whether anything is stored. */
  get isStored(): boolean {
    return this.#stored !== null;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** The peers in enabled locations. */
  get peers(): readonly StoredPeer[] {
    return [...this.#peers.values()].filter((peer) => peer.isOff !== true);
  }

  peer(location: Location): StoredPeer | undefined {
    return this.#peers.get(location);
  }

  /** Retired incarnations: their records no longer change. */
  get retired(): readonly string[] {
    return [...this.#retired];
  }

  isRetired(origin: string): boolean {
    return this.#retired.has(origin);
  }

  /** Whether this location is enabled, as far as is known. */
  get isOpen(): boolean {
    return this.#site === null || this.#site.locations.includes(this.#site.location);
  }

  isNewer(site: LedgerSite): boolean {
    const known = this.#site;
    if (known === null || site.generation > known.generation) return true;
    return known.shards === undefined && site.shards !== undefined && site.generation === known.generation;
  }

  /** Stores the environment's locations, unless a newer generation is known. */
  observe(site: LedgerSite): void {
    if (!this.isNewer(site)) return;
    const known = this.#site;
    this.#site = { ...(known?.shards === undefined ? {} : { shards: known.shards }), ...site };
    if (this.#stored === null) return;
    const isSameSite = known?.shards === this.#site.shards && isSame(known?.locations ?? [], site.locations);
    if (isSameSite) return;
    if (this.#stored.origin !== null) {
      for (const peer of this.#peers.values()) {
        this.#peers.set(peer.location, { ...peer, isOff: !site.locations.includes(peer.location) });
      }
      this.#addPeers(site, false);
    }
    this.#save({ ...this.#stored, site: this.#site });
  }

  /** Removes a peer whose location is disabled and has completed its handoff. */
  forgetPeer(location: Location): void {
    if (this.#stored === null || this.#peers.get(location)?.isOff !== true) return;
    this.#peers.delete(location);
    this.#save(this.#stored);
  }

  /** The origin for new counts; starts an incarnation on the first write. */
  liveOrigin(): string {
    const { origin } = this;
    if (origin !== null) return origin;
    const site = this.#site;
    if (site === null) throw new Error('A ledger counts only after it has stored its site');
    const made = this.#newOrigin(site.location);
    this.#addPeers(site, true);
    this.#save({ origin: made, site, retired: this.retired });
    return made;
  }

  /** Retires the incarnation: it counts and reverts nothing from now on. */
  retire(): void {
    const { origin } = this;
    if (this.#stored === null || origin === null) return;
    this.#save({ ...this.#stored, origin: null });
    this.addRetired([origin]);
  }

  /** @returns the ones that were new */
  addRetired(origins: readonly string[]): string[] {
    const added = origins.filter((origin) => !this.#retired.has(origin) && origin !== this.origin);
    if (added.length === 0 || this.#stored === null) return [];
    for (const origin of added) this.#retired.add(origin);
    for (const oldest of this.#retired) {
      if (this.#retired.size <= MAX_RETIRED) break;
      this.#retired.delete(oldest);
    }
    this.#save({ ...this.#stored, retired: this.retired });
    return added;
  }

  /** Stores the site alone, after everything was erased. */
  reset(site: LedgerSite): void {
    this.#store.saveState({ origin: null, sequence: 0, site, retired: [], peers: [] });
  }

  savePeer(peer: StoredPeer): void {
    this.notePeer(peer);
    if (this.#stored !== null) this.#save(this.#stored);
  }

  /** Notes how far a peer is. An instance that ends before `saveProgress` has lost no more than that: the peer is sent the same again. */
  notePeer(peer: StoredPeer): void {
    this.#peers.set(peer.location, peer);
    this.#isUnsaved = true;
  }

  /** Stores what peers have acknowledged, and which versions are in use. Call before records are deleted or folded. */
  saveProgress(): void {
    if (this.#stored === null) return;
    if (this.#isUnsaved || this.#stored.sequence < this.#sequence) this.#save(this.#stored);
  }

  /** The version of the next own record. */
  nextVersion(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** The highest own version that all peers have, including disabled ones, which may be enabled again. */
  get acknowledged(): number {
    let upTo = this.#sequence;
    for (const peer of this.#peers.values()) upTo = Math.min(upTo, peer.cursor);
    return upTo;
  }

  /** All peers know everything that was written here before this instant. */
  settledAt(now: number): number {
    let settledAt = now;
    for (const peer of this.#peers.values()) {
      if (peer.cursor < this.#sequence) settledAt = Math.min(settledAt, peer.ackedAt);
    }
    return settledAt;
  }

  /** All locations know everything that any location wrote before this instant. */
  settledEverywhereAt(now: number): number {
    let settledAt = this.settledAt(now);
    for (const peer of this.#peers.values()) settledAt = Math.min(settledAt, peer.settledAt);
    return settledAt;
  }

  #addPeers(site: LedgerSite, isFromStart: boolean): void {
    for (const location of site.locations) {
      if (location === site.location || this.#peers.has(location)) continue;
      this.#peers.set(location, {
        location,
        isFromStart,
        origin: null,
        cursor: this.#sequence,
        isWhole: false,
        settledAt: 0,
        ackedAt: 0,
        handoffCursor: 0,
      });
    }
  }

  #save(state: Omit<StoredState, 'sequence' | 'peers'>): void {
    const stored = { ...state, sequence: this.#sequence, peers: [...this.#peers.values()] };
    this.#store.saveState(stored);
    this.#stored = stored;
    this.#isUnsaved = false;
  }
}

function isSame(some: readonly Location[], others: readonly Location[]): boolean {
  return some.length === others.length && some.every((location) => others.includes(location));
}
