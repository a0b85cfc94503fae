/**
 * A ledger's replication state: the site, its own incarnation, the version counter, the cursor of each peer, and the
 * retired incarnations. Memory mirrors the storage.
 */
import type { LedgerSite, Regions } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { LedgerStore, StoredPeer, StoredState } from './ledger-store.ts';

/** Retired incarnations to keep; the oldest are dropped first. Each disabled location adds one. */
const MAX_RETIRED = 50;

export class ReplicationState {
  readonly #store: LedgerStore;
  readonly #newOrigin: (location: Location) => string;
  #stored: StoredState | null = null;
  #site: LedgerSite | null = null;
  #others: readonly Location[] = [];
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
    this.#setSite(this.#stored?.site ?? null);
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

  /** Those that are sent changes: in enabled locations, and in leaving ones until they retire. */
  get peers(): readonly StoredPeer[] {
    const site = this.#site;
    const peers: StoredPeer[] = [];
    if (site === null) return peers;
    for (const peer of this.#peers.values()) {
      if (peer.hasLeft !== true && isListed(site, peer.location)) peers.push(peer);
    }
    return peers;
  }

  /** The peers in enabled locations: they are handed everything. */
  get enabledPeers(): readonly StoredPeer[] {
    const { locations = [] } = this.#site ?? {};
    return this.#present().filter(({ location }) => locations.includes(location));
  }

  /** A disabled location has not announced its retirement: it may have changed what is nowhere else. */
  get isAnyoneLeaving(): boolean {
    const { locations = [] } = this.#site ?? {};
    return [...this.#peers.values()].some(
      ({ location, hasLeft }) => hasLeft !== true && !locations.includes(location),
    );
  }

  /** The other locations that may have usage that is nowhere else. */
  get others(): readonly Location[] {
    return this.#others;
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
    if (site.generation < known.generation) return false;
    const isFirst = (field: 'shards' | 'leaving') => known[field] === undefined && site[field] !== undefined;
    return isFirst('shards') || isFirst('leaving');
  }

  /** Whether anything of usage is stored, of any origin. */
  get hasRecords(): boolean {
    return this.#stored !== null && (this.#sequence > 0 || this.#store.customersAfter(0, 1).length > 0);
  }

  /** Stores the environment's locations, unless a newer generation is known. */
  observe(site: LedgerSite): void {
    if (!this.isNewer(site)) return;
    const known = this.#site;
    const wasOpen = this.isOpen;
    const current = { ...(known?.shards === undefined ? {} : { shards: known.shards }), ...site };
    this.#setSite(current);
    if (this.#stored === null) {
      // A caller with an older snapshot must not find it open after an eviction. Nobody reads what a deleted environment counts.
      if (!this.isOpen && site.locations.length > 0) {
        this.#save({ origin: null, site: current, retired: [] });
      }
      return;
    }
    const isSame = this.isOpen && known?.shards === current.shards && areSame(known, current);
    if (isSame) return;
    if (wasOpen && !this.isOpen) this.#startHandoff();
    this.#alignPeers(current);
    this.#save({ ...this.#stored, site: current });
  }

  /**
   * A location that is leaving hands off to the locations of `site` only. Others, although they may be enabled again, do not have
   * everything that this ledger has.
   */
  notePartialHandoff(from: Location, { locations }: Regions): void {
    let isChanged = false;
    for (const peer of this.#peers.values()) {
      if (!peer.isFromStart || peer.location === from || locations.includes(peer.location)) continue;
      this.notePeer({ ...peer, isFromStart: false });
      isChanged = true;
    }
    if (isChanged && this.#stored !== null) this.#save(this.#stored);
  }

  /** No peer is known to replicate everything to this ledger. */
  forgetWhole(): void {
    let isChanged = false;
    for (const peer of this.#peers.values()) {
      if (!peer.isWhole) continue;
      this.notePeer({ ...peer, isWhole: false });
      isChanged = true;
    }
    if (isChanged && this.#stored !== null) this.#save(this.#stored);
  }

  /** A peer in a disabled location has handed off everything and retired. */
  noteLeft(location: Location): void {
    const peer = this.#peers.get(location);
    if (peer === undefined || peer.hasLeft || this.#site?.locations.includes(location)) return;
    this.savePeer({ ...peer, hasLeft: true });
  }

  /** The origin for new counts; starts an incarnation on the first write. */
  liveOrigin(): string {
    const { origin } = this;
    if (origin !== null) return origin;
    const site = this.#site;
    if (site === null) throw new Error('A ledger counts only after it has stored its site');
    const made = this.#newOrigin(site.location);
    this.#alignPeers(site);
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
    for (const peer of this.#present()) upTo = Math.min(upTo, peer.cursor);
    return upTo;
  }

  /** All peers know everything that was written here before this instant. */
  settledAt(now: number): number {
    let settledAt = now;
    for (const peer of this.#present()) {
      if (peer.cursor < this.#sequence) settledAt = Math.min(settledAt, peer.ackedAt);
    }
    return settledAt;
  }

  /** All locations know everything that any location wrote before this instant. */
  settledEverywhereAt(now: number): number {
    let settledAt = this.settledAt(now);
    for (const peer of this.#present()) settledAt = Math.min(settledAt, peer.settledAt);
    return settledAt;
  }

  #setSite(site: LedgerSite | null): void {
    this.#site = site;
    this.#others = site === null ? [] : listed(site).filter((location) => location !== site.location);
  }

  /** Without those that have retired. */
  #present(): StoredPeer[] {
    return [...this.#peers.values()].filter((peer) => peer.hasLeft !== true);
  }

  /** The peers of a site. Those that it does not list have been erased; an earlier version lists none that is leaving. */
  #alignPeers(site: LedgerSite): void {
    const isFromStart = !this.hasRecords;
    for (const peer of this.#peers.values()) {
      const { location } = peer;
      const isEnabled = site.locations.includes(location);
      const isGone = site.leaving !== undefined && !isListed(site, location);
      // One that was erased and is enabled again has lost its data.
      if (isGone || (peer.hasLeft && isEnabled)) this.#peers.delete(location);
      else if (peer.isFromStart && (!isEnabled || site.leaving?.[location] !== undefined)) {
        this.#peers.set(location, { ...peer, isFromStart: false });
      }
    }
    for (const location of listed(site)) {
      if (location === site.location || this.#peers.has(location)) continue;
      this.#peers.set(location, {
        location,
        isFromStart: isFromStart && site.locations.includes(location),
        origin: null,
        cursor: isFromStart ? this.#sequence : this.#cursorOfStranger(),
        isWhole: false,
        settledAt: 0,
        ackedAt: 0,
        handoffCursor: 0,
      });
    }
  }

  /**
   * A location that may have counted without knowing this one is sent the decisions that a retry may repeat: the same key may have been
   * accepted there. It copies the rest.
   */
  #cursorOfStranger(): number {
    const first = this.#store.firstKeyChange();
    return first === null ? this.#sequence : Math.min(this.#sequence, first - 1);
  }

  /** What an earlier handoff brought to the peers may have changed. */
  #startHandoff(): void {
    for (const peer of this.#peers.values()) {
      if (peer.handoffCursor > 0) this.#peers.set(peer.location, { ...peer, handoffCursor: 0 });
    }
  }

  #save(state: Omit<StoredState, 'sequence' | 'peers'>): void {
    const { locations } = state.site;
    // Earlier versions read `isOff`.
    const peers = [...this.#peers.values()].map((peer) => ({
      ...peer,
      isOff: !locations.includes(peer.location),
    }));
    const stored = { ...state, sequence: this.#sequence, peers };
    this.#store.saveState(stored);
    this.#stored = stored;
    this.#isUnsaved = false;
  }
}

function isListed({ locations, leaving }: Regions, location: Location): boolean {
  return locations.includes(location) || leaving?.[location] !== undefined;
}

/** Enabled and leaving locations. */
function listed({ locations, leaving = {} }: Regions): Location[] {
  return [...new Set([...locations, ...(Object.keys(leaving) as Location[])])];
}

function areSame(one: Regions | null, other: Regions): boolean {
  return one !== null && regionsText(one) === regionsText(other);
}

function regionsText({ locations, leaving }: Regions): string {
  const runs = leaving && Object.entries(leaving).sort(([some], [others]) => (some < others ? -1 : 1));
  return JSON.stringify([[...locations].sort(), runs]);
}
