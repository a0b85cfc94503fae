/** Figures of recorded events over a range: requests, latency, features, plans, places and customers. Read from roll-ups. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
import { locationSchema } from '../public/locations.ts';
import { idSchema, instantSchema } from '../public/text.ts';
import { criteriaText } from './events.ts';

export const metricsRangeSchema = z.enum(['1h', '24h', '7d', '30d']);
export type MetricsRange = z.infer<typeof metricsRangeSchema>;

/** Entries of each list, the largest first. */
export const MAX_METRICS_ENTRIES = 20;

export const metricsCriteriaSchema = z.strictObject({
  /** An environment's id; null or absent for all. Payment-provider events are part of each. */
  environment: idSchema.nullish(),
  range: metricsRangeSchema,
});
export type MetricsCriteria = z.infer<typeof metricsCriteriaSchema>;

const outcomesSchema = z.object({ allowed: z.int(), denied: z.int(), warning: z.int(), error: z.int() });
/** Milliseconds, within 4%; null without calls. */
const latencySchema = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();

export const eventMetricsSchema = z.object({
  from: instantSchema,
  to: instantSchema,
  bucketMs: z.number(),
  /** Without gaps. The first begins at `from`. */
  buckets: z.array(
    z.object({
      at: instantSchema,
      types: z.object({ ac: outcomesSchema, cu: outcomesSchema, se: outcomesSchema }),
      latency: latencySchema,
      /** The calls behind `latency`, by bin of engine/events/latency-histogram.ts: those of several buckets merge by addition. */
      latencyBins: z.array(z.object({ bin: z.int(), count: z.int() })),
    }),
  ),
  latency: latencySchema,
  /** Answers that clients have given from their caches: no calls, and free of charge. */
  answered: z.int().default(0),
  totals: outcomesSchema.extend({ total: z.int() }),
  /** How often each feature was in an answer: allowed and denied. */
  features: z.array(z.object({ slug: z.string(), allowed: z.int(), denied: z.int() })),
  plans: z.array(z.object({ slug: z.string(), count: z.int() })),
  countries: z.array(z.object({ code: z.string(), count: z.int() })),
  /** Data locations that were read. */
  locations: z.array(z.object({ location: locationSchema, count: z.int() })),
  warnings: z.array(z.object({ code: z.string(), count: z.int() })),
  customers: z.array(z.object({ identifier: z.string(), count: z.int() })),
  /** Meters at 80% of their limit or more when they were last read, the highest share first. Without deleted environments. */
  nearLimit: z.array(
    z.object({
      envId: z.string(),
      identifier: z.string(),
      feature: z.string(),
      property: z.string(),
      used: z.number(),
      limit: z.number(),
    }),
  ),
});
export type EventMetrics = z.infer<typeof eventMetricsSchema>;

export const eventMetricsEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/event-metrics',
    guard: { kind: 'member' },
    summary: 'Metrics of recorded events over a range',
    query: z.strictObject({ criteria: criteriaText(metricsCriteriaSchema) }),
    answer: eventMetricsSchema,
  }),
} as const;
