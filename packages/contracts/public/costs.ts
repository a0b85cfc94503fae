/** What each one of a meter takes from another meter of the customer, such as credits. */
import { z } from 'zod';

/** Three decimal places, in which it is stored exactly. */
export const perSchema = z
  .number('Must be a number')
  .min(0.001, { error: 'Must be greater than or equal to 0.001', abort: true })
  .max(1_000_000, 'Must be less than or equal to 1,000,000')
  .refine((per) => Number(per.toFixed(3)) === per, 'Must have at most three decimal places');

/** Beside a meter or beside `on`: the meter that pays is that of the property. */
export const planCostsSchema = z
  .strictObject({ per: perSchema.describe('What each one costs.') })
  .describe('Of a plan: what each one costs, instead of what the property says.');
export type PlanCosts = z.infer<typeof planCostsSchema>;

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
