/** Selling plans from an application: what a pricing page shows. */
import { z } from 'zod';
import { accessCheckAnswerSchema } from './access.ts';
import { planCostsSchema } from './costs.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { answered } from './errors.ts';
import { ANSWERED_PERIOD_TYPE } from './field-sentences.ts';
import { formatLimit } from './format-limit.ts';
import { overageSchema } from './overage.ts';
import { opaqueSchema } from './subjects.ts';
import { instantSchema, propertyKeySchema, slugSchema } from './text.ts';
import { periodLengthSchema, periodTypeSchema, propertyTypeSchema } from './values.ts';

/** Of one checkout. */
const MAX_QUANTITY = 1_000_000;

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

const limitFields = {
  limit: z.int().describe('The limit per period.'),
  periodType: periodTypeSchema.describe(ANSWERED_PERIOD_TYPE),
  periodCount: z.int().optional().describe('Number of hours, days or months.'),
  periodLength: periodLengthSchema.optional().describe('Absent for lifetime.'),
};

/** As docs/balances.md says of a value that is set. */
const rolloverAnswerSchema = z
  .object({
    max: z.union([z.int(), z.literal('all')]).describe('The most that rolls over at the end of a period.'),
    share: z.int().optional().describe('Percent of what is left that rolls over. Absent: 100.'),
    lasts: z
      .union([z.object({ months: z.int().describe('At most 12.') }), z.literal('forever')])
      .describe('How long it can be used after the period.'),
    times: z.int().optional().describe('How often it rolls over. Absent: 1.'),
  })
  .describe('What is left when a period ends can be used after it. Absent: it cannot.');

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
            ...limitFields,
            uniqueResourceIds: z.boolean().describe('Whether unique resources are counted.'),
            trialLimit: z.int().optional().describe('The limit of a whole trial, if that is another one.'),
            rollover: rolloverAnswerSchema.optional(),
            overage: overageSchema.optional(),
          })
          .optional()
          .describe('With metered: how usage is limited.'),
        perEntity: z
          .object({
            ...limitFields,
            seats: z.string().optional().describe('ID of the meter whose seats members need.'),
          })
          .optional()
          .describe('What each member of a customer may use within that.'),
        costs: planCostsSchema.optional(),
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

/** Of Stripe's addresses. */
const MAX_URL = 2_000;
const urlSchema = z.string().min(1, 'Is required').max(MAX_URL, `Must be at most ${MAX_URL} characters`);
const HTTPS = 'https; in environments that are not live also http on localhost.';
const priceSchema = z
  .string()
  .min(1, 'Is required')
  .max(255, 'Must be at most 255 characters')
  .describe('The price’s ID in Stripe, price_…: of a plan of the deployed version, or of a top-up.');
const quantitySchema = z
  .int('Must be a whole number')
  .min(1, 'Must be at least 1')
  .max(MAX_QUANTITY, `Must be at most ${formatLimit(MAX_QUANTITY)}`);
const idempotencyKey = opaqueSchema
  .optional()
  .describe(
    'Makes retries safe for 24 hours: the same key with the same request opens one page and returns its address. Scoped to the environment and customer. Equivalent to the Idempotency-Key header.',
  );

export const checkoutSchema = z
  .strictObject({
    price: priceSchema,
    quantity: quantitySchema.optional().describe('How many. Default 1; a metered price has none.'),
    successUrl: urlSchema.describe(
      `Where the customer goes after paying: ${HTTPS} Stripe replaces {CHECKOUT_SESSION_ID} in it.`,
    ),
    cancelUrl: urlSchema.optional().describe(`Where the customer goes to leave the page: ${HTTPS}`),
    idempotencyKey,
  })
  .describe('What is bought, and where the customer goes afterwards.');

export const portalSchema = z
  .strictObject({
    returnUrl: urlSchema.describe(`Where the customer goes to leave the portal: ${HTTPS}`),
    idempotencyKey,
  })
  .describe('Where the customer goes afterwards.');

export const pageAnswerSchema = z
  .object({
    ...answered,
    customer: z
      .string()
      .describe('The customer’s ID. If you named an alias, the customer that it belongs to.'),
    stripeCustomer: z.string().describe('The Stripe customer that it is, cus_….'),
    url: z.string().describe('Stripe’s page. Send the customer there; anyone who has it may use it.'),
    expiresAt: instantSchema
      .nullable()
      .describe(
        'Until when the page can be opened, in epoch milliseconds; null: Stripe does not say, within minutes.',
      ),
    replayed: z
      .boolean()
      .describe('True if the idempotency key was used before. This repeats the first response.'),
  })
  .describe('A page of Stripe for the customer.');
export type PageAnswer = z.infer<typeof pageAnswerSchema>;

const selling = {
  managingKeyOnly: 'Selling to customers requires a secret key with the permission to manage customers',
  answer: pageAnswerSchema,
  limits: CALL_LIMITS,
  recordedAs: null,
} as const;

export const previewQuerySchema = z.strictObject({
  price: priceSchema,
  quantity: z.coerce
    .number('Must be a whole number')
    .pipe(quantitySchema)
    .optional()
    .describe('How many. Default: as many as of the price that it replaces, else 1.'),
});

export const previewAnswerSchema = z
  .object({
    ...answered,
    customer: z
      .string()
      .describe('The customer’s ID. If you named an alias, the customer that it belongs to.'),
    stripeCustomer: z
      .string()
      .nullable()
      .describe('The Stripe customer that it is, cus_…; null: none yet in the price’s account.'),
    currency: z.string().describe('ISO 4217, in lower case.'),
    dueNow: z.int().describe(`What is to be paid now. ${AMOUNT}`),
    credit: z
      .int()
      .describe('What is kept for the customer, if what is unused is worth more than what is to be paid.'),
    lines: z
      .array(
        z.object({
          description: z.string().nullable().describe('In Stripe’s words; null: the price itself.'),
          amount: z.int().describe('Negative: given back, for what is unused.'),
        }),
      )
      .describe('What dueNow and credit come to.'),
    replaces: z
      .string()
      .nullable()
      .describe('The price that it takes the place of in the customer’s subscription; null: none.'),
    next: z
      .object({
        amount: z.int().describe('What is to be paid then, and in each period from then on.'),
        at: instantSchema.describe('When the next period begins.'),
      })
      .nullable()
      .describe('The next period of the subscription; null for a price that is paid once.'),
  })
  .describe('What a price would cost the customer.');
export type PreviewAnswer = z.infer<typeof previewAnswerSchema>;

const customer = '/api/v1/customers/:customer';

export const salesEndpoints = {
  listPlans: keyed.get('/api/v1/plans', {
    summary: 'List public plans',
    answer: plansAnswerSchema,
    limits: CALL_LIMITS,
    recordedAs: null,
  }),
  openCheckout: keyed.post(`${customer}/checkout`, {
    ...selling,
    summary: 'Open a checkout',
    body: checkoutSchema,
  }),
  previewPurchase: keyed.get(`${customer}/preview`, {
    ...selling,
    summary: 'Preview a price',
    query: previewQuerySchema,
    answer: previewAnswerSchema,
  }),
  openPortal: keyed.post(`${customer}/portal`, {
    ...selling,
    summary: 'Open the customer portal',
    body: portalSchema,
  }),
} as const;
