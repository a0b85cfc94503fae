/** Figures of recorded events over a range: requests, latency, features, plans, places and customers. Read from roll-ups. */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
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
/** Denied calls. `blocked`: the call was refused with an error, because the organisation's allowance is used up. */
const causesSchema = z.object({
  'not-in-plan': z.int(),
  'limit-reached': z.int(),
  'token-not-accepted': z.int(),
  blocked: z.int(),
});
const NO_CAUSES = { 'not-in-plan': 0, 'limit-reached': 0, 'token-not-accepted': 0, blocked: 0 };

/** Milliseconds, within 4%; null without calls. */
const latencySchema = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();
const latencyBinsSchema = z.array(z.object({ bin: z.int(), count: z.int() }));

export const eventMetricsSchema = z.object({
  from: instantSchema,
  to: instantSchema,
  bucketMs: z.number(),
  /** Without gaps. The first begins at `from`. */
  buckets: z.array(
    z.object({
      at: instantSchema,
      types: z.object({ ac: outcomesSchema, cu: outcomesSchema, se: outcomesSchema }),
      causes: causesSchema.default(NO_CAUSES),
      latency: latencySchema,
      /** The calls behind `latency`, by bin of engine/events/latency-histogram.ts: those of several buckets merge by addition. */
      latencyBins: latencyBinsSchema,
    }),
  ),
  latency: latencySchema,
  /** Answers that clients have given from their caches: no calls, and free of charge. */
  answered: z.int().default(0),
  totals: outcomesSchema.extend({ total: z.int() }),
  /**
   * From when on calls are counted by reason, by the features that they name, by route and by workflow: an earlier release did not.
   * Null: all are.
   */
  reasonsFrom: instantSchema.nullable().default(null),
  /** Calls that name the feature: allowed, denied, and why. */
  features: z.array(
    z.object({
      slug: z.string(),
      allowed: z.int(),
      denied: z.int(),
      causes: causesSchema.default(NO_CAUSES),
    }),
  ),
  /** Calls by where they came from and the data location that served them. */
  routes: z
    .array(
      z.object({
        /** AF AN AS EU NA OC SA */
        continent: z.string(),
        location: locationSchema,
        count: z.int(),
        latency: latencySchema,
        latencyBins: latencyBinsSchema,
      }),
    )
    .default([]),
  /** Runs of workflows. `latency`: how long they took. */
  workflows: z
    .array(
      z.object({
        id: z.string(),
        runs: z.object({
          done: z.int(),
          failed: z.int(),
          killed: z.int(),
          lost: z.int(),
          skipped: z.int(),
        }),
        latency: latencySchema,
      }),
    )
    .default([]),
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

/** Calls of the last 24 hours that name a feature, in all environments. */
export const featureCallsSchema = z.object({
  /** Calls were counted by feature from then on, if that is less than a day ago; null: all of the day. */
  countedFrom: instantSchema.nullable(),
  features: z.array(z.object({ slug: z.string(), calls: z.int(), denied: z.int() })),
});

export type FeatureCalls = z.infer<typeof featureCallsSchema>;

export const eventMetricsEndpoints = {
  readFeatureCalls: member.get('/api/orgs/:orgId/feature-calls', {
    summary: 'Calls of the last 24 hours by the feature that they name',
    reads: 'events',
    answer: featureCallsSchema,
  }),
  read: customerReader.get('/api/orgs/:orgId/event-metrics', {
    summary: 'Metrics of recorded events over a range',
    reads: 'events',
    query: z.strictObject({ criteria: criteriaText(metricsCriteriaSchema) }),
    answer: eventMetricsSchema,
  }),
} as const;
