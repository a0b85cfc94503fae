/** A customer of a connected Stripe account as last read, for display in the console. */
import { z } from 'zod';
import { instantSchema } from '../public/text.ts';
import { pausedCollectionSchema, subscriptionStatusSchema } from './stripe.ts';

export const linkedSubscriptionSchema = z.object({
  /** sub_… */
  id: z.string(),
  status: subscriptionStatusSchema,
  /** By the policy of the integration: the products grant plans. */
  isGranting: z.boolean(),
  /** What the policy says of its state; null: nothing. */
  reason: z.string().nullish(),
  products: z.array(
    z.object({
      id: z.string(),
      /** Null if the product has not been read yet. */
      name: z.string().nullable(),
      /** Null in customers that the previous release read, and `quantity` also of a metered price. */
      priceId: z.string().nullish(),
      quantity: z.int().nullish(),
    }),
  ),
  pauseCollection: pausedCollectionSchema.nullish(),
});

/**
 * What a Stripe customer is to its email. `owner` and `linked`: the email is an alias of the customer, decided automatically
 * or by a person. `separate`: the email has older data of its own. `undecided`: another customer owns the email, or its data
 * has not been looked up yet.
 */
export const emailRoleSchema = z.enum(['owner', 'linked', 'separate', 'undecided']);
export type EmailRole = z.infer<typeof emailRoleSchema>;

const foundCustomerSchema = z.object({
  integrationId: z.string(),
  integrationName: z.string(),
  /** acct_… */
  accountId: z.string(),
  /** cus_… */
  id: z.string(),
  email: z.string().nullable(),
  /** The application's own user id, by the integration's key; null without one. */
  userId: z.string().nullish(),
  /** The environments in which it is a customer created by API. */
  joins: z.array(
    z.object({
      environmentId: z.string(),
      /** The ID of the created customer. */
      sameAs: z.string(),
      /** Null: a call or a person said so. */
      by: z.literal('metadata').nullable(),
      /** Null: its metadata said so before that was recorded. */
      joinedAt: instantSchema.nullable(),
    }),
  ),
  name: z.string().nullable(),
  testMode: z.boolean(),
  createdAt: instantSchema,
});
export const linkedCustomerSchema = foundCustomerSchema.extend({
  subscriptions: z.array(linkedSubscriptionSchema),
  emailRole: emailRoleSchema,
});
export type LinkedCustomer = z.infer<typeof linkedCustomerSchema>;
