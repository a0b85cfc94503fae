/** A customer of a connected Stripe account, as it was last read, for people to see. */
import { z } from 'zod';
import { subscriptionStatusSchema } from './stripe.ts';
import { instantSchema } from './text.ts';

export const linkedSubscriptionSchema = z.object({
  /** sub_… */
  id: z.string(),
  status: subscriptionStatusSchema,
  /** Active, trialing or past due: its products grant plans. */
  isGranting: z.boolean(),
  products: z.array(
    z.object({
      id: z.string(),
      /** Null: the product has not been read. */
      name: z.string().nullable(),
    }),
  ),
});

/** As a search finds them. */
export const foundCustomerSchema = z.object({
  integrationId: z.string(),
  integrationName: z.string(),
  /** cus_… */
  id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  testMode: z.boolean(),
  createdAt: instantSchema,
});
export type FoundCustomer = z.infer<typeof foundCustomerSchema>;

export const linkedCustomerSchema = foundCustomerSchema.extend({
  subscriptions: z.array(linkedSubscriptionSchema),
});
export type LinkedCustomer = z.infer<typeof linkedCustomerSchema>;
