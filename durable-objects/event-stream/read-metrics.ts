/** Figures of a range, from roll-ups. */
import {
  type EventMetrics,
  MAX_METRICS_ENTRIES,
  type MetricsCriteria,
  type MetricsRange,
} from '#contracts/console/event-metrics';
import type { Location } from '#contracts/public/locations';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import { LatencyHistogram } from '#engine/events/latency-histogram';
import { addCounts, noEvents, type OutcomeCounts, Rollup } from '#engine/events/rollup';
import { MINUTE_MS } from '#engine/events/tally-lines';
import type { NearLimits } from './near-limits.ts';
import { environmentsOf, partMs } from './read-histogram.ts';
import type { RollupStore } from './rollup-store.ts';

const RANGES: Record<MetricsRange, { readonly ms: number; readonly bucketMs: number }> = {
  '1h': { ms: HOUR_MS, bucketMs: MINUTE_MS },
  '24h': { ms: DAY_MS, bucketMs: HOUR_MS },
  '7d': { ms: 7 * DAY_MS, bucketMs: 3 * HOUR_MS },
  '30d': { ms: 30 * DAY_MS, bucketMs: DAY_MS },
};

interface Bucket {
  readonly types: Record<'ac' | 'cu' | 'se', OutcomeCounts>;
  readonly latency: LatencyHistogram;
}

/** @param now the end of the range, epoch milliseconds */
export function readMetrics(
  rollups: RollupStore,
  nearLimits: NearLimits,
  { environment, range }: MetricsCriteria,
  now: number,
): EventMetrics {
  const { ms, bucketMs } = RANGES[range];
  const environments = environmentsOf(environment);
  const from = Math.floor((now - ms) / bucketMs) * bucketMs;
  const buckets: Bucket[] = [];
  for (let at = from; at <= now; at += bucketMs) {
    buckets.push({
      types: { ac: noEvents(), cu: noEvents(), se: noEvents() },
      latency: new LatencyHistogram(),
    });
  }
  const whole = new Rollup();
  for (const row of rollups.read(environments, from, now + 1)) {
    if (row.at < from) continue;
    whole.merge(row.rollup);
    buckets[Math.floor((row.at - from) / bucketMs)]?.latency.merge(row.rollup.latency);
    for (const { part, type, counts } of row.rollup.series) {
      const bucket = buckets[Math.floor((row.at + part * partMs(row) - from) / bucketMs)];
      if (bucket !== undefined) addCounts(bucket.types[type], counts);
    }
  }
  const totals = noEvents();
  for (const { types } of buckets) for (const counts of Object.values(types)) addCounts(totals, counts);
  return {
    ...{ from, to: now, bucketMs },
    buckets: buckets.map(({ types, latency }, index) => ({
      at: from + index * bucketMs,
      types,
      latency: latency.percentiles(),
    })),
    latency: whole.latency.percentiles(),
    totals: { ...totals, total: totals.allowed + totals.denied + totals.warning + totals.error },
    features: whole.largestFeatures(MAX_METRICS_ENTRIES),
    plans: whole.largest('plans', MAX_METRICS_ENTRIES).map(([slug, count]) => ({ slug, count })),
    countries: whole.largest('countries', MAX_METRICS_ENTRIES).map(([code, count]) => ({ code, count })),
    locations: whole
      .largest('locations', MAX_METRICS_ENTRIES)
      .map(([location, count]) => ({ location: location as Location, count })),
    warnings: whole.largest('warnings', MAX_METRICS_ENTRIES).map(([code, count]) => ({ code, count })),
    customers: whole
      .largest('customers', MAX_METRICS_ENTRIES)
      .map(([identifier, count]) => ({ identifier, count })),
    nearLimit: nearLimits
      .list(environments)
      .filter(({ at }) => at >= from)
      .slice(0, MAX_METRICS_ENTRIES)
      .map(({ customer, feature, property, used, limit }) => ({
        identifier: customer,
        ...{ feature, property, used, limit },
      })),
  };
}
