/** Usage: event counts by day, environment and type. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { instantSchema } from '../public/text.ts';
import { eventTypeSchema } from './events.ts';

export const usageItemSchema = z.object({
  type: eventTypeSchema,
  /** The environment's id. */
  environment: z.string(),
  total: z.int(),
  /** Start of the day, UTC. */
  periodStartAt: instantSchema,
});
export type UsageItem = z.infer<typeof usageItemSchema>;

export const usageEndpoints = {
  periods: member.get('/api/orgs/:orgId/usage/periods/:periodType', {
    summary: 'Usage of the current calendar month (UTC), day by day',
    reads: 'usage',
    answer: z.object({
      items: z.array(usageItemSchema),
      /** Whether the organisation has usage of any month, so it stays true when a month without calls begins. */
      hasUsage: z.boolean(),
    }),
  }),
} as const;
