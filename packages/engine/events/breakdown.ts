/**
 * Counts by key, such as calls by feature, in columns that the reader names, such as its reasons; with latencies where there are any.
 * Part of a roll-up. Merging adds, so any order of merging gives the same figures.
 */
import { LatencyHistogram } from './latency-histogram.ts';

interface Entry {
  /** By column; missing ones are 0. */
  readonly counts: number[];
  latency: LatencyHistogram | null;
}

export type StoredBreakdown = readonly [
  key: string,
  counts: number[],
  latency?: [bin: number, count: number][],
][];

export class Breakdown {
  readonly #entries = new Map<string, Entry>();

  count(key: string, column: number, count: number): void {
    const { counts } = this.#entry(key);
    while (counts.length <= column) counts.push(0);
    counts[column] = (counts[column] ?? 0) + count;
  }

  addLatency(key: string, ms: number): void {
    this.#latency(key).add(ms);
  }

  /** @param key of all that is merged, in place of its own */
  merge(other: Breakdown, key?: string): void {
    for (const [own, { counts, latency }] of other.#entries)
      this.#add(key ?? own, counts, latency?.entries());
  }

  read(stored: StoredBreakdown | undefined): void {
    for (const [key, counts, latency] of stored ?? []) this.#add(key, counts, latency);
  }

  /**
   * The largest sums; undefined if there are none, so that JSON leaves them out.
   * @param otherOf the key under which one that is not among them is counted; without it, it is left out
   */
  write(limit: number, otherOf?: (key: string) => string): StoredBreakdown | undefined {
    if (this.#entries.size === 0) return undefined;
    if (otherOf !== undefined && this.#entries.size > limit) {
      const bounded = new Breakdown();
      for (const [index, { key, counts }] of this.largest(Number.POSITIVE_INFINITY).entries())
        bounded.#add(index < limit ? key : otherOf(key), counts, undefined);
      return bounded.write(Number.POSITIVE_INFINITY);
    }
    return this.largest(limit).map(({ key, counts, latency }) =>
      latency === null ? [key, [...counts]] : [key, [...counts], latency.entries()],
    );
  }

  /** The largest sums first; equal ones by key. */
  largest(limit: number): {
    readonly key: string;
    readonly counts: readonly number[];
    readonly latency: LatencyHistogram | null;
  }[] {
    return [...this.#entries]
      .map(([key, entry]) => ({ key, ...entry, sum: entry.counts.reduce((sum, count) => sum + count, 0) }))
      .sort((one, other) => other.sum - one.sum || (one.key < other.key ? -1 : 1))
      .slice(0, limit);
  }

  #add(
    key: string,
    counts: readonly number[],
    latency: readonly [bin: number, count: number][] | undefined,
  ): void {
    for (const [column, count] of counts.entries()) if (count > 0) this.count(key, column, count);
    if (latency !== undefined) this.#latency(key).addEntries(latency);
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { counts: [], latency: null };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #latency(key: string): LatencyHistogram {
    const entry = this.#entry(key);
    entry.latency ??= new LatencyHistogram();
    return entry.latency;
  }
}
