/** The list of all known customers of an organisation. */
import { z } from 'zod';
import { MAX_IDENTIFIER } from '../public/identifiers.ts';
import { instantSchema } from '../public/text.ts';

/** `near-limit`: at least 80% of a meter is used or held. `past-due`: a payment of a subscription has failed. */
export const customerFilterSchema = z.enum(['override', 'granted', 'near-limit', 'past-due']);
export type CustomerFilter = z.infer<typeof customerFilterSchema>;

export const listCustomersSchema = z.strictObject({
  /** The beginning of an identifier, email or name, or of a part of one after a space, dot, hyphen, underscore or @. */
  query: z.string().max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`).optional(),
  filter: customerFilterSchema.optional(),
  cursor: z.string().max(450).optional(),
});

export const knownCustomerSchema = z.object({
  /** Canonical. */
  identifier: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** The Stripe account that the customer was read from. Null: known by a grant or override, or because it called. */
  stripe: z
    .object({ integrationId: z.string(), integrationName: z.string(), testMode: z.boolean() })
    .nullable(),
  /** Created by API in an environment that exists. */
  isCreated: z.boolean(),
  /** Workspace plans by subscription and by unexpired grants of any environment. */
  plans: z.array(z.object({ planId: z.string(), isGranted: z.boolean() })),
  /** Unexpired overrides of any environment. */
  overrides: z.int(),
  isPastDue: z.boolean(),
  /** The meter nearest its limit as last read, from 80% on. The limit is the current one. */
  nearest: z
    .object({
      environmentId: z.string(),
      /** The feature's slug and the property's key. */
      feature: z.string(),
      property: z.string(),
      /** With what is held. */
      used: z.number(),
      limit: z.number(),
      readAt: instantSchema,
    })
    .nullable(),
  /** Null: never. */
  lastSeenAt: instantSchema.nullable(),
  /** Created in Stripe, otherwise first known. */
  createdAt: instantSchema,
});
export type KnownCustomer = z.infer<typeof knownCustomerSchema>;

export const customerListSchema = z.object({
  items: z.array(knownCustomerSchema),
  /** A page of a filtered search may have fewer items, even none, and a cursor. */
  nextCursor: z.string().nullable(),
  /** The query as a canonical identifier, so any customer can be opened. Null if it is not a valid one. */
  identifier: z.string().nullable(),
});
export type CustomerList = z.infer<typeof customerListSchema>;
