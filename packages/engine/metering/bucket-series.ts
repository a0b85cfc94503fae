/**
 * One origin's usage of one property along time: an ordered series of buckets that do not overlap. Running sums make every
 * reading cost the same, however much was counted. The series tracks which buckets must be stored.
 */
import type { IsCut } from './billing-cuts.ts';
import { bucketEnd, bucketStart, leastAge, MONTHS, mayBeMerged, type Reach } from './bucket-widths.ts';

export interface Bucket {
  /** Minutes since the epoch. */
  readonly start: number;
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

export class BucketSeries {
  readonly #starts: number[] = [];
  readonly #widths: number[] = [];
  readonly #amounts: number[] = [];
  readonly #versions: number[] = [];
  /** Prefix sums of the amounts, inclusive; valid for the first `#summed` buckets. */
  readonly #sums: number[] = [];
  #summed = 0;
  #negative = 0;
  /** Buckets added since the last compaction. */
  #grown = 0;
  readonly #changed = new Set<number>();
  readonly #removed = new Set<number>();

  /** @param buckets ordered by start, without overlaps */
  static of(buckets: Iterable<Bucket>): BucketSeries {
    const series = new BucketSeries();
    for (const bucket of buckets) series.#insert(series.size, bucket);
    return series;
  }

  get size(): number {
    return this.#starts.length;
  }

  get total(): number {
    return this.#sumOfFirst(this.size);
  }

  /** The sum of the negative amounts, as a positive number. */
  get negative(): number {
    return this.#negative;
  }

  /** Start of the newest bucket; 0 when empty. */
  get newest(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** The sum of buckets that start in [from, to). */
  sum(from: number, to: number): number {
    const first = this.#countBefore(from);
    const end = to === Number.POSITIVE_INFINITY ? this.size : this.#countBefore(to);
    return this.#sumOfFirst(end) - this.#sumOfFirst(first);
  }

  /** The minutes of the bucket that covers a minute; null if none does. */
  around(minute: number): Reach | null {
    const index = this.#countBefore(minute + 1) - 1;
    const from = this.#starts[index];
    if (from === undefined) return null;
    const to = bucketEnd(this.#widths[index] ?? 0, from);
    return to > minute ? { from, to } : null;
  }

  /** Buckets that start at `from` or later. */
  *since(from: number): Generator<Bucket> {
    for (let index = this.#countBefore(from); index < this.size; index++) yield this.#bucket(index);
  }

  /** Buckets that start before `to`, newest first. */
  *before(to: number): Generator<Bucket, undefined> {
    for (let index = this.#countBefore(to) - 1; index >= 0; index--) yield this.#bucket(index);
  }

  /** Adds to the bucket that covers a minute, or creates a one-minute bucket. @returns whether a bucket was created */
  add(minute: number, amount: number): boolean {
    const index = this.#countBefore(minute + 1) - 1;
    if (index >= 0 && bucketEnd(this.#widths[index] ?? 0, this.#starts[index] ?? 0) > minute) {
      const before = this.#amounts[index] ?? 0;
      this.#amounts[index] = before + amount;
      this.#negative += Math.max(0, -before - amount) - Math.max(0, -before);
      this.#touch(index);
      return false;
    }
    this.#insert(index + 1, { start: minute, width: 0, amount, version: 0 });
    this.#changed.add(minute);
    this.#removed.delete(minute);
    return true;
  }

  /**
   * Merges a replicated bucket. It replaces the narrower buckets that it covers. A wider bucket here wins, and so does a
   * bucket of the same width with the same or a higher version.
   * @returns false when nothing changed; otherwise the starts of the replaced buckets
   */
  put(bucket: Bucket): readonly number[] | false {
    const end = bucketEnd(bucket.width, bucket.start);
    const before = this.#countBefore(bucket.start) - 1;
    if (before >= 0 && bucketEnd(this.#widths[before] ?? 0, this.#starts[before] ?? 0) > bucket.start)
      return false;
    const first = before + 1;
    if (this.#starts[first] === bucket.start) {
      const width = this.#widths[first] ?? 0;
      if (width > bucket.width) return false;
      if (width === bucket.width && (this.#versions[first] ?? 0) >= bucket.version) return false;
    }
    const replaced = this.#remove(first, this.#countBefore(end));
    this.#insert(first, bucket);
    return replaced;
  }

  /** Call after each new bucket: compacts once the series has grown by a quarter. @param cutsAt computes where billing windows may begin */
  tidy(now: number, cutsAt?: (now: number) => IsCut): void {
    this.#grown += 1;
    if (this.#grown < this.size / 4) return;
    this.#grown = 0;
    this.compact(now, cutsAt?.(now));
  }

  /**
   * Merges old buckets into wider ones. No window reads a different amount from `now` (a minute) on. Billing windows do not if `isCut` knows
   * where they begin: buckets are not merged across it.
   */
  compact(now: number, isCut?: IsCut): void {
    let index = 0;
    while (index < this.size && now - (this.#starts[index] ?? 0) >= leastAge(1)) {
      const start = this.#starts[index] ?? 0;
      let width = MONTHS;
      while (!mayBeMerged(width, start, now) || isCutAcross(isCut, width, start)) width -= 1;
      const end = this.#countBefore(bucketEnd(width, bucketStart(width, start)));
      if (end > index + 1) this.#merge(index, end, width);
      index += 1;
    }
  }

  /** For series that are not persisted. */
  forgetChanges(): void {
    this.#changed.clear();
    this.#removed.clear();
  }

  /** Returns what must be stored: changed buckets, each with a new version, and the starts of removed buckets. */
  takeChanges(nextVersion: () => number): { readonly buckets: Bucket[]; readonly removed: number[] } {
    const buckets: Bucket[] = [];
    for (const start of this.#changed) {
      const index = this.#countBefore(start);
      if (this.#starts[index] !== start) continue;
      this.#versions[index] = nextVersion();
      buckets.push(this.#bucket(index));
    }
    const removed = [...this.#removed];
    this.#changed.clear();
    this.#removed.clear();
    return { buckets, removed };
  }

  #merge(index: number, end: number, width: number): void {
    const minute = this.#starts[index] ?? 0;
    const amount = this.#sumOfFirst(end) - this.#sumOfFirst(index);
    for (const start of this.#remove(index, end)) {
      this.#removed.add(start);
      this.#changed.delete(start);
    }
    const start = bucketStart(width, minute);
    this.#insert(index, { start, width, amount, version: 0 });
    this.#removed.delete(start);
    this.#changed.add(start);
  }

  #touch(index: number): void {
    this.#changed.add(this.#starts[index] ?? 0);
    this.#summed = Math.min(this.#summed, index);
  }

  #insert(index: number, { start, width, amount, version }: Bucket): void {
    if (index === this.size) {
      this.#starts.push(start);
      this.#widths.push(width);
      this.#amounts.push(amount);
      this.#versions.push(version);
    } else {
      this.#starts.splice(index, 0, start);
      this.#widths.splice(index, 0, width);
      this.#amounts.splice(index, 0, amount);
      this.#versions.splice(index, 0, version);
    }
    this.#negative += Math.max(0, -amount);
    this.#summed = Math.min(this.#summed, index);
  }

  #remove(from: number, to: number): number[] {
    if (to <= from) return [];
    this.#widths.splice(from, to - from);
    for (const amount of this.#amounts.splice(from, to - from)) this.#negative -= Math.max(0, -amount);
    this.#versions.splice(from, to - from);
    this.#summed = Math.min(this.#summed, from);
    return this.#starts.splice(from, to - from);
  }

  #bucket(index: number): Bucket {
    return {
      start: this.#starts[index] ?? 0,
      width: this.#widths[index] ?? 0,
      amount: this.#amounts[index] ?? 0,
      version: this.#versions[index] ?? 0,
    };
  }

  /** How many buckets start before a minute. */
  #countBefore(minute: number): number {
    let low = 0;
    let high = this.size;
    if (high > 0 && (this.#starts[high - 1] ?? 0) < minute) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < minute) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sumOfFirst(count: number): number {
    for (let index = this.#summed; index < count; index++) {
      this.#sums[index] = (this.#sums[index - 1] ?? 0) + (this.#amounts[index] ?? 0);
    }
    this.#summed = Math.max(this.#summed, count);
    return count === 0 ? 0 : (this.#sums[count - 1] ?? 0);
  }
}

function isCutAcross(isCut: IsCut | undefined, width: number, minute: number): boolean {
  if (isCut === undefined) return false;
  const start = bucketStart(width, minute);
  return isCut(start, bucketEnd(width, start));
}
