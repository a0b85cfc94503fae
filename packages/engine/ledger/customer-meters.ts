/**
 * One customer's meters in memory: per property, the usage buckets of every origin, and how many resources were last used
 * in each minute. Changes are collected until the ledger stores them, in the transaction that made them.
 */
import type { LedgerReading, MeterWindow, UsageBucket } from '#contracts/internal/ledger';
import { BucketSeries } from '../metering/bucket-series.ts';
import { minuteOf } from '../metering/bucket-widths.ts';
import { type Reach, readWindow } from '../metering/read-window.ts';
import { type BucketShare, usageToGiveBack } from './usage-to-give-back.ts';

/** How many resources in use were last used in this minute. */
export interface InUseCount {
  readonly minute: number;
  readonly count: number;
}

export interface BucketChanges {
  readonly buckets: readonly UsageBucket[];
  readonly removed: readonly Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>[];
}

export class CustomerMeters {
  readonly identifier: string;
  readonly #origins = new Map<string, Map<string, BucketSeries>>();
  readonly #inUse = new Map<string, BucketSeries>();
  readonly #countInUse: (propertyId: string) => readonly InUseCount[];
  readonly #touched = new Set<string>();

  /**
   * @param buckets the stored buckets, ordered by start
   * @param countInUse reads the resources in use from storage, ordered by minute
   */
  constructor(
    identifier: string,
    buckets: readonly UsageBucket[],
    countInUse: (propertyId: string) => readonly InUseCount[],
  ) {
    this.identifier = identifier;
    this.#countInUse = countInUse;
    for (const bucket of buckets) this.#seriesOf(bucket.propertyId, bucket.origin).put(bucket);
  }

  /** Approximate memory use, in buckets. */
  get weight(): number {
    let weight = 8;
    for (const series of this.#origins.values()) for (const each of series.values()) weight += 8 + each.size;
    for (const series of this.#inUse.values()) weight += 8 + series.size;
    return weight;
  }

  read(propertyId: string, meter: MeterWindow, now: number): LedgerReading {
    return readWindow(meter, now, this.#seriesFor(propertyId, meter.uniqueResourceIds));
  }

  /** The sum over all origins and all time. Negative if more was given back than this ledger has received. */
  total(propertyId: string): number {
    let total = 0;
    for (const series of this.#origins.get(propertyId)?.values() ?? []) total += series.total;
    return total;
  }

  /**
   * Adds to the usage of `origin`, the ledger's own: to the bucket that covers the instant, which may be older than others.
   * @param at epoch milliseconds
   * @returns the minute of the instant
   */
  add(propertyId: string, origin: string, at: number, amount: number): number {
    const series = this.#seriesOf(propertyId, origin);
    const minute = minuteOf(at);
    this.#touched.add(propertyId);
    if (series.add(minute, amount)) series.tidy(series.newest);
    return minute;
  }

  /** Chooses the usage that a give-back removes. See worker/domains/metering/README.md, "Metering". */
  usageToGiveBack(propertyId: string, reach: Reach, amount: number): BucketShare[] {
    return usageToGiveBack(this.#seriesFor(propertyId, false), reach, amount);
  }

  /** Subtracts what `origin`, the ledger's own, counted in a minute, or gives back of other origins' usage. */
  revert(propertyId: string, origin: string, minute: number, amount: number): void {
    this.#touched.add(propertyId);
    const series = this.#seriesOf(propertyId, origin);
    if (series.add(minute, -amount)) series.tidy(series.newest);
  }

  /** @returns as BucketSeries.put */
  put(bucket: UsageBucket): readonly number[] | false {
    return this.#seriesOf(bucket.propertyId, bucket.origin).put(bucket);
  }

  /** Updates the resources in use: last use moved, resource released, or resource taken. Null: not in use. */
  moveUse(propertyId: string, before: number | null, after: number | null): void {
    const inUse = this.#inUse.get(propertyId);
    if (inUse === undefined) return;
    if (before !== null) inUse.add(minuteOf(before), -1);
    if (after !== null && inUse.add(minuteOf(after), 1)) inUse.tidy(inUse.newest);
    inUse.forgetChanges();
  }

  /** The changes of `origin`, the ledger's own, since the last call. */
  takeChanges(origin: string, nextVersion: () => number): BucketChanges {
    const buckets: UsageBucket[] = [];
    const removed: BucketChanges['removed'][number][] = [];
    for (const propertyId of this.#touched) {
      const changes = this.#seriesOf(propertyId, origin).takeChanges(nextVersion);
      for (const bucket of changes.buckets) buckets.push({ ...bucket, propertyId, origin });
      for (const start of changes.removed) removed.push({ propertyId, origin, start });
    }
    this.#touched.clear();
    return { buckets, removed };
  }

  #seriesFor(propertyId: string, isUnique: boolean): readonly BucketSeries[] {
    if (isUnique) return [this.#inUseOf(propertyId)];
    const origins = this.#origins.get(propertyId);
    return origins === undefined ? [] : [...origins.values()];
  }

  #inUseOf(propertyId: string): BucketSeries {
    let inUse = this.#inUse.get(propertyId);
    if (inUse === undefined) {
      const counts = this.#countInUse(propertyId);
      inUse = BucketSeries.of(
        counts.map(({ minute, count }) => ({ start: minute, width: 0, amount: count, version: 0 })),
      );
      inUse.compact(inUse.newest);
      inUse.forgetChanges();
      this.#inUse.set(propertyId, inUse);
    }
    return inUse;
  }

  #seriesOf(propertyId: string, origin: string): BucketSeries {
    let origins = this.#origins.get(propertyId);
    if (origins === undefined) {
      origins = new Map();
      this.#origins.set(propertyId, origins);
    }
    let series = origins.get(origin);
    if (series === undefined) {
      series = new BucketSeries();
      origins.set(origin, series);
    }
    return series;
  }
}
