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
  UpdateOutcome,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { decideUpdate, type UpdateRecords } from '#engine/ledger/decide-update';
import { forgetReleased, forgetStaleKeys } from './forget-settled.ts';
import { LedgerSelf } from './ledger-self.ts';
import type { LedgerStore, StoredLink } from './ledger-store.ts';
import { RecentCustomers } from './recent-customers.ts';
import { RecordMerger } from './record-merger.ts';

/** One customer in memory. */
export interface OpenCustomer {
  readonly meters: CustomerMeters;
  readonly copiedFrom: Set<Location>;
  /** Peers that had nothing at all when they were asked, and until when that is good enough. */
  readonly emptyUntil: Map<Location, number>;
  /** Null: it is no other name of a customer, as far as is known. */
  link: StoredLink | null;
}

export class LocalLedger {
  readonly store: LedgerStore;
  readonly self: LedgerSelf;
  readonly #merger: RecordMerger;
  readonly #customers: RecentCustomers<OpenCustomer>;
  readonly #touched = new Set<CustomerMeters>();
  /** Of the transaction: its instant, how many updates had keys, and which customers' resources it changed. */
  #now = 0;
  #keyed = 0;
  readonly #released = new Set<string>();
  readonly #customerOf: (identifier: string) => string | null;
  #hasUncarried = false;

  /**
   * @param newOrigin names a new life of the ledger: the location, and something never used before
   * @param memory how many cells may be kept in memory
   * @param customerOf whose other name an identifier is; null: nobody's, as far as is known
   */
  constructor(
    store: LedgerStore,
    newOrigin: (location: Location) => string,
    memory: number,
    customerOf: (identifier: string) => string | null = () => null,
  ) {
    this.store = store;
    this.#customerOf = customerOf;
    this.#customers = new RecentCustomers(memory);
    store.forget();
    this.self = new LedgerSelf(store, newOrigin);
    this.#merger = new RecordMerger({
      store,
      self: this.self,
      touch: (customer) => {
        const { meters } = this.open(customer);
        this.#touched.add(meters);
        return meters;
      },
      recordsOf: (customer) => this.#records(customer),
    });
    this.recheckUncarried();
  }

  /** Something was used under another name of a customer, and may not have been carried over. */
  get hasUncarried(): boolean {
    return this.#hasUncarried;
  }

  recheckUncarried(): void {
    this.#hasUncarried = this.self.isStored && this.store.uncarried(1).length > 0;
  }

  /** Whether a call can be answered from memory: it changes nothing, not even what is known of the locations. */
  isReading(call: LedgerCall): boolean {
    return call.updates.length === 0 && !this.self.isNews(call.site);
  }

  /** Answers a call that only reads. */
  read(call: LedgerCall): LedgerAnswer {
    if (!this.self.isOpen) return this.#moved();
    const { meters } = this.open(call.customer);
    const readings = call.reads.map(({ propertyId, meter }) => meters.read(propertyId, meter, call.now));
    this.#customers.trim();
    return { kind: 'answered', outcomes: [], readings, isWhole: this.#isWhole(call) };
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
    const wasOpen = this.self.isOpen;
    this.self.hear(site);
    if (wasOpen && !this.self.isOpen) this.forgetCopies();
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
        link: stored?.link ?? null,
      };
      this.#customers.set(identifier, customer, customer.meters.weight);
    }
    return customer;
  }

  /** Peers that may know something of the customer that was never sent here. */
  peersToCopy(identifier: string, now: number): Location[] {
    const locations: Location[] = [];
    const { site } = this.self;
    if (site === null || site.locations.length === 1) return locations;
    const { copiedFrom, emptyUntil } = this.open(identifier);
    for (const location of site.locations) {
      if (location === site.location || this.self.peer(location)?.isWhole) continue;
      if (!copiedFrom.has(location) && (emptyUntil.get(location) ?? 0) <= now) locations.push(location);
    }
    return locations;
  }

  /**
   * The identifier is another name of a customer: all that is stored of it is to be carried over. The first that is said
   * holds, so that nothing is carried to two.
   */
  linkTo(identifier: string, target: string): void {
    const customer = this.open(identifier);
    if (customer.link !== null || identifier === target || !this.store.hasCustomer(identifier)) return;
    this.#saveLink(customer, { identifier, target, changed: 1, carried: 0 });
  }

  /** @param upTo what `changed` was when everything was read that was carried */
  saveCarried(identifier: string, upTo: number): void {
    const customer = this.open(identifier);
    const { link } = customer;
    if (link !== null && link.carried < upTo) this.#saveLink(customer, { ...link, carried: upTo });
  }

  /**
   * Takes what is newer than what is known.
   * @param isRelayed it was carried over to the customer here: the peers are told, as of what is counted here
   * @returns other decisions than these under the same keys
   */
  merge(records: CustomerRecords, isRelayed = false): KeyRecord[] {
    const { customer, linkedTo } = records;
    const opened = this.open(customer);
    if (linkedTo !== undefined && opened.link === null) {
      opened.link = { identifier: customer, target: linkedTo, changed: 0, carried: 0 };
    }
    return this.#merger.merge(records, () => (isRelayed ? this.self.nextVersion() : null));
  }

  learnEnded(origins: readonly string[]): void {
    this.#merger.learnEnded(origins);
  }

  /** All that the peer had of the customer is here now; remembered where anything is stored of it. */
  saveCopied(identifier: string, location: Location): void {
    const { copiedFrom } = this.open(identifier);
    copiedFrom.add(location);
    this.store.saveCopiedFrom(identifier, [...copiedFrom]);
  }

  /**
   * While the location was off the others counted without telling, and took what was handed over by those that closed:
   * every customer is copied again when it is next used.
   */
  forgetCopies(): void {
    if (!this.self.isStored) return;
    for (const { copiedFrom, emptyUntil } of this.#customers.values()) {
      copiedFrom.clear();
      emptyUntil.clear();
    }
    this.store.clearCopiedFrom();
    for (const peer of this.self.peers) if (peer.isWhole) this.self.savePeer({ ...peer, isWhole: false });
  }

  /** Deletes all that is stored: what stays is that the location is turned off, if anything was ever stored. */
  erase(): void {
    const { site } = this.self;
    if (!this.self.isStored || site === null) return;
    this.store.transaction(() => {
      this.store.erase();
      this.self.startAnew(site);
    });
    this.#reload();
  }

  #applyOne(call: LedgerCall): LedgerAnswer {
    this.hear(call.site);
    if (!this.self.isOpen) return this.#moved();
    const customer = this.open(call.customer);
    const outcomes = call.updates.map((update) => this.#update(customer, update, call.now));
    const readings = call.reads.map(({ propertyId, meter }) =>
      customer.meters.read(propertyId, meter, call.now),
    );
    return { kind: 'answered', outcomes, readings, isWhole: this.#isWhole(call) };
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
    const { store, self } = this;
    return {
      get origin() {
        return self.live();
      },
      findMarks: (propertyId, resourceId) => store.findMarks(identifier, propertyId, resourceId),
      putMark: (mark, others) =>
        this.#merger.putMark(identifier, { ...mark, version: self.nextVersion() }, others, null),
      findKeys: (text) => store.findKeys(identifier, text),
      putKey: (key) => store.putKey(identifier, { ...key, version: self.nextVersion() }, null),
    };
  }

  #store(): void {
    const { origin } = this.self;
    if (origin === null) return;
    for (const meters of this.#touched) {
      const { cells, removed } = meters.takeChanges(origin, () => this.self.nextVersion());
      for (const cell of removed) this.store.deleteCell(meters.identifier, cell);
      for (const cell of cells) this.store.putCell(meters.identifier, cell, null);
      this.#noteChange(meters.identifier);
      this.#customers.reweigh(meters.identifier, meters.weight);
    }
    if (this.#keyed > 0) forgetStaleKeys(this.store, this.self, origin, this.#keyed, this.#now);
    for (const identifier of this.#released) {
      forgetReleased(this.store, this.self, origin, identifier, this.#now);
    }
    this.#settle();
    this.self.reserveVersions();
  }

  /** Something may have changed of the identifier: where it is another name of a customer, that is to be carried over. */
  #noteChange(identifier: string): void {
    const customer = this.open(identifier);
    if (customer.link === null) {
      const target = this.#customerOf(identifier);
      if (target !== null) this.linkTo(identifier, target);
      return;
    }
    this.#saveLink(customer, { ...customer.link, changed: customer.link.changed + 1 });
  }

  #saveLink(customer: OpenCustomer, link: StoredLink): void {
    customer.link = link;
    this.store.saveLink(link);
    this.#hasUncarried = true;
  }

  #settle(): void {
    this.#keyed = 0;
    this.#released.clear();
    this.#touched.clear();
  }

  #isWhole({ customer, now }: LedgerCall): boolean {
    return this.peersToCopy(customer, now).length === 0;
  }

  #moved(): LedgerAnswer {
    return { kind: 'moved', locations: this.self.site?.locations ?? [] };
  }

  #reload(): void {
    this.store.forget();
    this.#customers.clear();
    this.#settle();
    this.self.reload();
    this.recheckUncarried();
  }
}
