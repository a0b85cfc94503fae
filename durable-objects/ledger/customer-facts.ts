/**
 * What a ledger object was told of its customers: subscriptions, grants and overrides. It stores those that say something, and remembers
 * for a while who has none. What it does not know its caller loads from the database and tells it.
 *
 * A change that is told while a caller is loading must not be lost: a caller brings the token it was given before it
 * loaded, and while the token stands changes are kept. Where it stands no more the caller loads once again. A customer
 * who is known needs no token: of two states the later version holds.
 */
import { type CustomerFacts, type FactsInUse, type FactsNews, isEmptyFacts } from '#contracts/customer-facts';
import { TwoGenerationCache } from '#engine/entitlements/two-generation-cache';

/** Customers in memory, at most twice as many. */
const REMEMBERED = 5_000;

type Entry =
  | { readonly kind: 'known'; readonly facts: CustomerFacts }
  | { readonly kind: 'awaited'; readonly token: string; readonly told: CustomerFacts | null };

export class KnownFacts {
  readonly #sql: SqlStorage;
  readonly #newToken: () => string;
  #entries = new TwoGenerationCache<Entry>(REMEMBERED);
  #isMade: boolean | null = null;

  /** @param newToken something never used before, in this or an earlier life of the object */
  constructor(sql: SqlStorage, newToken: () => string) {
    this.#sql = sql;
    this.#newToken = newToken;
  }

  /** Undefined: the caller goes by what is known here, or by something newer. */
  newsFor(customer: string, { version, learnt }: FactsInUse): FactsNews | undefined {
    let entry = this.#find(customer);
    if (entry?.kind === 'awaited' && learnt?.token === entry.token) {
      const { told } = entry;
      entry = this.#keep(
        customer,
        told !== null && told.version > learnt.facts.version ? told : learnt.facts,
      );
    } else if (
      entry?.kind === 'known' &&
      learnt !== undefined &&
      learnt.facts.version > entry.facts.version
    ) {
      entry = this.#keep(customer, learnt.facts);
    }
    if (entry?.kind === 'known') {
      const { facts } = entry;
      if (facts.version <= version || (version === 0 && isEmptyFacts(facts))) return undefined;
      return { kind: 'newer', facts };
    }
    if (entry === undefined) {
      entry = { kind: 'awaited', token: this.#newToken(), told: null };
      this.#entries.set(customer, entry);
    }
    return { kind: 'unknown', token: entry.token };
  }

  /** The customer's facts have changed. Whoever is not known here is loaded when asked about. */
  tell(customer: string, facts: CustomerFacts): void {
    const entry = this.#find(customer);
    if (entry === undefined) return;
    if (entry.kind === 'known') {
      if (entry.facts.version < facts.version) this.#keep(customer, facts);
    } else if (entry.told === null || entry.told.version < facts.version) {
      this.#entries.set(customer, { ...entry, told: facts });
    }
  }

  /** Whose other name it is, as far as is known here; null: nobody's. */
  customerOf(identifier: string): string | null {
    const entry = this.#find(identifier);
    return entry?.kind === 'known' ? (entry.facts.nameOf?.customerId ?? null) : null;
  }

  /** Whether a change is to be told. */
  isKnown(customer: string): boolean {
    return this.#find(customer) !== undefined;
  }

  /** Nobody tells a location that is turned off of changes: what it knew counts no more. */
  forgetAll(): void {
    this.#entries = new TwoGenerationCache(REMEMBERED);
    if (this.#hasTable()) this.#sql.exec('DELETE FROM facts');
  }

  /** Throws where the platform has replaced this instance: it was told of no change since. */
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
    const entry: Entry = { kind: 'known', facts: JSON.parse(row.body) as CustomerFacts };
    this.#entries.set(customer, entry);
    return entry;
  }

  #keep(customer: string, facts: CustomerFacts): Entry {
    if (!isEmptyFacts(facts)) {
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

  #hasTable(): boolean {
    this.#isMade ??=
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'facts'").toArray().length >
      0;
    return this.#isMade;
  }

  /** Apart from the ledger's tables: these are made with the first count, and erased with the location. */
  #make(): void {
    if (this.#hasTable()) return;
    this.#sql.exec(
      'CREATE TABLE facts (customer TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID',
    );
    this.#isMade = true;
  }
}
