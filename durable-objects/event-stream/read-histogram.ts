/** The number of events over time, by outcome, from roll-ups. */
import { type HistogramCriteria, MAX_HISTOGRAM_BUCKETS, NO_ENVIRONMENT } from '#contracts/console/events';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { addCounts, noEvents, type OutcomeCounts, Rollup } from '#engine/events/rollup';
import type { Width } from './rollup-extent.ts';
import type { RollupRow } from './rollup-rows.ts';
import type { RollupStore } from './rollup-store.ts';

export interface Histogram {
  readonly bucketMs: number;
  readonly buckets: (OutcomeCounts & { readonly at: number })[];
}

/** Widths of buckets that read well on an axis. */
const BUCKETS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
];

export function readHistogram(
  rollups: RollupStore,
  { environment, type, outcome, timeFrom, timeTo }: HistogramCriteria,
): Histogram {
  // Hours of a day are its narrowest parts: narrower buckets would be empty but for one in a row.
  const bucketMs = bucketWidth(timeFrom, timeTo, rollups.partMsAt(timeFrom));
  const first = Math.floor(timeFrom / bucketMs) * bucketMs;
  const count = Math.min(MAX_HISTOGRAM_BUCKETS, Math.ceil((timeTo - first) / bucketMs));
  const counts = Array.from({ length: count }, noEvents);
  for (const row of rollups.read({
    environments: environmentsOf(environment),
    fromAt: timeFrom,
    toAt: timeTo,
    part: 'outcomes',
    widest: countedIn(bucketMs),
  })) {
    for (const { part, type: ownType, counts: added } of Rollup.read(row.text).series) {
      if (type && type !== ownType) continue;
      const bucket = counts[Math.floor((row.at + part * partMs(row) - first) / bucketMs)];
      if (bucket === undefined) continue;
      if (outcome) bucket[outcome] += added[outcome];
      else addCounts(bucket, added);
    }
  }
  const buckets = counts.map((each, index) => ({ at: first + index * bucketMs, ...each }));
  return { bucketMs, buckets };
}

/** Payment-provider events belong to no environment and are part of each. */
export function environmentsOf(environment: string | null | undefined): string[] | null {
  return environment ? [environment, NO_ENVIRONMENT] : null;
}

/** The widest rows whose narrower periods fit into buckets of this width. */
export function countedIn(bucketMs: number): Width {
  return bucketMs < HOUR_MS ? HOUR_MS : DAY_MS;
}

/** The width of the periods within a roll-up. */
export function partMs({ width }: Pick<RollupRow, 'width'>): number {
  return width === DAY_MS ? HOUR_MS : MINUTE_MS;
}

function bucketWidth(fromAt: number, toAt: number, narrowest: number): number {
  const fits = (width: number) =>
    width >= narrowest && Math.ceil(toAt / width) - Math.floor(fromAt / width) <= MAX_HISTOGRAM_BUCKETS;
  return BUCKETS_MS.find(fits) ?? (BUCKETS_MS.at(-1) as number);
}
