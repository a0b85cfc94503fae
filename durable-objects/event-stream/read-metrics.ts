/** Figures of a range, from roll-ups. */
import {
  type EventMetrics,
  MAX_METRICS_ENTRIES,
  type MetricsCriteria,
  type MetricsRange,
} from '#contracts/console/event-metrics';
import type { Location } from '#contracts/public/locations';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { DENIAL_CAUSES, type DenialCause } from '#engine/events/denial-cause';
import { LatencyHistogram } from '#engine/events/latency-histogram';
import { addCounts, noEvents, type OutcomeCounts, Rollup, RUN_STATUSES } from '#engine/events/rollup';
import type { NearLimits } from './near-limits.ts';
import { countedIn, environmentsOf, partMs } from './read-histogram.ts';
import type { Width } from './rollup-extent.ts';
import type { RollupCriteria, RollupStore } from './rollup-store.ts';

interface Range {
  readonly ms: number;
  readonly bucketMs: number;
  /** A bucket's latencies come from rows at most this wide. Its outcomes may come from wider ones, which keep those of their parts. */
  readonly latencyRows: Width;
  /** Names come from rows at most this wide: they are most of a row, and a day has as many as an hour. */
  readonly nameRows: Width;
}

const RANGES: Record<MetricsRange, Range> = {
  '1h': { ms: HOUR_MS, bucketMs: MINUTE_MS, latencyRows: MINUTE_MS, nameRows: MINUTE_MS },
  '24h': { ms: DAY_MS, bucketMs: HOUR_MS, latencyRows: HOUR_MS, nameRows: DAY_MS },
  '7d': { ms: 7 * DAY_MS, bucketMs: 3 * HOUR_MS, latencyRows: HOUR_MS, nameRows: DAY_MS },
  '30d': { ms: 30 * DAY_MS, bucketMs: DAY_MS, latencyRows: DAY_MS, nameRows: DAY_MS },
};

/** Minutes of an hour. */
const MAX_PARTS = 60;
/** Continents and locations are few, and all are needed for their shares. */
const MAX_ROUTES = 100;
const MAX_WORKFLOWS = 500;
const MAX_FEATURES = 500;

interface Bucket {
  readonly types: Record<'ac' | 'cu' | 'se', OutcomeCounts>;
  readonly causes: Record<DenialCause, number>;
  readonly latency: LatencyHistogram;
}

/**
 * @param now the end of the range, epoch milliseconds
 * @param existing ids of the environments that are not deleted; null: unknown, and customers near a limit are from any
 */
export function readMetrics(
  rollups: RollupStore,
  nearLimits: NearLimits,
  { environment, range }: MetricsCriteria,
  now: number,
  existing: readonly string[] | null,
): EventMetrics {
  const { ms, bucketMs, latencyRows, nameRows } = RANGES[range];
  const environments = environmentsOf(environment);
  const from = Math.floor((now - ms) / bucketMs) * bucketMs;
  const period = { environments, fromAt: from, toAt: now + 1 };
  const buckets = readBuckets(rollups, period, { bucketMs, latencyRows });
  const whole = wholeOf(rollups, period, nameRows);
  const totals = noEvents();
  for (const { types } of buckets) for (const counts of Object.values(types)) addCounts(totals, counts);
  return {
    from,
    to: now,
    bucketMs,
    buckets: buckets.map(({ types, causes, latency }, index) => ({
      at: from + index * bucketMs,
      types,
      causes,
      latency: latency.percentiles(),
      latencyBins: binsOf(latency),
    })),
    latency: whole.latency.percentiles(),
    answered: whole.answered,
    totals: { ...totals, total: totals.allowed + totals.denied + totals.warning + totals.error },
    reasonsFrom: rollups.reasonsFrom,
    ...breakdownsOf(whole),
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
      .filter(({ at, envId }) => at >= from && (existing?.includes(envId) ?? true))
      .slice(0, MAX_METRICS_ENTRIES)
      .map(({ envId, customer, feature, property, used, limit }) => ({
        identifier: customer,
        envId,
        feature,
        property,
        used,
        limit,
      })),
  };
}

type Period = Pick<RollupCriteria, 'environments' | 'fromAt' | 'toAt'>;

function wholeOf(rollups: RollupStore, period: Period, widest: Width): Rollup {
  const whole = new Rollup();
  for (const { at, text } of rollups.read({ ...period, widest, part: 'lists and latencies' }))
    if (at >= period.fromAt) whole.add(text);
  return whole;
}

/** Calls of the last day that name a feature. */
export function readFeatureCalls(rollups: RollupStore, now: number) {
  const { ms, bucketMs, nameRows } = RANGES['24h'];
  const fromAt = Math.floor((now - ms) / bucketMs) * bucketMs;
  const whole = wholeOf(rollups, { environments: null, fromAt, toAt: now + 1 }, nameRows);
  const { reasonsFrom } = rollups;
  return {
    countedFrom: reasonsFrom !== null && reasonsFrom > fromAt ? reasonsFrom : null,
    features: whole.named.largest(MAX_FEATURES).map(({ key: slug, counts: [allowed = 0, ...causes] }) => {
      const denied = causes.reduce((sum, count) => sum + count, 0);
      return { slug, calls: allowed + denied, denied };
    }),
  };
}

/** What calls took from balances in a range, less what they gave back. */
export function readDrawn(rollups: RollupStore, { environment, range }: MetricsCriteria, now: number) {
  const { ms, bucketMs, nameRows } = RANGES[range];
  const fromAt = Math.floor((now - ms) / bucketMs) * bucketMs;
  const period = { environments: environmentsOf(environment), fromAt, toAt: now + 1 };
  const { drawsFrom } = rollups;
  return {
    from: fromAt,
    drawnFrom: drawsFrom !== null && drawsFrom > fromAt ? drawsFrom : null,
    drawn: wholeOf(rollups, period, nameRows)
      .draws.largest(Number.POSITIVE_INFINITY)
      .map(({ key, counts: [taken = 0, back = 0] }) => ({ key, amount: taken - back })),
  };
}

/** Requests and latencies over time, without gaps. */
function readBuckets(
  rollups: RollupStore,
  period: Period,
  { bucketMs, latencyRows }: Pick<Range, 'bucketMs' | 'latencyRows'>,
): Bucket[] {
  const { fromAt, toAt } = period;
  const buckets: Bucket[] = [];
  for (let at = fromAt; at < toAt; at += bucketMs) {
    buckets.push({
      types: { ac: noEvents(), cu: noEvents(), se: noEvents() },
      causes: causesOf([]),
      latency: new LatencyHistogram(),
    });
  }
  const bucketAt = (at: number) => buckets[Math.floor((at - fromAt) / bucketMs)];
  for (const row of rollups.read({ ...period, widest: latencyRows, part: 'latencies' }))
    bucketAt(row.at)?.latency.merge(Rollup.read(row.text).latency);
  for (const row of rollups.read({ ...period, widest: countedIn(bucketMs), part: 'outcomes' })) {
    const { series, causes } = Rollup.read(row.text);
    for (const { part, type, counts } of series) {
      const bucket = bucketAt(row.at + part * partMs(row));
      if (bucket !== undefined) addCounts(bucket.types[type], counts);
    }
    for (const { key: part, counts } of causes.largest(MAX_PARTS)) {
      const bucket = bucketAt(row.at + Number(part) * partMs(row));
      if (bucket === undefined) continue;
      for (const [index, cause] of DENIAL_CAUSES.entries()) bucket.causes[cause] += counts[index] ?? 0;
    }
  }
  return buckets;
}

/** Calls by feature, route and workflow. */
function breakdownsOf({
  named,
  routes,
  runs,
}: Rollup): Pick<EventMetrics, 'features' | 'routes' | 'workflows'> {
  return {
    features: named.largest(MAX_METRICS_ENTRIES).map(({ key: slug, counts: [allowed = 0, ...denied] }) => ({
      slug,
      allowed,
      denied: denied.reduce((sum, count) => sum + count, 0),
      causes: causesOf(denied),
    })),
    routes: routes.largest(MAX_ROUTES).map(({ key, counts: [count = 0], latency }) => {
      const space = key.indexOf(' ');
      return {
        continent: key.slice(space + 1),
        location: key.slice(0, space) as Location,
        count,
        latency: latency?.percentiles() ?? null,
        latencyBins: latency === null ? [] : binsOf(latency),
      };
    }),
    workflows: runs.largest(MAX_WORKFLOWS).map(({ key: id, counts, latency }) => ({
      id,
      runs: byName(RUN_STATUSES, counts),
      latency: latency?.percentiles() ?? null,
    })),
  };
}

const causesOf = (counts: readonly number[]) => byName(DENIAL_CAUSES, counts);

function byName<Name extends string>(
  names: readonly Name[],
  counts: readonly number[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0])) as Record<Name, number>;
}

function binsOf(latency: LatencyHistogram) {
  return latency.entries().map(([bin, count]) => ({ bin, count }));
}
