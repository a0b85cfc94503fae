/** What each one of a meter takes from another meter of the customer, such as credits. */
import { z } from 'zod';

export const costFields = {
  feature: z.string().describe('Slug of the feature whose meter pays.'),
  property: z.string().describe('Key of the meter that pays.'),
  per: z
    .number()
    .describe('What one costs, with at most three decimal places. A call’s total is rounded up.'),
  allowed: z.boolean().describe('Whether the meter that pays has enough left for one.'),
  remaining: z.int().optional().describe('What the meter that pays has left. Absent if it is on or off.'),
};

export const costSchema = z.object(costFields).describe('What each one takes from another meter.');
