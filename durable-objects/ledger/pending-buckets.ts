/** The buckets whose newest state is in the journal only, see journal.ts. */
import type { BucketRow } from './ledger-rows.ts';

/** The primary key of a bucket's row. */
export type Place = Pick<BucketRow, 'customer' | 'property' | 'origin' | 'start'>;

export interface Pending {
  readonly cell: BucketRow;
  /** The newest row of the journal that contains the bucket; 0 until the transaction under way is written. */
  row: number;
}

export class PendingBuckets {
  /** By customer, then by place. */
  readonly #byCustomer = new Map<number, Map<string, Pending>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#byCustomer.clear();
    this.#size = 0;
  }

  has(place: Place): boolean {
    return this.#byCustomer.get(place.customer)?.has(textOf(place)) ?? false;
  }

  keep(cell: BucketRow): Pending {
    let ofCustomer = this.#byCustomer.get(cell.customer);
    if (ofCustomer === undefined) {
      ofCustomer = new Map();
      this.#byCustomer.set(cell.customer, ofCustomer);
    }
    const pending = { cell, row: 0 };
    const before = ofCustomer.size;
    ofCustomer.set(textOf(cell), pending);
    this.#size += ofCustomer.size - before;
    return pending;
  }

  drop(place: Place): void {
    const ofCustomer = this.#byCustomer.get(place.customer);
    if (ofCustomer === undefined || !ofCustomer.delete(textOf(place))) return;
    this.#size -= 1;
    if (ofCustomer.size === 0) this.#byCustomer.delete(place.customer);
  }

  /** Those that no row above `row` contains, without those of the transaction under way. */
  writtenUpTo(row: number): BucketRow[] {
    return this.#filter((pending) => pending.row > 0 && pending.row <= row);
  }

  /** Those above a version. */
  changesAfter(version: number): BucketRow[] {
    return this.#filter(({ cell }) => cell.version > version);
  }

  /** A customer's stored rows, ordered by property, origin and start, with what is pending. */
  overlay(customer: number, stored: readonly BucketRow[]): readonly BucketRow[] {
    const pending = this.#byCustomer.get(customer);
    if (pending === undefined) return stored;
    const current = stored.filter((cell) => !this.has(cell));
    for (const { cell } of pending.values()) current.push(cell);
    return current.sort(
      (one, other) => one.property - other.property || one.origin - other.origin || one.start - other.start,
    );
  }

  #filter(isWanted: (pending: Pending) => boolean): BucketRow[] {
    const cells: BucketRow[] = [];
    for (const ofCustomer of this.#byCustomer.values()) {
      for (const pending of ofCustomer.values()) if (isWanted(pending)) cells.push(pending.cell);
    }
    return cells;
  }
}

function textOf({ property, origin, start }: Place): string {
  return `${property} ${origin} ${start}`;
}
