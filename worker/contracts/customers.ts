/** Customers of the organisation: what they may do and have used, and what is granted to them by hand. */
import { z } from 'zod';
import { explanationSchema } from './access.ts';
import { endpoint } from './endpoint.ts';
import { eventSchema } from './events.ts';
import { foundCustomerSchema, linkedCustomerSchema } from './linked-customer.ts';
import { locationSchema } from './locations.ts';
import { idempotencyKeySchema, MAX_BY, meterAnswerSchema } from './metering.ts';
import { MAX_IDENTIFIER, warningSchema } from './subjects.ts';
import { idSchema, instantSchema } from './text.ts';
import { propertyTypeSchema, propertyValueSchema } from './values.ts';

export const MAX_REASON = 300;
/** Of one customer, in all environments together: what a ledger keeps of a customer stays small. */
export const MAX_GRANTS = 50;
export const MAX_OVERRIDES = 200;

const reasonSchema = z
  .string()
  .trim()
  .min(3, 'Must be at least 3 characters')
  .max(MAX_REASON, `Must be at most ${MAX_REASON} characters`)
  .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters')
  .refine((text) => !/\p{Surrogate}/u.test(text), 'Must be well-formed text');

/** The last instant that a Date can hold. */
const untilSchema = z.int('Must be an instant').min(0).max(8.64e15, 'Must be an instant').nullable();

const said = {
  id: z.string(),
  /** Null: in all environments. */
  environmentId: z.string().nullable(),
  reason: z.string(),
  /** From then on it says nothing; null: it does not end. */
  until: instantSchema.nullable(),
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
};

export const customerGrantSchema = z.object({ ...said, planId: z.string() });
export type CustomerGrant = z.infer<typeof customerGrantSchema>;

export const customerOverrideSchema = z.object({
  ...said,
  propertyId: z.string(),
  value: propertyValueSchema,
});
export type CustomerOverride = z.infer<typeof customerOverrideSchema>;

export const customerSummarySchema = z.object({
  identifier: z.string(),
  /** Of grants and overrides that have not ended. */
  planIds: z.array(z.string()),
  overrides: z.int(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type CustomerSummary = z.infer<typeof customerSummarySchema>;

export const customerSchema = z.object({
  /** Canonical: as ledgers and events know the customer. */
  identifier: z.string(),
  /** Newest first, those that have ended included. */
  grants: z.array(customerGrantSchema),
  overrides: z.array(customerOverrideSchema),
  /** The Stripe customers whose id or e-mail address this is: several may share one address. */
  linked: z.array(linkedCustomerSchema),
});
export type Customer = z.infer<typeof customerSchema>;

export const entitlementSchema = explanationSchema.extend({
  featureId: z.string(),
  featureName: z.string(),
  propertyId: z.string(),
  propertyName: z.string(),
  type: propertyTypeSchema,
  value: propertyValueSchema,
  isSystem: z.boolean(),
  /** Of meterable properties. */
  meter: meterAnswerSchema.nullable(),
});
export type Entitlement = z.infer<typeof entitlementSchema>;

/** A customer in one environment, as the engine sees them now. */
export const customerStandingSchema = z.object({
  environmentId: z.string(),
  /** By which this environment's ledgers know them: of an address that stands for a Stripe customer, the customer's id. */
  identifier: z.string(),
  asOf: instantSchema,
  /** Null: nothing is deployed. */
  version: z.object({ artifactId: z.string(), number: z.int().nullable() }).nullable(),
  plans: z.array(
    z.object({
      planId: z.string(),
      slug: z.string(),
      name: z.string(),
      /** Why the customer has it. */
      from: z.array(z.enum(['authenticated-users', 'grant', 'subscription'])),
      /** Those that come with a product of a subscription. */
      subscriptions: z.array(
        z.object({
          integrationId: z.string(),
          subscriptionId: z.string(),
          productId: z.string(),
          /** Null: the product has not been read. */
          productName: z.string().nullable(),
          /** Stripe's word for it. */
          status: z.string(),
        }),
      ),
    }),
  ),
  /** In the version's order. */
  entitlements: z.array(entitlementSchema),
  /** Where usage was read; null where nothing is metered, or no location could be asked. */
  readLocation: locationSchema.nullable(),
  warnings: z.array(warningSchema),
});
export type CustomerStanding = z.infer<typeof customerStandingSchema>;

export const grantPlanSchema = z.strictObject({
  environmentId: idSchema.nullable(),
  planId: idSchema,
  reason: reasonSchema,
  until: untilSchema,
});

export const overridePropertySchema = z.strictObject({
  environmentId: idSchema.nullable(),
  propertyId: idSchema,
  /** Checked against the property's type and bounds. */
  value: propertyValueSchema,
  reason: reasonSchema,
  until: untilSchema,
});

export const correctMeterSchema = z.strictObject({
  environmentId: idSchema,
  propertyId: idSchema,
  /** Negative gives back, at most what the data location has counted. */
  by: z
    .int('Must be a whole number')
    .min(-MAX_BY, `Must be at least -${MAX_BY}`)
    .max(MAX_BY, `Must be at most ${MAX_BY}`)
    .refine((by) => by !== 0, 'Must not be 0'),
  reason: reasonSchema,
  /** The same correction sent again counts once. */
  idempotencyKey: idempotencyKeySchema,
});

const guard = { kind: 'member' } as const;
const base = '/api/orgs/:orgId/customers';
/** The identifier is URL-encoded; one that is nothing but a dot or two has a tilde before it (engine/identity). */
const one = `${base}/:identifier` as const;

export const customerEndpoints = {
  list: endpoint({
    method: 'GET',
    path: base,
    guard,
    summary: 'Customers of whom something was said by hand, newest first; and a search for those at Stripe',
    query: z.strictObject({
      /** Part of an identifier, or of a Stripe customer's name. */
      query: z.string().max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`).optional(),
      cursor: z.string().max(300).optional(),
    }),
    answer: z.object({
      items: z.array(customerSummarySchema),
      nextCursor: z.string().nullable(),
      /**
       * On the first page of a search: customers of connected Stripe accounts by a part of their id, e-mail address or
       * name, newest first, as many as fit on a screen.
       */
      linked: z.array(foundCustomerSchema),
      /** The query read as an identifier, canonical: any customer can be looked up. Null where it cannot be one. */
      identifier: z.string().nullable(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    guard,
    summary: 'What is granted to a customer by hand, and overridden',
    answer: customerSchema,
  }),
  getStanding: endpoint({
    method: 'GET',
    path: `${one}/environments/:environmentId`,
    guard,
    summary: 'Plans, entitlements and usage of a customer in an environment',
    answer: customerStandingSchema,
  }),
  searchEvents: endpoint({
    method: 'GET',
    path: `${one}/events`,
    guard,
    summary: "A customer's recent events, newest first",
    query: z.strictObject({ environmentId: idSchema.optional() }),
    answer: z.object({ events: z.array(eventSchema) }),
  }),
  grantPlan: endpoint({
    method: 'POST',
    path: `${one}/grants`,
    guard,
    summary: 'Grant a plan to a customer',
    body: grantPlanSchema,
    answer: customerGrantSchema,
    status: 201,
  }),
  withdrawPlan: endpoint({
    method: 'DELETE',
    path: `${one}/grants/:grantId`,
    guard,
    summary: 'Withdraw a plan that was granted by hand',
    status: 204,
  }),
  /** In place of an earlier one of the same property and environment. */
  overrideProperty: endpoint({
    method: 'PUT',
    path: `${one}/overrides`,
    guard,
    summary: 'Override a property for a customer',
    body: overridePropertySchema,
    answer: customerOverrideSchema,
  }),
  removeOverride: endpoint({
    method: 'DELETE',
    path: `${one}/overrides/:overrideId`,
    guard,
    summary: 'Remove an override',
    status: 204,
  }),
  correctMeter: endpoint({
    method: 'POST',
    path: `${one}/corrections`,
    guard,
    summary: "Correct a customer's meter by an amount",
    body: correctMeterSchema,
    answer: z.object({
      /** What was added: `by`, or less where that gave back more than there was. */
      applied: z.int(),
      meter: meterAnswerSchema,
    }),
  }),
} as const;
