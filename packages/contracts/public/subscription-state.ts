/** A Stripe subscription as last read, in answers of the public API. */
import { z } from 'zod';
import { instantSchema } from './text.ts';

export const subscriptionStateSchema = z.object({
  id: z.string().describe('The subscription’s ID in Stripe.'),
  status: z.string().describe('The subscription’s status in Stripe.'),
  isGranting: z.boolean().describe('Whether it grants plans in this environment.'),
  accessEndsAt: instantSchema
    .nullable()
    .describe(
      'When that ends by the policy of the Stripe integration, although the status stays; null: it does not.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'What the policy of the Stripe integration says about its state, for people; null: nothing, so Stripe’s status decides.',
    ),
  trialEndAt: instantSchema.nullable().describe('When the trial ends; null without one.'),
  cancelAt: instantSchema.nullable().describe('When it is going to be canceled; null if it is not.'),
  currentPeriodEndAt: instantSchema.nullable().describe('When the current period ends; null if unknown.'),
  isPaused: z.boolean().describe('Whether Stripe collects no payments for it. Its status stays as it is.'),
  items: z
    .array(
      z.object({
        product: z.string().describe('The product’s ID in Stripe.'),
        price: z.string().nullable().describe('The price’s ID in Stripe; null if it has not been read yet.'),
        quantity: z
          .int()
          .nullable()
          .describe('How many; null for a metered price, or if it has not been read yet.'),
        currentPeriodEndAt: instantSchema
          .nullable()
          .describe('When the item’s paid period ends; null if unknown.'),
      }),
    )
    .describe('What is subscribed to.'),
});
export type SubscriptionState = z.infer<typeof subscriptionStateSchema>;
