/**
 * The ledger of one location: decides calls in order, caches customers in memory, and stores each transaction's
 * changes before any caller gets a result. After a failed transaction the memory is reloaded from storage.
 */
import type {
  CounterUpdate,
  CustomerRecords,
  EntityReadings,
  KeyRecord,
  LedgerAnswer,
  LedgerCall,
  LedgerReading,
  LedgerSite,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { SharedMemory } from '#engine/cache/shared-memory';
import { accountOf, MAX_ENTITIES, readAccount } from '#engine/ledger/account';
import { isAliasOrigin } from '#engine/ledger/alias-origin';
import { hasSeat } from '#engine/ledger/also-counts';
import { decideBeside } from '#engine/ledger/beside-name';
import { DECISIONS_KEPT_MS, winningDecision } from '#engine/ledger/conflicting-decisions';
import type { CustomerMeters } from '#engine/ledger/customer-meters';
import { endHold } from '#engine/ledger/decide-hold';
import { decideUpdate } from '#engine/ledger/decide-update';
import { ERASED, erasedRegister } from '#engine/ledger/erased-entities';
import { holdNameOf } from '#engine/ledger/hold-name';
import {
  endOf,
  HOLD,
  type Hold,
  holdRegister,
  isAlsoHold,
  type KnownHold,
  lastHold,
} from '#engine/ledger/holds';
import { OutageShares } from '#engine/ledger/outage-shares';
import { periodRegister } from '#engine/ledger/periods';
import { notePeriods, type PeriodRecords, rollsOver, withRolled } from '#engine/ledger/rolling-update';
import type { Account, UpdateRecords } from '#engine/ledger/update-records';
import { minuteOf } from '#engine/metering/bucket-widths';
import { CustomerAliases, type CustomerOf } from './customer-aliases.ts';
import { CustomerCopies } from './customer-copies.ts';
import type { LedgerStore, OpenRegister } from './ledger-store.ts';
import { type AnchorsOf, type OpenCustomer, OpenCustomers } from './open-customers.ts';
import { RecordMerger } from './record-merger.ts';
import { ReplicationState } from './replication-state.ts';

/** What a ledger is told of its customers. */
export interface IdentifierFacts {
  readonly customerOf: CustomerOf;
  readonly anchorsOf: AnchorsOf;
}

/** Later than any hold ends. */
const END_OF_TIME = 8.64e15;
/** Holds that end in one transaction. */
const MAX_ENDED = 500;
/** What concerns the ledgers of other locations. */
export interface LedgerPeers {
  /** Called after each commit: others may have to learn of it. */
  readonly changed?: () => void;
  /** Whether another location has not learned for a while what is counted here. */
  readonly isPeerSilent?: () => boolean;
  /** When this location learns something: by default at the epoch. */
  readonly now?: () => number;
}

const NOTHING_KNOWN: IdentifierFacts = { customerOf: () => undefined, anchorsOf: () => [] };

export class LocalLedger {
  readonly store: LedgerStore;
  readonly state: ReplicationState;
  readonly aliases: CustomerAliases;
  readonly copies: CustomerCopies;
  readonly #merger: RecordMerger;
  readonly #customers: OpenCustomers;
  readonly #touched = new Set<CustomerMeters>();
  readonly #changed: () => void;
  readonly #isPeerSilent: () => boolean;
  readonly #now: () => number;
  readonly #anchorsOf: AnchorsOf;
  #commits = 0;
  #shares: OutageShares | null = null;
  /** No later than the next hold that this ledger has to end is over; null: it must be looked up. */
  #nextHoldEnd: number | null = null;

  /**
   * @param newOrigin returns a unique origin for a new incarnation, prefixed with the location
   * @param memory for buckets
   * @param facts what is known of identifiers; by default nothing is
   * @param peers by default there are none
   */
  constructor(
    store: LedgerStore,
    newOrigin: (location: Location) => string,
    memory: SharedMemory,
    facts: IdentifierFacts = NOTHING_KNOWN,
    { changed = () => undefined, isPeerSilent = () => false, now = () => 0 }: LedgerPeers = {},
  ) {
    this.#now = now;
    this.#anchorsOf = (identifier) => facts.anchorsOf(identifier);
    this.#isPeerSilent = isPeerSilent;
    this.store = store;
    this.#changed = changed;
    this.#customers = new OpenCustomers(store, memory, (identifier) =>
      facts.anchorsOf(readAccount(identifier).customer),
    );
    store.forget();
    this.state = new ReplicationState(store, newOrigin);
    this.aliases = new CustomerAliases(store, this.state, this.#customers, (identifier) => {
      const { customer, entity } = readAccount(identifier);
      const target = facts.customerOf(customer);
      return target && accountOf(target, entity);
    });
    this.copies = new CustomerCopies(store, this.state, this.#customers);
    this.#merger = new RecordMerger({
      store,
      state: this.state,
      touch: (customer) => {
        const { meters } = this.#customers.open(customer);
        this.#touched.add(meters);
        return meters;
      },
      recordsOf: (customer) => this.#records(customer),
      overrule: (customer, name, key) => this.aliases.overrule(customer, name, key),
      erase: (customer, entity, before) => this.eraseEntity(customer, entity, before),
    });
  }

  /** Transactions that may have written keys or uses. */
  get commits(): number {
    return this.#commits;
  }

  /** Whether a call can be answered from memory, without a write. */
  isReading(call: LedgerCall): boolean {
    return call.updates.length === 0 && !this.state.isNewer(call.site);
  }

  /** Whether every update that makes a key or a hold repeats one that was decided: then none is stored. */
  isRepeated({ customer, updates, now }: LedgerCall): boolean {
    return updates.every(({ key, hold }) =>
      key === undefined ? hold?.kind !== 'open' : this.#isDecided(customer, key.text, now),
    );
  }

  /** Answers a call that only reads. */
  read(call: LedgerCall): LedgerAnswer {
    if (!this.state.isOpen) return this.#moved();
    const readings = this.#readings(call);
    this.#customers.trim();
    return { kind: 'answered', outcomes: [], readings, isWhole: this.#isWhole(call) };
  }

  /** What is read of a customer's entities, after one of them, in their order. */
  readEntities(
    { customer, reads, now }: Pick<LedgerCall, 'customer' | 'reads' | 'now'>,
    after: string | null,
    limit: number,
  ): EntityReadings[] {
    if (!this.state.isOpen) return [];
    const last = after === null ? null : accountOf(customer, after);
    const found = this.store.entityAccounts(customer, last, limit).map((account) => {
      const { entity = '' } = readAccount(account);
      const theirs = reads.map((read) => ({ ...read, ofEntity: true as const }));
      return { entity, readings: this.#readings({ customer, entity, reads: theirs, now }) };
    });
    this.#customers.trim();
    return found;
  }

  /**
   * Decides calls in order, in one transaction.
   * @param alongside receives the answers, and may write in the same transaction
   */
  apply(
    calls: readonly LedgerCall[],
    alongside?: (answers: readonly LedgerAnswer[]) => void,
  ): LedgerAnswer[] {
    return this.commit(() => {
      const answers = calls.map((call) => this.#applyOne(call));
      alongside?.(answers);
      return answers;
    }, calls.every(isPlain));
  }

  /** Stores the environment's locations, unless a newer generation is known. */
  observe(site: LedgerSite): void {
    const wasOpen = this.state.isOpen;
    const wasNewer = this.state.isNewer(site);
    const known = leavingRun(this.state.site);
    this.state.observe(site);
    // It may have to end what others have left.
    if (wasNewer) this.#nextHoldEnd = null;
    const run = leavingRun(this.state.site);
    // It was disabled in between, even if nobody has told this ledger meanwhile.
    const wasDisabled = run !== undefined && run !== known;
    if (wasDisabled || (wasOpen && !this.state.isOpen)) this.copies.forget();
  }

  /**
   * Commits all or nothing.
   * @param isPlain as in LedgerStore.transaction
   * @throws the storage's error, after reloading memory
   */
  commit<Result>(work: () => Result, isPlain = false): Result {
    let result: Result;
    try {
      result = this.store.transaction(() => {
        const decided = work();
        this.#store();
        return decided;
      }, isPlain);
      this.#shares?.keep();
      if (!isPlain) this.#commits += 1;
      this.#customers.trim();
    } catch (error) {
      this.#shares?.restore();
      this.reload();
      throw error;
    }
    this.#changed();
    return result;
  }

  /**
   * Merges records of another ledger. One that has retired takes nothing any more.
   * @param retired incarnations whose records are final in the version that is merged
   * @param isRelayed the records come from an alias: they replicate to the peers like own records
   * @returns conflicting decisions that are known here
   */
  merge(records: CustomerRecords, retired: readonly string[] = [], isRelayed = false): KeyRecord[] {
    if (!this.isTaking) return [];
    const { customer, aliasOf } = records;
    if (aliasOf !== undefined) this.aliases.observe(customer, aliasOf);
    for (const each of records.registers ?? [])
      if (each.kind === HOLD && each.isOpen && this.#placeOf(each) === this.state.site?.location)
        this.#noteHoldEnd(endOf(each));
    return this.#merger.merge(records, retired, () => (isRelayed ? this.state.nextVersion() : null));
  }

  /** Whether records can be merged: a disabled location does so until it has retired. */
  get isTaking(): boolean {
    return this.state.isOpen || this.state.origin !== null;
  }

  /** Retired incarnations of which this ledger has everything. */
  observeRetired(origins: readonly string[]): void {
    this.#nextHoldEnd = null;
    this.#merger.observeRetired(origins);
  }

  /**
   * Deletes everything but the site, from which callers learn that the location is disabled.
   * @param mayDelete is asked in the transaction that deletes
   * @returns whether it was deleted
   */
  erase(mayDelete: () => boolean): boolean {
    return this.commit(() => {
      const { site } = this.state;
      if (site === null || this.state.isOpen || !mayDelete()) return false;
      if (!this.state.isStored) return true;
      this.store.erase();
      this.state.reset(site);
      this.reload();
      return true;
    });
  }

  /**
   * Erases what was counted for one of a customer's entities before an instant: here, and by replication in every location. The customer's own
   * usage stays. Call in a transaction.
   */
  eraseEntity(customer: string, entity: string, before: number): void {
    const { store, state } = this;
    const origin = state.liveOrigin();
    const known = store.findRegisters(customer, { kind: ERASED, name: entity });
    const own = known.find((each) => each.origin === origin);
    if (own === undefined || own.stamp < before) {
      const version = state.nextVersion();
      store.putRegister(
        customer,
        { ...erasedRegister({ entity, before }, origin, this.#now()), version },
        version,
      );
    }
    this.dropErased(customer, entity, before);
    if (own === undefined || own.stamp < before) this.#emptyWide(accountOf(customer, entity), before);
  }

  /**
   * A ledger that learns of it hours late has buckets that are wider by then: what it counted before is in one with what it counted since. It
   * alone can empty it everywhere.
   */
  #emptyWide(account: string, before: number): void {
    const { store, state } = this;
    for (const bucket of store.loadCustomer(account).buckets) {
      if (bucket.origin !== state.origin || bucket.start >= minuteOf(before) || bucket.amount === 0) continue;
      const version = state.nextVersion();
      store.putBucket(account, { ...bucket, amount: 0, version }, version);
    }
  }

  /** Deletes what is erased in this location. */
  dropErased(customer: string, entity: string, before: number): void {
    this.state.saveProgress();
    const account = accountOf(customer, entity);
    // A handoff goes through its customers by number: one that is new must not have that of another.
    this.store.eraseRecords(account, before, this.state.isOpen);
    const meters = this.#customers.forget(account);
    if (meters !== undefined) this.#touched.delete(meters);
  }

  /** Whether no other location may have more of the account. */
  isAlone(account: string): boolean {
    return this.copies.peersToCopy(account).length === 0;
  }

  /** Whether a trial of the customer goes on, which is one period however long it lasts; false if nothing is known of it. */
  isInTrial(customer: string, now: number): boolean {
    return this.#anchorsOf(customer).some((at) => at > now);
  }

  usesOf(customer: string): Pick<UpdateRecords, 'findUses'> {
    return this.#records(customer);
  }

  #applyOne(call: LedgerCall): LedgerAnswer {
    this.observe(call.site);
    if (!this.state.isOpen) return this.#moved();
    const isWhole = this.#isWhole(call);
    if (call.wholeOnly && !isWhole && call.updates.some((each) => this.#hasLimit(call, each))) {
      return { kind: 'incomplete' };
    }
    const customer = this.#customers.open(call.customer);
    const outcomes = call.updates.map((update) => this.#update(customer, update, call.now));
    const readings = this.#readings(call);
    return { kind: 'answered', outcomes, readings, isWhole: isWhole && !this.#isRefusedEarly(outcomes) };
  }

  #readings({
    customer,
    entity,
    reads,
    now,
  }: Pick<LedgerCall, 'customer' | 'entity' | 'reads' | 'now'>): readonly LedgerReading[] {
    const { meters } = this.#customers.open(customer);
    if (entity === undefined)
      return reads.map(({ propertyId, meter }) => meters.read(propertyId, meter, now));
    const theirs = this.#customers.open(accountOf(customer, entity)).meters;
    return reads.map(({ propertyId, meter, ofEntity, seat }) => {
      const reading = (ofEntity ? theirs : meters).read(propertyId, meter, now);
      const isSeated = seat === undefined || hasSeat(this.#records(customer), { seat, entity });
      return isSeated ? reading : { ...reading, isUnseated: true };
    });
  }

  /** It may have been refused for what other locations may take. */
  #isRefusedEarly(outcomes: readonly UpdateOutcome[]): boolean {
    if (this.#shares === null) return false;
    return outcomes.some((each) => each.kind === 'decided' && !each.accepted);
  }

  /** Whether usage decides the update. A known key is replayed. */
  #hasLimit({ customer, now }: LedgerCall, { enforce, value, key, also = [] }: CounterUpdate): boolean {
    const isMetered = [value, ...also.map((each) => each.value)].some(({ state }) => state === 'metered');
    if (!enforce || !isMetered) return false;
    return key === undefined || !this.#isDecided(customer, key.text, now);
  }

  #isDecided(customer: string, key: string, now: number): boolean {
    return winningDecision(this.store.findKeys(customer, key), now) !== null;
  }

  #update({ meters }: OpenCustomer, update: CounterUpdate, now: number): UpdateOutcome {
    this.#touched.add(meters);
    const records = this.#records(meters.identifier);
    const outcome = decideBeside({ meters, records }, withRolled(meters, update, now), now, (each) =>
      decideUpdate(meters, each, now, records),
    );
    if (outcome.kind === 'decided' && !outcome.replayed)
      notePeriods(meters, update, now, this.#periodRecords(meters.identifier));
    // What is accepted has an event to store, even if it counted 0.
    if (outcome.kind === 'decided' && outcome.accepted) this.state.liveOrigin();
    return outcome;
  }

  /** The customer's records; writes get own versions. */
  #records(identifier: string): UpdateRecords {
    const { store, state } = this;
    return {
      get origin() {
        return state.liveOrigin();
      },
      findUses: (propertyId, resourceId) => store.findUses(identifier, propertyId, resourceId),
      putUse: (use, others) => {
        const version = state.nextVersion();
        this.#merger.putUse(identifier, { ...use, version }, others, version);
      },
      accountOf: (entity) => this.#accountOf(identifier, entity),
      isErased: (entity) => store.findRegisters(identifier, { kind: ERASED, name: entity }).length > 0,
      findKeys: (text) => store.findKeys(identifier, text),
      putKey: (key) => {
        const version = state.nextVersion();
        store.putKey(identifier, { ...key, version }, version);
      },
      shares: this.#outageShares(),
      holdName: (id) => {
        const { site } = state;
        if (site === null) throw new Error('A ledger counts only after it has stored its site');
        return holdNameOf(site, id);
      },
      findHold: (name) => this.#findHold(identifier, name),
      putHold: (hold, before, now) => {
        const version = state.nextVersion();
        const register = holdRegister(hold, before, state.liveOrigin(), now);
        store.putRegister(identifier, { ...register, version }, version);
        if (hold.end === null) this.#noteHoldEnd(hold.expiresAt);
      },
      changerOf: (known) => this.#changerOf(identifier, known),
    };
  }

  #periodRecords(identifier: string): PeriodRecords {
    const { store, state } = this;
    return {
      get origin() {
        return state.liveOrigin();
      },
      putPeriod: (period, rollover) => {
        const version = state.nextVersion();
        store.putRegister(identifier, { ...periodRegister(period, rollover), version }, version);
      },
    };
  }

  #accountOf(customer: string, entity: string): Account | null {
    const account = accountOf(customer, entity);
    const isNew = !this.store.hasCustomer(account);
    if (isNew && this.store.countEntities(customer) >= MAX_ENTITIES) return null;
    const { meters } = this.#customers.open(account);
    this.#touched.add(meters);
    return { meters, records: this.#records(account) };
  }

  /** Where a hold is, and what is known of it; null if this ledger has no such hold. */
  findHold(name: string): { readonly customer: string; readonly hold: Hold } | null {
    if (isAlsoHold(name)) return null;
    const customer = this.store.ownerOfHold(name);
    const known = customer === null ? null : this.#findHold(customer, name);
    return customer === null || known === null ? null : { customer, hold: known.hold };
  }

  /**
   * When the next hold that this ledger has to end is over, epoch milliseconds; infinity without any. It may be earlier, since a settlement
   * does not look for the next one: `endHolds` does.
   */
  get nextHoldEnd(): number {
    if (this.#nextHoldEnd === null) {
      const [next] = this.#holdsToEnd(END_OF_TIME);
      this.#nextHoldEnd = next === undefined ? Number.POSITIVE_INFINITY : endOf(next);
    }
    return this.#nextHoldEnd;
  }

  #noteHoldEnd(at: number): void {
    if (this.#nextHoldEnd !== null) this.#nextHoldEnd = Math.min(this.#nextHoldEnd, at);
  }

  /** Gives back what is held by holds that are over, in as many calls as `nextHoldEnd` asks for. */
  endHolds(now: number): void {
    this.commit(() => {
      for (const { customer, name } of this.#holdsToEnd(now).slice(0, MAX_ENDED)) {
        const { meters } = this.#customers.open(customer);
        const records = this.#records(customer);
        const known = records.findHold(name);
        if (known?.hold.end !== null || known.hold.expiresAt > now) continue;
        this.#touched.add(meters);
        endHold(meters, known, 'expired', records, now);
      }
      this.#nextHoldEnd = null;
    });
  }

  /** @param now those that are over then */
  #holdsToEnd(now: number): readonly OpenRegister[] {
    if (!this.state.isStored || !this.state.isOpen) return [];
    return this.store
      .openRegisters(now + DECISIONS_KEPT_MS)
      .filter((each) => each.kind === HOLD && this.#changerOf(each.customer, each) === 'here');
  }

  /** Null unless a peer is silent. They are of one outage. */
  #outageShares(): OutageShares | null {
    if (!this.#isPeerSilent()) this.#shares = null;
    else this.#shares ??= new OutageShares(this.state.site?.locations.length ?? 1);
    return this.#shares;
  }

  #findHold(customer: string, name: string): KnownHold | null {
    return lastHold(this.store.findRegisters(customer, { kind: HOLD, name }));
  }

  /**
   * Own ones; those of an earlier incarnation here; and in the home location those of one that has retired, whose ledger hands off what is
   * held like all else. What others may have changed meanwhile is only changed once everybody's records are here.
   */
  #changerOf(customer: string, known: Pick<KnownHold, 'origin'>): Location | 'here' | null {
    const place = this.#placeOf(known);
    if (place !== this.state.site?.location) return place;
    if (known.origin === this.state.origin) return 'here';
    const isAllHere = !this.state.isAnyoneLeaving && this.copies.peersToCopy(customer).length === 0;
    return isAllHere ? 'here' : null;
  }

  #placeOf({ origin }: Pick<KnownHold, 'origin'>): Location | null {
    const { site } = this.state;
    if (site === null || isAliasOrigin(origin)) return null;
    const from = site.locations.find((each) => origin.startsWith(`${each}/`));
    // One that is neither enabled nor leaving has retired, also if that was before this location was enabled.
    const isOver = site.leaving !== undefined || this.state.isRetired(origin);
    return from ?? (isOver ? (site.locations[0] ?? null) : null);
  }

  #store(): void {
    const { origin } = this.state;
    for (const meters of this.#touched) {
      if (origin === null) continue;
      this.store.putOwn(
        meters.identifier,
        meters.takeChanges(origin, () => this.state.nextVersion()),
      );
      this.aliases.noteChange(meters.identifier);
      this.#customers.reweigh(meters);
    }
    this.#touched.clear();
  }

  #isWhole(call: LedgerCall): boolean {
    return accountsOf(call).every((each) => this.copies.peersToCopy(each).length === 0);
  }

  #moved(): LedgerAnswer {
    const { generation, locations = [], leaving } = this.state.site ?? {};
    return { kind: 'moved', generation, locations, leaving };
  }

  /** Restores memory from the storage. */
  reload(): void {
    this.store.forget();
    this.#customers.clear();
    this.#touched.clear();
    this.#nextHoldEnd = null;
    this.state.reload();
    this.aliases.recheck();
  }
}

/** The accounts that a call reads or counts on. */
export function accountsOf({ customer, entity }: Pick<LedgerCall, 'customer' | 'entity'>): readonly string[] {
  return entity === undefined ? [customer] : [customer, accountOf(customer, entity)];
}

/** The work that retires the ledger's own location, or did so when the location was enabled again. */
function leavingRun(site: LedgerSite | null): string | undefined {
  return site?.leaving?.[site.location];
}

/** Whether the call's updates change buckets only. */
function isPlain({ updates }: LedgerCall): boolean {
  return updates.every(
    ({ key, resourceId, hold, value, also = [] }) =>
      key === undefined &&
      resourceId === undefined &&
      hold === undefined &&
      ![{ value }, ...also].some(rollsOver),
  );
}
