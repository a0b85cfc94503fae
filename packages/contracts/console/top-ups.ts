/**
 * What one-time prices of a Stripe account give whoever pays them. Apart from the account's other endpoints, which the first screen loads.
 */
import { z } from 'zod';
import { balanceAmountSchema, givenCategorySchema, prioritySchema } from '../public/balances.ts';
import { member } from '../public/endpoint.ts';
import { idSchema, instantSchema } from '../public/text.ts';
import { stripePriceSchema } from './stripe.ts';

/** What was last found of one-time payments. */
export const paymentsReadSchema = z.object({
  at: instantSchema,
  /** Why they could not be read; null: they could. */
  problem: z.string().nullable(),
  /** Prices that were paid and give nothing, with the latest payment of each. */
  unlinked: z.record(z.string(), instantSchema),
});
export type PaymentsRead = z.infer<typeof paymentsReadSchema>;

const topUpFields = {
  propertyId: idSchema,
  amount: balanceAmountSchema,
  category: givenCategorySchema,
  priority: prioritySchema,
  lastsMonths: z
    .int('Must be a whole number')
    .min(1, 'Must be at least 1')
    .max(120, 'Must be at most 120')
    .nullable(),
  /** Each payment pays the overage of then. */
  paysOverage: z.boolean(),
};
export const topUpSchema = z.object({
  id: z.string(),
  productId: z.string(),
  priceId: z.string(),
  priceName: z.string(),
  ...topUpFields,
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type TopUp = z.infer<typeof topUpSchema>;
const stripeIdSchema = z.string().min(1, 'Is required').max(255, 'Must be at most 255 characters');
export const setTopUpSchema = z.strictObject({
  productId: stripeIdSchema,
  ...topUpFields,
  paysOverage: topUpFields.paysOverage.default(false),
});

const one = '/api/orgs/:orgId/integrations/stripe/:integrationId';

export const topUpEndpoints = {
  listPrices: member.get(`${one}/products/:productId/one-time-prices`, {
    summary: 'List the one-time prices of a product, newest first, as Stripe has them now',
    reads: 'stripe-products',
    answer: z.array(stripePriceSchema),
  }),
  list: member.get(`${one}/top-ups`, {
    summary: 'What one-time prices give whoever pays them, and what was last found of such payments',
    reads: 'stripe-integrations',
    answer: z.object({ topUps: z.array(topUpSchema), read: paymentsReadSchema.nullable() }),
  }),
  set: member.put(`${one}/top-ups/:priceId`, {
    summary: 'Have a one-time price give an amount of a meter; it applies to payments from now on',
    changes: ['stripe-integrations'],
    body: setTopUpSchema,
    answer: topUpSchema,
  }),
  remove: member.remove(`${one}/top-ups/:priceId`, {
    summary: 'Have a one-time price give nothing any more; what it gave stays',
    changes: ['stripe-integrations'],
  }),
};
