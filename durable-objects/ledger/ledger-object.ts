/**
 * Ledger object: counts and reads the usage of many customers of one environment in one data location. A call returns
 * after its group commit. The alarm replicates to peers, merges aliases, delivers events and cleans up. See
 * durable-objects/README.md, "Ledger".
 */

import { DurableObject } from 'cloudflare:workers';
import { type CustomerFacts, type FactsUpdate, upgradeFacts } from '#contracts/internal/customer-facts';
import type {
  AliasMergeResult,
  Companion,
  CounterUpdate,
  CustomerRecords,
  EntityReadings,
  FoundHold,
  HandoffProgress,
  LedgerAnswer,
  LedgerCall,
  LedgerCopyPage,
  LedgerCopyRequest,
  LedgerQuery,
  LedgerRead,
  LedgerSite,
  ReplicationAck,
  ReplicationBatch,
  RetirementAnswer,
} from '#contracts/internal/ledger';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { SharedMemory } from '#engine/cache/shared-memory';
import { accountOf } from '#engine/ledger/account';
import { holdState } from '#engine/ledger/holds';
import { inTime } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import { GroupCommit } from '../lib/group-commit.ts';
import { setAlarm } from '../lib/set-alarm.ts';
import { SharedTurns } from '../lib/shared-turns.ts';
import { knownList } from '../read-lists.ts';
import { type ObjectEnv, UNLISTED } from '../stubs.ts';
import { AliasReplicator } from './alias-replicator.ts';
import { boundTime } from './bound-time.ts';
import { CleanUp } from './clean-up.ts';
import { serveCopyPage } from './copy-pages.ts';
import { KnownCustomerFacts } from './customer-facts.ts';
import { EventOutbox } from './event-outbox.ts';
import { readBatch, readRecords } from './former-names.ts';
import { observeRetirementNotice } from './handoff.ts';
import { IdleEntities } from './idle-entities.ts';
import { forwardedEffects, type LedgerEffects, ledgerEffects } from './ledger-effects.ts';
import { accountsOf, LocalLedger } from './local-ledger.ts';
import { mergeAliasUsage } from './merge-alias-usage.ts';
import { PeerReplicator } from './peer-replicator.ts';
import { eventsOf, loadedAliasOf, type PendingCall, textOf } from './pending-call.ts';
import { receiveBatch } from './replication.ts';
import { Retirement } from './retirement.ts';
import { SqliteLedgerStore } from './sqlite-ledger-store.ts';
import { StorageLevel } from './storage-level.ts';

/** Of 50 bytes, for all ledgers of the isolate: 20 of its 128 MB. */
const memory = new SharedMemory(400_000);
/** How long reads are served from memory before checking that the platform has not replaced this instance. */
const AUTHORITY_MS = 100;
/** Approximate memory of one generation of remembered queries, for all ledgers of the isolate. */
const MAX_QUERY_BYTES = 2 * 1024 * 1024;
/** Parsed, a query takes three times as much again. */
const queries = new BoundedCache<string, LedgerQuery>(MAX_QUERY_BYTES, (query) => query.length * 4);
const ALARM_LOST_AFTER_MS = 30_000;
/** How long an alarm waits for other objects: longer than they take when they are well. */
const ALARM_PATIENCE_MS = 1_000;
/** How long the events of an alarm wait for its peers. */
const FOLD_AFTER_MS = 250;
/** How long changes are gathered before they are sent to the peers: the first ones, and those that follow each other. */
const GATHER_MS = { first: 20, next: 250 };
/** When an alarm sends changes that this instance was to send: with that of the events, which few changes need anyway. */
const SENT_BY_MS = 60_000;
/** How long after their end holds are given back, many at once: every reading leaves them out by the clock. */
const HOLDS_MS = 30_000;
const NONE: readonly never[] = [];
const FULL = JSON.stringify({ kind: 'full' } satisfies LedgerAnswer);

export class Ledger extends DurableObject<ObjectEnv> {
  /** Replaced by tests to cut connections to other objects. */
  effects: LedgerEffects;
  readonly store: SqliteLedgerStore;
  readonly #ledger: LocalLedger;
  readonly #peers: PeerReplicator;
  readonly #facts: KnownCustomerFacts;
  readonly #aliases: AliasReplicator;
  readonly #outbox: EventOutbox;
  readonly #retirement: Retirement;
  readonly #cleanUp: CleanUp;
  readonly #idleEntities: IdleEntities;
  readonly #storage: StorageLevel;
  readonly #calls: GroupCommit<PendingCall, string>;
  readonly #sendTurns = new SharedTurns(GATHER_MS.next, {
    wait: (ms) => scheduler.wait(ms),
    now: () => Date.now(),
  });
  #isSending = false;
  /** Whether facts that were just learnt released a user id. */
  #hasReleased = false;
  #isInAlarm = false;
  #alarmAt: number | null = null;
  #checkedAt = 0;

  constructor(state: DurableObjectState, env: ObjectEnv) {
    super(state, env);
    this.store = new SqliteLedgerStore(state.storage);
    this.#facts = new KnownCustomerFacts(state.storage.sql, state.id.toString(), {
      newToken: () => crypto.randomUUID(),
      now: () => this.effects.now(),
      cleanUpChanged: () => this.#arm(),
      released: (customer, userIds) => {
        this.#ledger.commit(() => {
          for (const userId of userIds) this.#ledger.aliases.release(customer, userId);
        });
        this.#hasReleased = true;
      },
      becameAlias: (identifier) => this.#ledger.commit(() => this.#ledger.aliases.repeat(identifier)),
    });
    this.#ledger = new LocalLedger(
      this.store,
      (location) => `${location}/${crypto.randomUUID().slice(0, 13)}`,
      memory,
      this.#facts,
      {
        changed: () => this.#armAfterCommit(),
        isPeerSilent: () => this.#peers.isPeerSilent,
        now: () => this.effects.now(),
      },
    );
    this.effects = ledgerEffects(env, state.storage.sql);
    const effects = forwardedEffects(() => this.effects);
    this.#peers = new PeerReplicator(this.#ledger, effects);
    this.#aliases = new AliasReplicator(this.#ledger, effects);
    this.#outbox = new EventOutbox(state.storage.sql, this.store.journal, effects, this.#ledger.state);
    this.#retirement = new Retirement(this.#ledger, this.#peers, this.#outbox);
    this.#cleanUp = new CleanUp(this.#ledger, this.#peers, effects);
    this.#idleEntities = new IdleEntities(this.#ledger, this.#peers, effects);
    this.#storage = new StorageLevel(effects);
    this.#storage.measure();
    this.#calls = new GroupCommit({
      write: (pending) => this.#apply(pending),
      durable: () => state.storage.sync(),
      wait: (ms) => scheduler.wait(ms),
    });
    // An alarm that is set costs a row: one that an earlier instance has set stays.
    void state.blockConcurrencyWhile(async () => {
      this.#alarmAt = await state.storage.getAlarm();
      this.#outbox.resume(this.#alarmAt);
      // What an earlier instance has left is sent by its alarm, or with the next change.
      this.#arm(this.#alarmAt === null);
    });
  }

  /**
   * Counts and reads for one customer. Arguments are JSON text because structured clone costs a third more.
   * @param text JSON of a LedgerCall
   * @param eventJson JSON of an UpdateEvent, if the call names an event: stored with the count
   * @returns JSON of a LedgerAnswer
   */
  answerText(text: string, eventJson?: string): string | Promise<string> {
    const call = JSON.parse(text) as LedgerCall;
    if (call.listHash === undefined) return this.#answer(call, eventJson);
    const reads = knownList(call.listHash, call.reads.length === 0 ? undefined : call.reads);
    return reads === null ? UNLISTED : this.#answer({ ...call, reads }, eventJson);
  }

  /** As `answerText`, for calls that make or change holds: earlier versions of this object, which would only count, lack the method. */
  decideHoldText(text: string, eventJson?: string): string | Promise<string> {
    return this.answerText(text, eventJson);
  }

  /**
   * As `decideHoldText`, for calls that use several meters or accounts, give back what another update counted, or pay overage: earlier
   * versions would use one, give back the newest, and count 1.
   */
  decideTogetherText(text: string, eventJson?: string): string | Promise<string> {
    return this.answerText(text, eventJson);
  }

  /**
   * Whose hold it is, before it is changed.
   * @returns null if this ledger has no such hold; `moved` if its location is disabled
   */
  findHold(name: string): FoundHold | 'moved' | null {
    const { state } = this.#ledger;
    if (state.site !== null && !state.isOpen) return 'moved';
    const found = this.#ledger.findHold(name);
    return found && { customer: found.customer, hold: holdState(found.hold) };
  }

  /**
   * Reads for one customer.
   * @param query JSON of a LedgerQuery; the texts of recent ones are parsed once
   * @param factsVersion of the customer facts that the caller used; undefined in an environment without any
   * @returns JSON of a LedgerAnswer
   */
  readText(query: string, customer: string, now: number, factsVersion?: number): string | Promise<string> {
    return this.#readFor(parsedQuery(query), { customer, factsVersion }, now);
  }

  /**
   * Reads for one customer, and for others if that needs no waiting.
   * @param query JSON of a LedgerQuery
   * @param customers JSON of Companion[]; the first is the one to wait for
   * @returns a line for each customer: JSON of a LedgerAnswer, or empty
   */
  readTexts(query: string, customers: string, now: number): string | Promise<string> {
    return this.#readTogether(parsedQuery(query), customers, now);
  }

  /**
   * As `readTexts`, for a long list of reads, which the object knows by its hash.
   * @param siteText JSON of a LedgerSite
   * @param list JSON of LedgerRead[], once the object has answered that it does not know the hash
   */
  readListed(
    siteText: string,
    hash: string,
    customers: string,
    now: number,
    list?: string,
  ): string | Promise<string> {
    const given = list === undefined ? undefined : (JSON.parse(list) as LedgerRead[]);
    const reads = knownList(hash, given);
    if (reads === null) return UNLISTED;
    return this.#readTogether({ site: JSON.parse(siteText) as LedgerSite, reads }, customers, now);
  }

  /**
   * Usage of a customer's entities, as far as it was counted or has replicated here.
   * @param query JSON of a LedgerQuery
   * @param after the last entity of the page before; null for the first page
   * @returns in the order of the entities, at most `limit`
   */
  readEntities(
    query: string,
    customer: string,
    after: string | null,
    limit: number,
    now: number,
  ): EntityReadings[] {
    const { reads } = parsedQuery(query);
    return this.#ledger.readEntities({ customer, reads, now }, after, limit);
  }

  /** Whether anything is stored of one of a customer's entities. */
  hasEntity(customer: string, entity: string): boolean {
    return this.store.hasCustomer(accountOf(customer, entity));
  }

  /**
   * Erases what was counted for one of a customer's entities, here and, by replication, in every location.
   * @param before epoch milliseconds, a full minute
   * @returns false: the location is disabled, and another one is to be called
   */
  eraseEntity(site: LedgerSite, customer: string, entity: string, before: number): boolean {
    return this.#ledger.commit(() => {
      this.#ledger.observe(site);
      if (!this.#ledger.state.isOpen) return false;
      const isKnown = this.store.hasCustomer(customer) || this.hasEntity(customer, entity);
      if (isKnown) this.#ledger.eraseEntity(customer, entity, before);
      return true;
    });
  }

  #readFor(
    { site, reads }: LedgerQuery,
    { customer, factsVersion }: Companion,
    now: number,
  ): string | Promise<string> {
    const facts = factsVersion === undefined ? undefined : { version: factsVersion };
    return this.#answer({ site, customer, now, updates: NONE, reads, facts });
  }

  #readTogether(query: LedgerQuery, customers: string, now: number): string | Promise<string> {
    const [first, ...others] = JSON.parse(customers) as [Companion, ...Companion[]];
    const own = this.#readFor(query, first, now);
    let rest = '';
    for (const each of others) {
      const text = this.#readFor(query, each, now);
      rest += typeof text === 'string' ? `\n${text}` : '\n';
      // It copies usage from a peer: the customer's own call waits for that, and reports its failure.
      if (typeof text !== 'string') text.catch(() => {});
    }
    return typeof own === 'string' ? own + rest : own.then((text) => text + rest);
  }

  #answer(asked: LedgerCall, eventJson?: string): string | Promise<string> {
    const ledger = this.#ledger;
    const call = boundTime(asked, this.effects.now());
    if (call.updates.some(isStored) && this.#storage.isFull && !ledger.isRepeated(call)) return FULL;
    // Must come first: it may learn of locations to copy from.
    const factsUpdate = this.#factsUpdateFor(call);
    const isWhole = accountsOf(call).every((each) => ledger.copies.peersToCopy(each).length === 0);
    if (factsUpdate !== undefined && call.updates.length > 0) {
      return JSON.stringify({ kind: 'outdated', facts: factsUpdate } satisfies LedgerAnswer);
    }
    const pending = { call, eventJson, factsUpdate };
    if (!isWhole || loadedAliasOf(call) || ledger.state.isNewer(call.site)) return this.#answerLater(pending);
    return this.#readOrCount(pending);
  }

  /**
   * Processes a pushed update of customer facts. Repeated and outdated updates have no effect.
   * @returns whether the customer released user ids: a ledger that knew nothing of one has usage of it now
   */
  async pushFacts(customer: string, facts: CustomerFacts): Promise<boolean> {
    if (!this.#ledger.state.isOpen) return false;
    const { aliasOf } = upgradeFacts(facts);
    const isAlias = () => Boolean(aliasOf) || this.#ledger.aliases.isAlias(customer);
    this.#hasReleased = false;
    this.#facts.update(customer, facts, this.store.hasCustomer(customer) && isAlias());
    const hasReleased = this.#hasReleased;
    if (aliasOf) this.#setAlias(customer, aliasOf.customerId);
    if (hasReleased) await this.#aliases.mergeFirst();
    return hasReleased;
  }

  /** The customers for which pushFacts would have an effect: known ones, and those with stored usage. */
  knownCustomers(customers: readonly string[]): string[] {
    if (!this.#ledger.state.isOpen) return [];
    return customers.filter((customer) => this.#facts.isKnown(customer) || this.store.hasCustomer(customer));
  }

  /**
   * When each of these identifiers was first used, in epoch milliseconds. Leaves out those without usage of their own:
   * usage of an alias belongs to its customer.
   */
  usageSince(identifiers: readonly string[]): Record<string, number> {
    const since = identifiers.map((identifier) => [identifier, this.store.usageSince(identifier)] as const);
    return Object.fromEntries(since.flatMap(([identifier, at]) => (at === null ? [] : [[identifier, at]])));
  }

  /** A peer replicates its changes. */
  receive(site: LedgerSite, batch: ReplicationBatch): ReplicationAck {
    return receiveBatch(this.#ledger, site, readBatch(batch), this.effects.now());
  }

  /** A peer uses a customer for the first time and copies it. */
  copy(site: LedgerSite, request: LedgerCopyRequest): LedgerCopyPage {
    return serveCopyPage(this.#ledger, site, request);
  }

  /** A disabled location has handed off everything and retired its ledger. */
  observeRetirement(site: LedgerSite, notice: ReplicationBatch): RetirementAnswer {
    return observeRetirementNotice(this.#ledger, site, readBatch(notice));
  }

  /** Learns which locations are enabled, before the first call that names them. */
  observeSite(site: LedgerSite): void {
    this.#ledger.commit(() => this.#ledger.observe(site));
  }

  /**
   * This location was enabled again before it was erased. The others did not replicate to it meanwhile, so every
   * customer is copied again on next use.
   */
  rejoin(site: LedgerSite): void {
    this.#ledger.commit(() => {
      this.#ledger.observe(site);
      this.#ledger.copies.forget();
    });
  }

  /** Merges usage that was counted under an alias of one of this ledger's customers. */
  mergeAliasUsage(site: LedgerSite, records: CustomerRecords): AliasMergeResult {
    return mergeAliasUsage(this.#ledger, site, readRecords(records));
  }

  /** See Retirement. */
  drain(site: LedgerSite): Promise<HandoffProgress> {
    this.#forgetFactsUnlessOpen(site);
    return this.#retirement.drain(site);
  }

  /** See Retirement. */
  async erase(site: LedgerSite, evenUndrained: boolean): Promise<boolean> {
    this.#forgetFactsUnlessOpen(site);
    if (!(await this.#retirement.erase(site, evenUndrained))) return false;
    this.#alarmAt = null;
    await this.ctx.storage.deleteAlarm();
    return true;
  }

  #forgetFactsUnlessOpen(site: LedgerSite): void {
    this.#ledger.commit(() => this.#ledger.observe(site));
    if (!this.#ledger.state.isOpen) this.#facts.forgetAll();
  }

  /**
   * Deletes the storage, including what `erase` leaves. Only once all ledgers of the environment are erased: a peer that is not
   * would replicate to this one again.
   */
  async deleteStorage(): Promise<void> {
    // In one turn: a call in between would set an alarm, or count in what is deleted next.
    const deleted = Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
    this.#alarmAt = null;
    this.#ledger.reload();
    this.#facts.reload();
    await deleted;
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#isInAlarm = true;
    try {
      await this.#work();
    } finally {
      this.#isInAlarm = false;
      this.#arm();
    }
  }

  async #work(): Promise<void> {
    const sent = this.#peers.replicate();
    // What the peers acknowledge until then is known when the journal is folded.
    const delivered = Promise.race([sent, scheduler.wait(FOLD_AFTER_MS)]).then(() => this.#outbox.deliver());
    const work = Promise.all([sent, this.#aliases.mergeDue(), delivered]);
    // What takes longer goes on: the next alarm serves the others meanwhile.
    await inTime(systemClock, ALARM_PATIENCE_MS, 'Another object', work).catch(() => undefined);
    await this.#cleanUp.run();
    await this.#idleEntities.run();
    const now = this.effects.now();
    if (this.#ledger.nextHoldEnd <= now) this.#ledger.endHolds(now);
    this.#ledger.commit(() => this.#ledger.state.saveProgress(), true);
    this.#facts.cleanUp();
    this.#storage.measure();
  }

  async #answerLater(pending: PendingCall): Promise<string> {
    const { call } = pending;
    const ledger = this.#ledger;
    if (ledger.state.isNewer(call.site)) ledger.commit(() => ledger.observe(call.site));
    for (const account of accountsOf(call))
      if (ledger.copies.peersToCopy(account).length > 0) await this.#peers.copy(account);
    const aliasOf = loadedAliasOf(call);
    if (aliasOf && this.#setAlias(call.customer, aliasOf.customerId)) await this.#aliases.mergeFirst();
    return this.#readOrCount(pending);
  }

  #readOrCount(pending: PendingCall): string | Promise<string> {
    const { call, factsUpdate } = pending;
    return this.#ledger.isReading(call) ? textOf(this.#read(call), factsUpdate) : this.#calls.commit(pending);
  }

  /** @param target the customer that the caller named @returns whether usage must be merged */
  #setAlias(customer: string, target: string): boolean {
    if (!this.store.hasCustomer(customer)) return false;
    // Two updates may arrive in the wrong order: the known facts decide.
    const known = this.#facts.customerOf(customer);
    if (known === null) return false;
    this.#ledger.commit(() => this.#ledger.aliases.set(customer, known ?? target));
    return this.#ledger.aliases.hasUnmerged;
  }

  /** A disabled location receives no updates, so it does not report facts. */
  #factsUpdateFor({ site, customer, facts }: LedgerCall): FactsUpdate | undefined {
    this.#facts.observeEpoch(site.factsEpoch);
    if (facts === undefined) return undefined;
    const ledger = this.#ledger;
    if (ledger.state.isNewer(site)) ledger.commit(() => ledger.observe(site));
    if (ledger.state.isOpen) return this.#facts.updateFor(customer, facts);
    this.#facts.forgetAll();
    return undefined;
  }

  #read(call: LedgerCall): LedgerAnswer {
    if (call.now - this.#checkedAt >= AUTHORITY_MS) {
      this.#checkedAt = call.now;
      this.store.touch();
      if (call.facts !== undefined) this.#facts.touch();
    }
    return this.#ledger.read(call);
  }

  #apply(pending: readonly PendingCall[]): string[] {
    let texts: string[] = [];
    this.#ledger.apply(
      pending.map(({ call }) => call),
      (answers) => {
        texts = answers.map((answer, index) => textOf(answer, pending[index]?.factsUpdate));
        this.store.journal.add(eventsOf(pending, answers, texts));
      },
    );
    return texts;
  }

  /** What was committed may be something that others must learn. The end of an alarm sets the next one. */
  #armAfterCommit(): void {
    if (this.#isInAlarm) this.#sendSoon(true);
    else this.#arm();
  }

  /**
   * Schedules the alarm for the next replication, alias merge, event delivery or clean-up, unless it is already set for earlier. An alarm
   * that is long overdue has been lost.
   * @param sends changes to the peers, behind the answer
   */
  #arm(sends = true): void {
    const othersDueAt = earlier(
      earlier(this.#sendSoon(sends), this.#aliases.dueAt()),
      earlier(
        earlier(this.#outbox.dueAt(), this.#cleanUp.dueAt()),
        earlier(this.#idleEntities.dueAt(), this.#facts.cleanUpAt()),
      ),
    );
    const { nextHoldEnd } = this.#ledger;
    const dueAt = Number.isFinite(nextHoldEnd) ? earlier(othersDueAt, nextHoldEnd + HOLDS_MS) : othersDueAt;
    if (dueAt === null) return;
    const lostBefore = this.effects.now() - ALARM_LOST_AFTER_MS;
    if (this.#alarmAt !== null && this.#alarmAt <= dueAt && this.#alarmAt >= lostBefore) return;
    this.#alarmAt = dueAt;
    void setAlarm(this.ctx.storage, dueAt);
  }

  /**
   * Sends changes to the peers without an alarm, which costs a row and a request. A peer that is under way or backing off has an alarm.
   * @returns when an alarm has to send what is left; null: nothing
   */
  #sendSoon(sends: boolean): number | null {
    const dueAt = this.#peers.dueAt();
    const now = this.effects.now();
    if (dueAt === null || (dueAt > now && !this.#isSending)) return dueAt;
    if (sends && !this.#isSending) {
      this.#isSending = true;
      this.ctx.waitUntil(this.#send());
    }
    return now + SENT_BY_MS;
  }

  async #send(): Promise<void> {
    await scheduler.wait(GATHER_MS.first);
    await this.#sendTurns.next();
    await inTime(systemClock, ALARM_PATIENCE_MS, 'A peer', this.#peers.replicate()).catch(() => undefined);
    this.#isSending = false;
    this.#arm();
  }
}

/** Equal for most calls of a ledger, so the texts of recent ones are parsed once. */
function parsedQuery(text: string): LedgerQuery {
  let query = queries.get(text);
  if (query === undefined) {
    query = JSON.parse(text) as LedgerQuery;
    queries.set(text, query);
  }
  return query;
}

/** Whether it stores a key or a hold. */
const isStored = ({ key, hold }: CounterUpdate): boolean => key !== undefined || hold?.kind === 'open';

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
