/** Selling plans from an application: what a pricing page shows. */
import { z } from 'zod';
import { accessCheckAnswerSchema } from './access.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { answered } from './errors.ts';
import { ANSWERED_PERIOD_TYPE } from './field-sentences.ts';
import { propertyKeySchema, slugSchema } from './text.ts';
import { periodLengthSchema, periodTypeSchema, propertyTypeSchema } from './values.ts';

export const intervalSchema = z.enum(['day', 'week', 'month', 'year']);

const AMOUNT = 'In the currency’s smallest unit, such as cents.';

export const planPriceSchema = z
  .object({
    id: z.string().describe('The price’s ID in Stripe, price_….'),
    name: z.string().nullable().describe('Its nickname in Stripe; null without one.'),
    currency: z.string().describe('ISO 4217, in lower case.'),
    amount: z
      .int()
      .nullable()
      .describe(`${AMOUNT} null: it depends on the quantity or the usage, or is a fraction of a unit.`),
    interval: intervalSchema.describe('How often it is paid: every intervalCount of these.'),
    intervalCount: z.int().describe('1: each interval.'),
    perUnit: z
      .boolean()
      .describe('Whether numbers and limits of the plan are multiplied by the quantity that is bought.'),
  })
  .describe('A recurring price of the plan.');
export type PlanPrice = z.infer<typeof planPriceSchema>;

const planValueSchema = z
  .union([
    z.boolean(),
    z.number(),
    z.string(),
    z
      .object({
        state: z
          .enum(['on', 'off', 'metered'])
          .describe('on: unlimited. off: never allowed. metered: up to a limit.'),
        meter: z
          .object({
            limit: z.int().describe('The limit per period.'),
            periodType: periodTypeSchema.describe(ANSWERED_PERIOD_TYPE),
            periodCount: z.int().optional().describe('Number of hours, days or months.'),
            periodLength: periodLengthSchema.optional().describe('Absent for lifetime.'),
            uniqueResourceIds: z.boolean().describe('Whether unique resources are counted.'),
            trialLimit: z.int().optional().describe('The limit of a whole trial, if that is another one.'),
          })
          .optional()
          .describe('With metered: how usage is limited.'),
      })
      .describe('Of a meter.'),
  ])
  .describe('What the plan sets, or the default.');

export const publicPlanSchema = z
  .object({
    slug: slugSchema.describe('The plan’s slug.'),
    name: z.string().describe('Its name.'),
    description: z.string().nullable().describe('Its description; null without one.'),
    isAddOn: z.boolean().describe('Whether it counts only beside a plan that is no add-on.'),
    features: z
      .array(
        z.object({
          slug: slugSchema.describe('The feature’s slug.'),
          name: z.string().describe('Its name.'),
          description: z.string().nullable().describe('Its description; null without one.'),
          properties: z
            .array(
              z.object({
                key: propertyKeySchema.describe('The property’s key.'),
                name: z.string().describe('Its name.'),
                type: propertyTypeSchema.describe('The property’s type.'),
                value: planValueSchema,
                display: z
                  .string()
                  .describe('The value in English words: 25, on, csv, unlimited, 1,000 / month.'),
              }),
            )
            .describe('Without enabled.'),
        }),
      )
      .describe('The features that are on in the plan, in the order in which they were created.'),
    prices: z
      .array(planPriceSchema)
      .describe(
        'Active prices of the Stripe products that give the plan, or those of them that are linked. By currency, then interval, then amount. Of live mode in live environments; elsewhere of test mode, if the plan has any.',
      ),
  })
  .describe('A plan that is shown publicly.');
export type PublicPlan = z.infer<typeof publicPlanSchema>;

export const plansAnswerSchema = z
  .object({
    ...answered,
    version: accessCheckAnswerSchema.shape.version,
    plans: z.array(publicPlanSchema).describe('In the order in which they were created.'),
  })
  .describe('The plans that are shown publicly.');
export type PlansAnswer = z.infer<typeof plansAnswerSchema>;

export const salesEndpoints = {
  listPlans: keyed.get('/api/v1/plans', {
    summary: 'List public plans',
    answer: plansAnswerSchema,
    limits: CALL_LIMITS,
    recordedAs: null,
  }),
} as const;
