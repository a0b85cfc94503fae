/**
 * What a ledger knows of itself and of the others: where it is, which of its lives this is, which version it gave last,
 * how much of its own each peer has, and whose lives have ended. Kept in memory as it is stored.
 */
import type { LedgerSite } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { LedgerStore, StoredPeer, StoredSelf } from './ledger-store.ts';

/** Versions that are set aside at a time: after a restart those that were not given are left out. */
const RESERVED = 1000;
/** Lives of the environment's ledgers that have ended, the latest: each time that a location is turned off is one. */
const REMEMBERED_LIVES = 50;

export class LedgerSelf {
  readonly #store: LedgerStore;
  readonly #newOrigin: (location: Location) => string;
  #stored: StoredSelf | null = null;
  #heard: LedgerSite | null = null;
  #peers = new Map<Location, StoredPeer>();
  #sequence = 0;
  #ended = new Set<string>();

  /** @param newOrigin names a new life of the ledger: the location, and something never used before */
  constructor(store: LedgerStore, newOrigin: (location: Location) => string) {
    this.#store = store;
    this.#newOrigin = newOrigin;
    this.reload();
  }

  /** Goes by what is stored: memory may be ahead of it. */
  reload(): void {
    this.#stored = this.#store.loadSelf();
    this.#heard = this.#stored?.site ?? null;
    this.#sequence = this.#stored?.sequence ?? 0;
    this.#ended = new Set(this.#stored?.ended);
    this.#peers = new Map(this.#store.loadPeers().map((peer) => [peer.location, this.#upToDate(peer)]));
  }

  /** Null: nothing was heard or stored yet. */
  get site(): LedgerSite | null {
    return this.#heard;
  }

  /** Null: nothing was counted since the location was closed, or ever. */
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

  /** In the locations that are turned on. */
  get peers(): readonly StoredPeer[] {
    return [...this.#peers.values()].filter((peer) => peer.isOff !== true);
  }

  peer(location: Location): StoredPeer | undefined {
    return this.#peers.get(location);
  }

  /** Lives that have ended: nothing that was counted in them changes any more. */
  get ended(): readonly string[] {
    return [...this.#ended];
  }

  hasEnded(origin: string): boolean {
    return this.#ended.has(origin);
  }

  /** Whether the location is turned on, as far as is known. */
  get isOpen(): boolean {
    return this.#heard === null || this.#heard.locations.includes(this.#heard.location);
  }

  isNews(site: LedgerSite): boolean {
    const known = this.#heard;
    if (known === null || site.generation > known.generation) return true;
    return known.shards === undefined && site.shards !== undefined && site.generation === known.generation;
  }

  /** Remembers where the environment's ledgers are, unless that is older than what is known. */
  hear(site: LedgerSite): void {
    if (!this.isNews(site)) return;
    const known = this.#heard;
    this.#heard = { ...(known?.shards === undefined ? {} : { shards: known.shards }), ...site };
    if (this.#stored === null) return;
    const isSameSite = known?.shards === this.#heard.shards && isSame(known?.locations ?? [], site.locations);
    if (isSameSite) return;
    this.#save({ ...this.#stored, site: this.#heard });
    if (this.#stored.origin === null) return;
    for (const peer of this.#peers.values()) {
      const isOff = !site.locations.includes(peer.location);
      if (isOff !== (peer.isOff ?? false)) this.savePeer({ ...peer, isOff });
    }
    for (const location of site.locations) this.#addPeer(location, false);
  }

  /** A location that was turned off has handed over all it had: nobody waits for it any more. */
  forgetPeer(location: Location): void {
    if (this.#peers.get(location)?.isOff !== true) return;
    this.#peers.delete(location);
    this.#store.deletePeer(location);
  }

  /** The origin of what is counted here; made when the first thing is stored. */
  live(): string {
    const { origin } = this;
    if (origin !== null) return origin;
    const site = this.#heard;
    if (site === null) throw new Error('A ledger counts only after it was told where it is');
    const made = this.#newOrigin(site.location);
    this.#save({ origin: made, sequence: this.#sequence, site, ended: this.ended });
    for (const location of site.locations) this.#addPeer(location, true);
    return made;
  }

  /** Nothing is counted in this life from now on, nor taken back; what was counted stands as that of an origin that ended. */
  end(): void {
    const { origin } = this;
    if (this.#stored === null || origin === null) return;
    this.#save({ ...this.#stored, origin: null, sequence: this.#sequence });
    this.addEnded([origin]);
  }

  /** @returns those that were news */
  addEnded(origins: readonly string[]): string[] {
    const news = origins.filter((origin) => !this.#ended.has(origin) && origin !== this.origin);
    if (news.length === 0 || this.#stored === null) return [];
    for (const origin of news) this.#ended.add(origin);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= REMEMBERED_LIVES) break;
      this.#ended.delete(oldest);
    }
    this.#save({ ...this.#stored, ended: this.ended });
    return news;
  }

  /** Nothing of anybody is stored any more: what stays is where the environment's ledgers are. */
  startAnew(site: LedgerSite): void {
    this.#store.saveSelf({ origin: null, sequence: 0, site, ended: [] });
  }

  savePeer(peer: StoredPeer): void {
    this.#peers.set(peer.location, peer);
    this.#store.savePeer(peer);
  }

  /** The version of the next own record. */
  nextVersion(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** At the end of a transaction: versions that were given are never given again. */
  reserveVersions(): void {
    const stored = this.#stored;
    if (stored === null || this.#sequence <= stored.sequence) return;
    this.#save({ ...stored, sequence: this.#sequence + RESERVED });
  }

  /** The highest own version that all peers have, those as well that are turned off and may be turned on again. */
  get acknowledged(): number {
    let upTo = this.#sequence;
    for (const peer of this.#peers.values()) upTo = Math.min(upTo, peer.cursor);
    return upTo;
  }

  /** All that was written here before this instant is known to all peers. */
  settledAt(now: number): number {
    let settledAt = now;
    for (const peer of this.#peers.values()) {
      if (peer.cursor < this.#sequence) settledAt = Math.min(settledAt, peer.ackedAt);
    }
    return settledAt;
  }

  /** All that anybody wrote before this instant is known to everybody. */
  settledEverywhereAt(now: number): number {
    let settledAt = this.settledAt(now);
    for (const peer of this.#peers.values()) settledAt = Math.min(settledAt, peer.settledAt);
    return settledAt;
  }

  #addPeer(location: Location, isFromStart: boolean): void {
    if (location === this.#heard?.location || this.#peers.has(location)) return;
    this.savePeer({
      location,
      isFromStart,
      origin: null,
      cursor: this.#sequence,
      isWhole: false,
      settledAt: 0,
      ackedAt: 0,
      handedOver: 0,
    });
  }

  #save(stored: StoredSelf): void {
    this.#stored = stored;
    this.#store.saveSelf(stored);
  }

  /** A peer that has acknowledged the last version given has acknowledged all, also what was only set aside. */
  #upToDate(peer: StoredPeer): StoredPeer {
    const { origin } = this;
    if (origin === null || peer.cursor < this.#store.lastVersion(origin)) return peer;
    return { ...peer, cursor: this.#sequence };
  }
}

function isSame(some: readonly Location[], others: readonly Location[]): boolean {
  return some.length === others.length && some.every((location) => others.includes(location));
}
