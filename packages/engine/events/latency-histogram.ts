/**
 * A logarithmic histogram of latencies: counts per bin, each bin 8% wider than the one before. Merging adds counts, so any order
 * of merging gives the same figures. A percentile is within 4% of the true value.
 */
const SMALLEST_MS = 0.1;
const GROWTH = Math.log(1.08);
/** About an hour. */
const HIGHEST_BIN = 227;

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export class LatencyHistogram {
  readonly #counts = new Map<number, number>();

  static read(entries: readonly (readonly [bin: number, count: number])[]): LatencyHistogram {
    const histogram = new LatencyHistogram();
    histogram.addEntries(entries);
    return histogram;
  }

  addEntries(entries: readonly (readonly [bin: number, count: number])[]): void {
    for (const [bin, count] of entries) this.#add(bin, count);
  }

  add(ms: number): void {
    const bin = ms > SMALLEST_MS ? Math.ceil(Math.log(ms / SMALLEST_MS) / GROWTH) : 0;
    this.#add(Math.min(bin, HIGHEST_BIN), 1);
  }

  merge(other: LatencyHistogram): void {
    for (const [bin, count] of other.#counts) this.#add(bin, count);
  }

  /** By bin, ascending. */
  entries(): [bin: number, count: number][] {
    return [...this.#counts].sort(([one], [other]) => one - other);
  }

  /** In milliseconds; null if there are no latencies. */
  percentiles(): Percentiles | null {
    const entries = this.entries();
    const total = entries.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return null;
    const at = (share: number) => {
      let below = 0;
      const found = entries.find(([, count]) => {
        below += count;
        return below >= share * total;
      });
      return msOf(found === undefined ? 0 : found[0]);
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }

  #add(bin: number, count: number): void {
    this.#counts.set(bin, (this.#counts.get(bin) ?? 0) + count);
  }
}

/** The middle of a bin, to two decimals. */
function msOf(bin: number): number {
  const ms = bin === 0 ? SMALLEST_MS : SMALLEST_MS * Math.exp((bin - 0.5) * GROWTH);
  return Math.round(ms * 100) / 100;
}
