/**
 * The customer facts that a ledger object knows: subscriptions, grants and overrides. Facts are stored for good; that a customer has
 * none is stored for one to two days, in a row with its version, so that strangers cost the database little and the object's storage
 * nothing in the end. For an unknown customer the caller loads the facts from the database and sends them with its next call.
 *
 * Facts below the epoch are unknown: the database was restored to an earlier instant then, and may never have known them.
 *
 * An update that is pushed while a caller loads must not be lost. The object hands the caller a token before it loads;
 * while the token is valid, pushed updates are kept and compared. If the token is no longer valid, the caller loads
 * again. For a known customer no token is needed: the higher version wins.
 */
import {
  type CallerFacts,
  type CustomerFacts,
  type FactsUpdate,
  loadedFactsOf,
  upgradeFacts,
} from '#contracts/internal/customer-facts';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { DAY_MS } from '#engine/durations';
import { isEmptyFacts, NO_FACTS } from '#engine/entitlements/no-facts';
import { anchorsOf } from '#engine/ledger/facts-anchors';
import { releasedUserIds } from '#engine/ledger/released-user-ids';

/** Cached customers, at most twice as many. */
const MAX_CACHED = 5_000;
/** Rows that one clean-up deletes. */
const MAX_DELETED = 10_000;

/** `day` comes first: what expires together lies together, and needs no index, which would cost another row each. */
const COLUMNS = {
  facts: 'customer TEXT PRIMARY KEY, body TEXT NOT NULL',
  no_facts:
    'day INTEGER NOT NULL, customer TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (day, customer)',
  facts_epoch: 'epoch INTEGER PRIMARY KEY',
} as const;
type Table = keyof typeof COLUMNS;

interface FactsEffects {
  /** Returns a value that was never used before, in any incarnation of the object. */
  newToken(): string;
  now(): number;
  /** `cleanUpAt` has changed. */
  cleanUpChanged(): void;
  /** The Stripe customer no longer carries these user ids. */
  released(customer: string, userIds: readonly string[]): void;
  /** The identifier is an alias, and was none, or nothing was known of it. */
  becameAlias(identifier: string): void;
}

type Entry =
  | { readonly kind: 'known'; readonly facts: CustomerFacts }
  | { readonly kind: 'loading'; readonly token: string; readonly pushed: CustomerFacts | null };

export class KnownCustomerFacts {
  readonly #sql: SqlStorage;
  readonly #effects: FactsEffects;
  /** When this object's days begin: without it, all objects would clean up at midnight. */
  readonly #shiftMs: number;
  readonly #entries = new BoundedCache<string, Entry>(MAX_CACHED);
  readonly #made = new Map<Table, boolean>();
  /** Of the oldest row of `no_facts`; null without one, undefined while this instance has not read it. */
  #oldestDay: number | null | undefined;
  /** Undefined while this instance has not read it. */
  #knownEpoch: number | undefined;

  /** @param objectId hexadecimal */
  constructor(sql: SqlStorage, objectId: string, effects: FactsEffects) {
    this.#sql = sql;
    this.#effects = effects;
    this.#shiftMs = Number.parseInt(objectId.slice(0, 8), 16) % DAY_MS;
  }

  /** @param epoch of the caller's snapshot: facts with a lower version are unknown from now on */
  observeEpoch(epoch = 0): void {
    if (epoch === 0 || epoch <= this.#epoch) return;
    this.#make('facts_epoch');
    this.#sql.exec('INSERT INTO facts_epoch (epoch) VALUES (?)', epoch);
    this.#knownEpoch = epoch;
    // Their tokens end, too: what is being loaded may have been read before the restore.
    this.#entries.clear();
  }

  /** Undefined: the caller used the known facts, or newer ones. */
  updateFor(customer: string, caller: CallerFacts): FactsUpdate | undefined {
    const { version } = caller;
    const loaded = loadedFactsOf(caller);
    let entry = this.#find(customer);
    if (entry?.kind === 'loading' && loaded?.token === entry.token) {
      const { pushed } = entry;
      entry = this.#keep(
        customer,
        pushed !== null && pushed.version > loaded.facts.version ? pushed : loaded.facts,
      );
    } else if (
      entry?.kind === 'known' &&
      loaded !== undefined &&
      loaded.facts.version > entry.facts.version
    ) {
      entry = this.#keep(customer, loaded.facts);
    }
    if (entry?.kind === 'known') {
      const { facts } = entry;
      if (facts.version <= version || (version === 0 && isEmptyFacts(facts))) return undefined;
      return { kind: 'newer', facts };
    }
    if (entry === undefined) {
      entry = { kind: 'loading', token: this.#effects.newToken(), pushed: null };
      this.#entries.set(customer, entry);
    }
    return { kind: 'unknown', token: entry.token };
  }

  /**
   * Processes a pushed update. Facts of an unknown customer are not kept: the next caller loads them.
   * @param isAlias they are kept: the identifier has usage, and is, or was, an alias
   */
  update(customer: string, sent: CustomerFacts, isAlias = false): void {
    const facts = upgradeFacts(sent);
    const entry = this.#find(customer);
    if (entry === undefined) {
      if (isAlias) this.#keep(customer, facts);
      return;
    }
    if (entry.kind === 'known') {
      if (entry.facts.version < facts.version) this.#keep(customer, facts);
    } else if (entry.pushed === null || entry.pushed.version < facts.version) {
      this.#entries.set(customer, { ...entry, pushed: facts });
    }
  }

  /**
   * The customer that this identifier is an alias of; null if it is none, undefined if that is not known. An alias of before the epoch
   * is none until its facts are loaded: usage is merged once, and never taken back.
   */
  customerOf(identifier: string): string | null | undefined {
    const entry = this.#find(identifier);
    if (entry?.kind === 'known') return entry.facts.aliasOf?.customerId ?? null;
    return this.#findStored(identifier) === undefined ? undefined : null;
  }

  /** From when billing windows of the customer's plans may be counted; empty if its facts are not known. */
  anchorsOf(customer: string): readonly number[] {
    const entry = this.#find(customer);
    return entry?.kind === 'known' ? anchorsOf(entry.facts) : [];
  }

  /** Whether a pushed update would have an effect. */
  isKnown(customer: string): boolean {
    return this.#find(customer) !== undefined;
  }

  /** A disabled location receives no updates, so its facts are no longer reliable. */
  forgetAll(): void {
    this.#entries.clear();
    for (const table of ['facts', 'no_facts'] as const)
      if (this.#has(table)) this.#sql.exec(`DELETE FROM ${table}`);
    this.#oldestDay = undefined;
  }

  /**
   * When rows of customers without facts can be deleted. Null if there are none, and in a new instance that has stored none: the alarm
   * is set already, and setting it costs a row. Each alarm calls cleanUp.
   */
  cleanUpAt(): number | null {
    return typeof this.#oldestDay === 'number' ? (this.#oldestDay + 2) * DAY_MS - this.#shiftMs : null;
  }

  /** Customers stay known as long as they are in memory: updates reach them. */
  cleanUp(): void {
    if (this.#oldestDay === undefined) this.#oldestDay = this.#readOldestDay();
    const at = this.cleanUpAt();
    if (at === null || at > this.#effects.now()) return;
    const expired = `SELECT day, customer FROM no_facts WHERE day < ? LIMIT ${MAX_DELETED}`;
    this.#sql.exec(`DELETE FROM no_facts WHERE (day, customer) IN (${expired})`, this.#today() - 1);
    this.#oldestDay = this.#readOldestDay();
  }

  /** Call after the storage was deleted. */
  reload(): void {
    this.#entries.clear();
    this.#made.clear();
    this.#oldestDay = undefined;
    this.#knownEpoch = undefined;
  }

  /** Throws if the platform has replaced this instance, which then has missed updates. */
  touch(): void {
    this.#sql.exec(`SELECT 1 FROM ${this.#has('facts') ? 'facts' : 'sqlite_master'} LIMIT 1`).toArray();
  }

  #find(customer: string): Entry | undefined {
    const known = this.#entries.get(customer);
    if (known !== undefined) return known;
    const facts = this.#findStored(customer) ?? this.#findNone(customer);
    if (facts === undefined || facts.version < this.#epoch) return undefined;
    const entry: Entry = { kind: 'known', facts };
    this.#entries.set(customer, entry);
    return entry;
  }

  get #epoch(): number {
    this.#knownEpoch ??= this.#readEpoch();
    return this.#knownEpoch;
  }

  #readEpoch(): number {
    if (!this.#has('facts_epoch')) return 0;
    const [row] = this.#sql
      .exec<{ epoch: number }>('SELECT epoch FROM facts_epoch ORDER BY epoch DESC LIMIT 1')
      .toArray();
    return row?.epoch ?? 0;
  }

  /** Also what is below the epoch. */
  #findStored(customer: string): CustomerFacts | undefined {
    if (!this.#has('facts')) return undefined;
    const [row] = this.#sql
      .exec<{ body: string }>('SELECT body FROM facts WHERE customer = ?', customer)
      .toArray();
    return row && upgradeFacts(JSON.parse(row.body) as CustomerFacts);
  }

  #findNone(customer: string): CustomerFacts | undefined {
    if (!this.#has('no_facts')) return undefined;
    const today = this.#today();
    const [row] = this.#sql
      .exec<{ version: number }>(
        'SELECT version FROM no_facts WHERE day IN (?, ?) AND customer = ? ORDER BY day DESC LIMIT 1',
        today,
        today - 1,
        customer,
      )
      .toArray();
    return row && { ...NO_FACTS, version: row.version };
  }

  #keep(customer: string, facts: CustomerFacts): Entry {
    // That an email or user id is no alias any more has to be known after an eviction, too.
    const former = this.#findStored(customer);
    const wasAlias =
      former !== undefined && (customer.includes('@') || Boolean(former.aliasOf) || isEmptyFacts(former));
    if (!isEmptyFacts(facts) || wasAlias) {
      this.#make('facts');
      this.#sql.exec(
        'INSERT OR REPLACE INTO facts (customer, body) VALUES (?, ?)',
        customer,
        JSON.stringify(facts),
      );
    } else {
      if (this.#has('facts')) this.#sql.exec('DELETE FROM facts WHERE customer = ?', customer);
      this.#keepNone(customer, facts.version);
    }
    const entry: Entry = { kind: 'known', facts };
    this.#entries.set(customer, entry);
    const released = former === undefined ? [] : releasedUserIds(customer, former, facts);
    if (released.length > 0) this.#effects.released(customer, released);
    if (facts.aliasOf && !former?.aliasOf) this.#effects.becameAlias(customer);
    return entry;
  }

  #keepNone(customer: string, version: number): void {
    this.#make('no_facts');
    this.#sql.exec(
      'INSERT OR REPLACE INTO no_facts (day, customer, version) VALUES (?, ?, ?)',
      this.#today(),
      customer,
      version,
    );
    if (this.cleanUpAt() !== null) return;
    this.#oldestDay = this.#readOldestDay();
    this.#effects.cleanUpChanged();
  }

  #readOldestDay(): number | null {
    if (!this.#has('no_facts')) return null;
    const [row] = this.#sql.exec<{ day: number }>('SELECT day FROM no_facts ORDER BY day LIMIT 1').toArray();
    return row?.day ?? null;
  }

  #today(): number {
    return Math.floor((this.#effects.now() + this.#shiftMs) / DAY_MS);
  }

  #has(table: Table): boolean {
    let isMade = this.#made.get(table);
    if (isMade === undefined) {
      const named = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
      isMade = named.toArray().length > 0;
      this.#made.set(table, isMade);
    }
    return isMade;
  }

  /** Separate from the ledger's tables, which are created by the first count and erased with the location. */
  #make(table: Table): void {
    if (this.#has(table)) return;
    this.#sql.exec(`CREATE TABLE ${table} (${COLUMNS[table]}) STRICT, WITHOUT ROWID`);
    this.#made.set(table, true);
  }
}
