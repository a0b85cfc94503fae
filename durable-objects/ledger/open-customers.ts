/**
 * The customers that a ledger has in memory: a least-recently-used cache, whose buckets share the memory of all ledgers in the isolate.
 * Reading a customer stores nothing.
 */
import type { Location } from '#contracts/public/locations';
import type { SharedMemory } from '#engine/cache/shared-memory';
import { MINUTE_MS } from '#engine/durations';
import { CustomerMeters, type CutsBy } from '#engine/ledger/customer-meters';
import { holdsOf } from '#engine/ledger/holds';
import { Periods, periodsOf } from '#engine/ledger/periods';
import { rolledEdges } from '#engine/ledger/rolled-grants';
import { cutsOf } from '#engine/metering/billing-cuts';
import type { LedgerStore, StoredAlias } from './ledger-store.ts';

const NONE: readonly never[] = [];

/** A cached customer. */
export interface OpenCustomer {
  readonly meters: CustomerMeters;
  readonly copiedFrom: Set<Location>;
  /** Null: not known to be an alias. */
  alias: StoredAlias | null;
}

interface Entry {
  readonly customer: OpenCustomer;
  weight: number;
}

/** From when the billing windows of an identifier may be counted, epoch milliseconds. */
export type AnchorsOf = (identifier: string) => readonly number[];

export class OpenCustomers {
  readonly #store: LedgerStore;
  readonly #memory: SharedMemory;
  readonly #cutsBy: CutsBy;
  /** In order of use. */
  readonly #entries = new Map<string, Entry>();
  #weight = 0;

  /**
   * @param memory for buckets
   * @param anchorsOf a customer's plans, as far as facts are known
   */
  constructor(store: LedgerStore, memory: SharedMemory, anchorsOf: AnchorsOf) {
    this.#store = store;
    this.#memory = memory;
    this.#cutsBy = (identifier, { anchors, zoned, periods, rolling }, now) => {
      // Of what has rolled over, the anchor may be gone, and it may have been years ago.
      const edges = rolledEdges(rolling, now * MINUTE_MS, periods);
      return cutsOf(new Set([...anchors, ...anchorsOf(identifier)]), now, zoned, edges);
    };
    memory.join(this);
  }

  /** Buckets. */
  get weight(): number {
    return this.#weight;
  }

  open(identifier: string): OpenCustomer {
    const entry = this.#entries.get(identifier) ?? this.#load(identifier);
    this.#entries.delete(identifier);
    this.#entries.set(identifier, entry);
    return entry.customer;
  }

  *values(): Generator<OpenCustomer> {
    for (const { customer } of this.#entries.values()) yield customer;
  }

  /** Call when a customer's meters have changed. */
  reweigh({ identifier, weight }: CustomerMeters): void {
    const entry = this.#entries.get(identifier);
    if (entry === undefined) return;
    this.#weight += weight - entry.weight;
    entry.weight = weight;
  }

  /** Evicts the customers used longest ago, and keeps at least one. Call only when no customer has unsaved changes. */
  trim(): void {
    const room = this.#memory.roomFor(this);
    for (const [oldest, { weight }] of this.#entries) {
      if (this.#weight <= room || this.#entries.size === 1) break;
      this.#entries.delete(oldest);
      this.#weight -= weight;
    }
  }

  /** What is stored of it has changed otherwise. @returns its meters, which are void; undefined if it was not in memory */
  forget(identifier: string): CustomerMeters | undefined {
    const entry = this.#entries.get(identifier);
    if (entry === undefined) return undefined;
    this.#entries.delete(identifier);
    this.#weight -= entry.weight;
    return entry.customer.meters;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #load(identifier: string): Entry {
    const { buckets, registers, copiedFrom, alias } = this.#store.loadCustomer(identifier);
    const countInUse = (propertyId: string) => this.#store.countInUse(identifier, propertyId);
    const holds = registers.length === 0 ? NONE : holdsOf(registers);
    const periods = new Periods(registers.length === 0 ? NONE : periodsOf(registers));
    const meters = new CustomerMeters(identifier, buckets, countInUse, this.#cutsBy, { holds, periods });
    const customer = { meters, copiedFrom: new Set(copiedFrom), alias };
    this.#weight += meters.weight;
    return { customer, weight: meters.weight };
  }
}
