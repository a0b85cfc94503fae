/** Balances over a range: what was given, what was used of them, and what has ended, by meter and source. */
import { z } from 'zod';
import { customerReader } from '../public/endpoint.ts';
import { instantSchema } from '../public/text.ts';
import { metricsCriteriaSchema } from './event-metrics.ts';
import { criteriaText } from './events.ts';

/** Where balances come from. `other`: unknown, since a deleted one or too many were drawn from. */
export const CREDIT_SOURCES = ['top-up', 'api', 'manual', 'rollover', 'other'] as const;
export type CreditSource = (typeof CREDIT_SOURCES)[number];

/** Of the balances that a range is put together from. */
export const MAX_CREDIT_BALANCES = 10_000;

export const creditFigureSchema = z.object({
  /** Null: the property was deleted. */
  feature: z.string().nullable(),
  property: z.string().nullable(),
  source: z.enum(CREDIT_SOURCES),
  /** Less what was taken back since. Rollover is computed, so it gives nothing. */
  given: z.number(),
  /** Counted by calls, less what they gave back. */
  drawn: z.number(),
  /** The amounts of balances whose end was in the range, what was used of them included. */
  ended: z.number(),
});
export type CreditFigure = z.infer<typeof creditFigureSchema>;

export const creditMetricsSchema = z.object({
  /** Whether any balance was ever given there. */
  hasBalances: z.boolean(),
  /** What was drawn is counted from then on; null: in all of the range. */
  drawnFrom: instantSchema.nullable(),
  /** False: more balances were given or have ended than are read. */
  isComplete: z.boolean(),
  /** By meter, then in the order of the sources. */
  figures: z.array(creditFigureSchema),
});
export type CreditMetrics = z.infer<typeof creditMetricsSchema>;

export const creditMetricsEndpoints = {
  read: customerReader.get('/api/orgs/:orgId/credit-metrics', {
    summary: 'Balances over a range: given, drawn from and ended, by meter and source',
    reads: 'customers',
    query: z.strictObject({ criteria: criteriaText(metricsCriteriaSchema) }),
    answer: creditMetricsSchema,
  }),
} as const;
