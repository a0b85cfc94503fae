/**
 * The customer facts that a ledger object knows: subscriptions, grants and overrides. Facts are stored; that a
 * customer has none is only cached. For an unknown customer the caller loads the facts from the database and sends
 * them with its next call.
 *
 * An update that is pushed while a caller loads must not be lost. The object hands the caller a token before it loads;
 * while the token is valid, pushed updates are kept and compared. If the token is no longer valid, the caller loads
 * again. For a known customer no token is needed: the higher version wins.
 */
import {
  type CallerFacts,
  type CustomerFacts,
  type FactsUpdate,
  isEmptyFacts,
  loadedFactsOf,
  upgradeFacts,
} from '#contracts/internal/customer-facts';
import { BoundedCache } from '#engine/cache/bounded-cache';

/** Cached customers, at most twice as many. */
const MAX_CACHED = 5_000;

type Entry =
  | { readonly kind: 'known'; readonly facts: CustomerFacts }
  | { readonly kind: 'loading'; readonly token: string; readonly pushed: CustomerFacts | null };

export class KnownCustomerFacts {
  readonly #sql: SqlStorage;
  readonly #newToken: () => string;
  readonly #entries = new BoundedCache<string, Entry>(MAX_CACHED);
  #isMade: boolean | null = null;

  /** @param newToken returns a value that was never used before, in any incarnation of the object */
  constructor(sql: SqlStorage, newToken: () => string) {
    this.#sql = sql;
    this.#newToken = newToken;
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
      entry = { kind: 'loading', token: this.#newToken(), pushed: null };
      this.#entries.set(customer, entry);
    }
    return { kind: 'unknown', token: entry.token };
  }

  /** Processes a pushed update. Facts of an unknown customer are not kept: the next caller loads them. */
  update(customer: string, sent: CustomerFacts): void {
    const facts = upgradeFacts(sent);
    const entry = this.#find(customer);
    if (entry === undefined) return;
    if (entry.kind === 'known') {
      if (entry.facts.version < facts.version) this.#keep(customer, facts);
    } else if (entry.pushed === null || entry.pushed.version < facts.version) {
      this.#entries.set(customer, { ...entry, pushed: facts });
    }
  }

  /** The customer that this identifier is an alias of; null if it is none, undefined if that is not known. */
  customerOf(identifier: string): string | null | undefined {
    const entry = this.#find(identifier);
    return entry?.kind === 'known' ? (entry.facts.aliasOf?.customerId ?? null) : undefined;
  }

  /** Whether a pushed update would have an effect. */
  isKnown(customer: string): boolean {
    return this.#find(customer) !== undefined;
  }

  /** A disabled location receives no updates, so its facts are no longer reliable. */
  forgetAll(): void {
    this.#entries.clear();
    if (this.#hasTable()) this.#sql.exec('DELETE FROM facts');
  }

  /** Call after the storage was deleted. */
  reload(): void {
    this.#entries.clear();
    this.#isMade = null;
  }

  /** Throws if the platform has replaced this instance, which then has missed updates. */
  touch(): void {
    this.#sql.exec(`SELECT 1 FROM ${this.#hasTable() ? 'facts' : 'sqlite_master'} LIMIT 1`).toArray();
  }

  #find(customer: string): Entry | undefined {
    const known = this.#entries.get(customer);
    if (known !== undefined || !this.#hasTable()) return known;
    const [row] = this.#sql
      .exec<{ body: string }>('SELECT body FROM facts WHERE customer = ?', customer)
      .toArray();
    if (row === undefined) return undefined;
    const entry: Entry = { kind: 'known', facts: upgradeFacts(JSON.parse(row.body) as CustomerFacts) };
    this.#entries.set(customer, entry);
    return entry;
  }

  #keep(customer: string, facts: CustomerFacts): Entry {
    // That an email is no alias any more has to be known after an eviction, too.
    const wasAlias = customer.includes('@') && this.#isStored(customer);
    if (!isEmptyFacts(facts) || wasAlias) {
      this.#make();
      this.#sql.exec(
        'INSERT OR REPLACE INTO facts (customer, body) VALUES (?, ?)',
        customer,
        JSON.stringify(facts),
      );
    } else if (this.#hasTable()) this.#sql.exec('DELETE FROM facts WHERE customer = ?', customer);
    const entry: Entry = { kind: 'known', facts };
    this.#entries.set(customer, entry);
    return entry;
  }

  #isStored(customer: string): boolean {
    if (!this.#hasTable()) return false;
    return this.#sql.exec('SELECT 1 FROM facts WHERE customer = ?', customer).toArray().length > 0;
  }

  #hasTable(): boolean {
    this.#isMade ??=
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'facts'").toArray().length >
      0;
    return this.#isMade;
  }

  /** Separate from the ledger's tables, which are created by the first count and erased with the location. */
  #make(): void {
    if (this.#hasTable()) return;
    this.#sql.exec(
      'CREATE TABLE facts (customer TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID',
    );
    this.#isMade = true;
  }
}
