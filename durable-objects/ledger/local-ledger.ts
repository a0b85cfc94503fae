/**
 * The ledger of one location: decides calls in order, keeps what is in use in memory, and stores everything it decided
 * in one transaction before anybody hears of it. When a transaction fails, memory is given up with it.
 */
import type {
  CounterUpdate,
  CustomerRecords,
  KeyRecord,
  LedgerAnswer,
  LedgerCall,
  LedgerSite,
  MarkRecord,
  UpdateOutcome,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { decideUpdate, type UpdateRecords } from '#engine/ledger/decide-update';
import { areRivals, isOutdone, KEY_LIFETIME_MS } from '#engine/ledger/rival-keys';
import { heldAt, standingMark, withMark } from '#engine/ledger/standing-mark';
import { takeBack } from '#engine/ledger/take-back';
import type { LedgerStore, StoredPeer, StoredSelf } from './ledger-store.ts';
import { RecentCustomers } from './recent-customers.ts';

/** One customer in memory. */
export interface OpenCustomer {
  readonly meters: CustomerMeters;
  readonly copiedFrom: Set<Location>;
  /** Peers that had nothing at all when they were asked, and until when that is good enough. */
  readonly emptyUntil: Map<Location, number>;
}

/** Stale keys and released resources that one update may delete: more than it makes. */
const DELETIONS = 4;
/** Versions that are set aside at a time: after a restart those that were not given are left out. */
const RESERVED = 1000;

export class LocalLedger {
  readonly store: LedgerStore;
  readonly #newOrigin: (location: Location) => string;
  readonly #customers: RecentCustomers<OpenCustomer>;
  readonly #touched = new Set<CustomerMeters>();
  #self: StoredSelf | null = null;
  #heard: LedgerSite | null = null;
  #peers = new Map<Location, StoredPeer>();
  #sequence = 0;
  /** Of the transaction: its instant, how many updates had keys, and which customers' resources it changed. */
  #now = 0;
  #keyed = 0;
  readonly #released = new Set<string>();

  /**
   * @param newOrigin names a new life of the ledger: the location, and something never used before
   * @param memory how many cells may be kept in memory
   */
  constructor(store: LedgerStore, newOrigin: (location: Location) => string, memory: number) {
    this.store = store;
    this.#newOrigin = newOrigin;
    this.#customers = new RecentCustomers(memory);
    this.#reload();
  }

  /** Null: nothing was heard or stored yet. */
  get site(): LedgerSite | null {
    return this.#heard;
  }

  get origin(): string | null {
    return this.#self?.origin ?? null;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get peers(): readonly StoredPeer[] {
    return [...this.#peers.values()];
  }

  peer(location: Location): StoredPeer | undefined {
    return this.#peers.get(location);
  }

  /** Whether the location is turned on, as far as is known. */
  get isOpen(): boolean {
    return this.#heard === null || this.#heard.locations.includes(this.#heard.location);
  }

  /** Whether a call can be answered from memory: it changes nothing, not even what is known of the locations. */
  isReading(call: LedgerCall): boolean {
    return (
      call.updates.length === 0 && this.#heard !== null && call.site.generation <= this.#heard.generation
    );
  }

  /** Answers a call that only reads. */
  read(call: LedgerCall): LedgerAnswer {
    if (!this.isOpen) return this.#moved();
    const { meters } = this.open(call.customer);
    const readings = call.reads.map(({ propertyId, meter }) => meters.read(propertyId, meter, call.now));
    this.#customers.trim();
    return {
      kind: 'answered',
      outcomes: [],
      readings,
      isWhole: this.peersToCopy(call.customer, call.now).length === 0,
    };
  }

  /**
   * Decides calls one after the other, in one transaction.
   * @param alongside is told the answers, and may write what is to stand with them
   */
  apply(
    calls: readonly LedgerCall[],
    alongside?: (answers: readonly LedgerAnswer[]) => void,
  ): LedgerAnswer[] {
    return this.commit(() => {
      const answers = calls.map((call) => this.#applyOne(call));
      alongside?.(answers);
      return answers;
    });
  }

  /** Remembers where the environment's ledgers are, unless that is older than what is known. */
  hear(site: LedgerSite): void {
    const known = this.#heard;
    if (known !== null && site.generation <= known.generation) return;
    this.#heard = site;
    if (this.#self === null) return;
    if (known !== null && isSame(known.locations, site.locations)) return;
    this.#saveSelf({ ...this.#self, site });
    if (this.#self.origin === null) return;
    for (const location of this.#peers.keys()) {
      if (site.locations.includes(location)) continue;
      this.#peers.delete(location);
      this.store.deletePeer(location);
    }
    for (const location of site.locations) this.#addPeer(location, false);
  }

  /** All or nothing. @throws what the storage throws; memory is then as the storage is */
  commit<Result>(work: () => Result): Result {
    try {
      const result = this.store.transaction(() => {
        const decided = work();
        this.#store();
        return decided;
      });
      this.#customers.trim();
      return result;
    } catch (error) {
      this.#reload();
      throw error;
    }
  }

  /** The customer as stored; nothing is stored for one that is only asked about. */
  open(identifier: string): OpenCustomer {
    let customer = this.#customers.get(identifier);
    if (customer === undefined) {
      const stored = this.store.loadCustomer(identifier);
      const countHeld = (propertyId: string) => this.store.countHeld(identifier, propertyId);
      customer = {
        meters: new CustomerMeters(identifier, stored?.cells ?? [], countHeld),
        copiedFrom: new Set(stored?.copiedFrom),
        emptyUntil: new Map(),
      };
      this.#customers.set(identifier, customer, customer.meters.weight);
    }
    return customer;
  }

  /** Peers that may know something of the customer that was never sent here. */
  peersToCopy(identifier: string, now: number): Location[] {
    const locations: Location[] = [];
    const site = this.#heard;
    if (site === null || site.locations.length === 1) return locations;
    const { copiedFrom, emptyUntil } = this.open(identifier);
    for (const location of site.locations) {
      if (location === site.location || this.#peers.get(location)?.isWhole) continue;
      if (!copiedFrom.has(location) && (emptyUntil.get(location) ?? 0) <= now) locations.push(location);
    }
    return locations;
  }

  /** The origin of what is counted here; made when the first thing is stored. */
  live(): string {
    const origin = this.#self?.origin;
    if (origin) return origin;
    const site = this.#heard;
    if (site === null) throw new Error('A ledger counts only after it was told where it is');
    const made = this.#newOrigin(site.location);
    this.#sequence = 0;
    this.#saveSelf({ origin: made, sequence: 0, site });
    for (const location of site.locations) this.#addPeer(location, true);
    return made;
  }

  savePeer(peer: StoredPeer): void {
    this.#peers.set(peer.location, peer);
    this.store.savePeer(peer);
  }

  /** Takes what is newer than what is known. @returns own decisions that rival the keys among the records */
  merge({ customer, cells, marks, keys }: CustomerRecords): KeyRecord[] {
    const origin = this.live();
    const { meters } = this.open(customer);
    this.#touched.add(meters);
    for (const cell of cells) {
      const replaced = cell.origin === origin ? false : meters.put(cell);
      if (replaced === false) continue;
      for (const start of replaced) {
        if (start !== cell.start) this.store.deleteCell(customer, { ...cell, start });
      }
      this.store.putCell(customer, cell);
    }
    for (const mark of marks) if (mark.origin !== origin) this.#mergeMark(meters, mark);
    return keys.flatMap((key) => (key.origin === origin ? [] : this.#mergeKey(meters, key)));
  }

  /** All that the peer had of the customer is here now; remembered where anything is stored of it. */
  saveCopied(identifier: string, location: Location): void {
    const { copiedFrom } = this.open(identifier);
    copiedFrom.add(location);
    this.store.saveCopiedFrom(identifier, [...copiedFrom]);
  }

  /** Ends this life of the ledger: what stays is that the location is turned off, if anything was ever stored. */
  erase(): void {
    const site = this.#heard;
    if (this.#self === null || site === null) return;
    this.store.transaction(() => {
      this.store.erase();
      this.store.saveSelf({ origin: null, sequence: 0, site });
    });
    this.#reload();
  }

  /** All that was written here before this instant is known to all peers. */
  settledAt(now: number): number {
    let settledAt = now;
    for (const peer of this.#peers.values()) {
      if (peer.cursor < this.#sequence) settledAt = Math.min(settledAt, peer.ackedAt);
    }
    return settledAt;
  }

  #applyOne(call: LedgerCall): LedgerAnswer {
    this.hear(call.site);
    if (!this.isOpen) return this.#moved();
    const customer = this.open(call.customer);
    const outcomes = call.updates.map((update) => this.#update(customer, update, call.now));
    const readings = call.reads.map(({ propertyId, meter }) =>
      customer.meters.read(propertyId, meter, call.now),
    );
    return {
      kind: 'answered',
      outcomes,
      readings,
      isWhole: this.peersToCopy(call.customer, call.now).length === 0,
    };
  }

  #update({ meters }: OpenCustomer, update: CounterUpdate, now: number): UpdateOutcome {
    this.#touched.add(meters);
    if (update.key !== undefined) this.#keyed += 1;
    if (update.resourceId !== undefined) this.#released.add(meters.identifier);
    this.#now = now;
    return decideUpdate(meters, update, now, this.#records(meters.identifier));
  }

  /** The customer's records, with own versions given as they are written. */
  #records(identifier: string): UpdateRecords {
    const { store } = this;
    const live = () => this.live();
    return {
      get origin() {
        return live();
      },
      findMarks: (propertyId, resourceId) => store.findMarks(identifier, propertyId, resourceId),
      putMark: (mark, others) => this.#putMark(identifier, { ...mark, version: this.#next() }, others),
      findKeys: (text) => store.findKeys(identifier, text),
      putKey: (key) => store.putKey(identifier, { ...key, version: this.#next() }),
    };
  }

  #putMark(identifier: string, mark: MarkRecord, others: readonly MarkRecord[]): void {
    const standing = standingMark(withMark(others, mark));
    this.store.putMark(identifier, mark, standing?.isHeld === true ? standing.origin : null);
  }

  #mergeMark(meters: CustomerMeters, mark: MarkRecord): void {
    const marks = this.store.findMarks(meters.identifier, mark.propertyId, mark.resourceId);
    const known = marks.find((each) => each.origin === mark.origin);
    if (known !== undefined && known.version >= mark.version) return;
    this.#putMark(meters.identifier, mark, marks);
    const after = standingMark(withMark(marks, mark));
    meters.moveHeld(mark.propertyId, heldAt(standingMark(marks)), heldAt(after));
  }

  #mergeKey(meters: CustomerMeters, key: KeyRecord): KeyRecord[] {
    const known = this.store.findKeys(meters.identifier, key.text);
    const same = known.find((each) => each.origin === key.origin && each.at === key.at);
    if (same === undefined || same.version < key.version) this.store.putKey(meters.identifier, key);
    const rivals: KeyRecord[] = [];
    for (const own of known) {
      if (own.origin !== this.origin || own.isTakenBack || !areRivals(own, key)) continue;
      if (isOutdone(own, key)) takeBack(meters, own, this.#records(meters.identifier));
      else rivals.push(own);
    }
    return rivals;
  }

  /** The highest own version that all peers have. */
  #acknowledged(): number {
    let upTo = this.#sequence;
    for (const peer of this.#peers.values()) upTo = Math.min(upTo, peer.cursor);
    return upTo;
  }

  /** Keys are kept until all peers know of the own ones: one of them may have accepted the same. */
  #deleteStaleKeys(origin: string, now: number): void {
    const unknownSince = this.store.oldestKeyAfter(origin, this.#acknowledged()) ?? now;
    this.store.deleteKeys(Math.min(now - KEY_LIFETIME_MS, unknownSince), DELETIONS * this.#keyed);
    this.#keyed = 0;
  }

  /** That a resource was released is kept until no location can still say otherwise. */
  #deleteReleased(identifier: string, origin: string, now: number): void {
    let settledAt = this.settledAt(now);
    for (const peer of this.#peers.values()) settledAt = Math.min(settledAt, peer.settledAt);
    const before = settledAt - KEY_LIFETIME_MS;
    const upTo = this.#acknowledged();
    for (const { propertyId, resourceId } of this.store.releasedBefore(identifier, before, DELETIONS)) {
      const marks = this.store.findMarks(identifier, propertyId, resourceId);
      if (marks.some((mark) => mark.origin === origin && mark.version > upTo)) continue;
      this.store.deleteMarks(identifier, settledMarks(marks, before));
    }
  }

  #store(): void {
    const origin = this.origin;
    if (origin === null) return;
    for (const meters of this.#touched) {
      const { cells, removed } = meters.takeChanges(origin, () => this.#next());
      for (const cell of removed) this.store.deleteCell(meters.identifier, cell);
      for (const cell of cells) this.store.putCell(meters.identifier, cell);
      this.#customers.reweigh(meters.identifier, meters.weight);
    }
    if (this.#keyed > 0) this.#deleteStaleKeys(origin, this.#now);
    for (const identifier of this.#released) this.#deleteReleased(identifier, origin, this.#now);
    this.#released.clear();
    this.#touched.clear();
    const self = this.#self;
    if (self !== null && this.#sequence > self.sequence) {
      this.#saveSelf({ ...self, sequence: this.#sequence + RESERVED });
    }
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

  #moved(): LedgerAnswer {
    return { kind: 'moved', locations: this.#heard?.locations ?? [] };
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  #saveSelf(self: StoredSelf): void {
    this.#self = self;
    this.store.saveSelf(self);
  }

  #reload(): void {
    this.store.forget();
    this.#customers.clear();
    this.#touched.clear();
    this.#released.clear();
    this.#keyed = 0;
    this.#self = this.store.loadSelf();
    this.#heard = this.#self?.site ?? null;
    this.#sequence = this.#self?.sequence ?? 0;
    this.#peers = new Map(this.store.loadPeers().map((peer) => [peer.location, this.#upToDate(peer)]));
  }

  /** A peer that has acknowledged the last version given has acknowledged all, also what was only set aside. */
  #upToDate(peer: StoredPeer): StoredPeer {
    const { origin } = this;
    if (origin === null || peer.cursor < this.store.lastVersion(origin)) return peer;
    return { ...peer, cursor: this.#sequence };
  }
}

/** All marks of a resource that was released long ago; of another only releases that have long been outdone. */
function settledMarks(marks: readonly MarkRecord[], before: number): MarkRecord[] {
  const standing = standingMark(marks);
  const isReleased = standing !== null && !standing.isHeld && standing.stamp < before;
  return marks.filter((mark) => mark.stamp > 0 && mark.stamp < before && (isReleased || !mark.isHeld));
}

function isSame(some: readonly Location[], others: readonly Location[]): boolean {
  return some.length === others.length && some.every((location) => others.includes(location));
}
