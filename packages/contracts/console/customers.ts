/** Console API of customers: their entitlements and usage, and manual grants, overrides and corrections. */
import { z } from 'zod';
import { explanationSchema } from '../public/access.ts';
import { correctionSchema, entryReasonSchema, untilSchema } from '../public/customers.ts';
import { customerReader, member } from '../public/endpoint.ts';
import { MAX_IDENTIFIER } from '../public/identifiers.ts';
import { locationSchema } from '../public/locations.ts';
import { meterAnswerSchema } from '../public/metering.ts';
import { identifierSchema, opaqueSchema, warningSchema } from '../public/subjects.ts';
import { idSchema, instantSchema, jsonTextSchema, slugSchema } from '../public/text.ts';
import { ownValueSchema, propertyTypeSchema, propertyValueSchema } from '../public/values.ts';
import { verdictFields } from '../public/verdict.ts';
import { actingKeySchema } from './api-keys.ts';
import { customerChangeSchema } from './customer-changes.ts';
import { customerListSchema, listCustomersSchema } from './customer-list.ts';
import { eventSchema } from './events.ts';
import { linkedCustomerSchema } from './linked-customer.ts';
import { testCheckAnswerSchema } from './test-access.ts';

/** Per customer, over all environments. Keeps the facts that a ledger stores per customer small. */
export const MAX_GRANTS = 50;
export const MAX_OVERRIDES = 200;

const said = {
  id: z.string(),
  /** Null applies to all environments. */
  environmentId: z.string().nullable(),
  reason: z.string(),
  /** When it expires. Null if it does not. */
  until: instantSchema.nullable(),
  createdAt: instantSchema,
  /** Null: an API key made it. */
  createdByUserId: z.string().nullable(),
  createdByKey: actingKeySchema.nullable(),
};

export const customerGrantSchema = z.object({ ...said, planId: z.string() });
export type CustomerGrant = z.infer<typeof customerGrantSchema>;

export const customerOverrideSchema = z.object({
  ...said,
  propertyId: z.string(),
  value: propertyValueSchema,
});
export type CustomerOverride = z.infer<typeof customerOverrideSchema>;

export const customerSchema = z.object({
  /** The canonical identifier, as ledgers and events use it. */
  identifier: z.string(),
  /** Newest first, including expired ones. */
  grants: z.array(customerGrantSchema),
  overrides: z.array(customerOverrideSchema),
  /**
   * The Stripe customers with this id or email, and those that share the customer's email. The customer with this id comes
   * first, otherwise the email's owner.
   */
  linked: z.array(linkedCustomerSchema),
  /** Where it was created by API, a live environment first. */
  created: z.array(
    z.object({
      environmentId: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      userId: z.string().nullable(),
    }),
  ),
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
  /** Set for meterable properties. */
  meter: meterAnswerSchema.nullable(),
  /** When the first of the open holds that have taken of the meter ends by itself; absent without any. */
  heldUntil: instantSchema.optional(),
});
export type Entitlement = z.infer<typeof entitlementSchema>;

/** A customer in one environment, as the engine resolves them now. */
export const customerEntitlementsSchema = z.object({
  environmentId: z.string(),
  /** The identifier that this environment's ledgers use. For an email that is an alias, the Stripe customer's id. */
  identifier: z.string(),
  asOf: instantSchema,
  /** Null if nothing is deployed. */
  version: z.object({ artifactId: z.string(), number: z.int().nullable() }).nullable(),
  plans: z.array(
    z.object({
      planId: z.string(),
      slug: z.string(),
      name: z.string(),
      /** Why the customer has it. */
      from: z.array(z.enum(['authenticated-users', 'grant', 'subscription', 'workflow'])),
      /** The plans that a subscription's product grants. */
      subscriptions: z.array(
        z.object({
          integrationId: z.string(),
          subscriptionId: z.string(),
          productId: z.string(),
          /** Null if the product has not been read yet. */
          productName: z.string().nullable(),
          /** If the plan is linked to one of the product's prices. */
          priceId: z.string().optional(),
          /** If the plan is linked times its quantity. */
          quantity: z.int().optional(),
          /** The subscription's status in Stripe. */
          status: z.string(),
        }),
      ),
    }),
  ),
  /** Add-ons of the customer that do not count, because no other plan applies. */
  idleAddOns: z.array(z.object({ planId: z.string(), name: z.string() })),
  /**
   * The customer's email with its grants and overrides that apply here, newest first, including expired ones. Null if the email
   * has none that belong to the customer in this environment, and on the email's own page.
   */
  viaEmail: z
    .object({
      email: z.string(),
      grants: z.array(customerGrantSchema),
      overrides: z.array(customerOverrideSchema),
    })
    .nullable(),
  /** As `viaEmail`, of the user ids that are aliases of the customer. */
  viaUserIds: z.array(
    z.object({
      userId: z.string(),
      grants: z.array(customerGrantSchema),
      overrides: z.array(customerOverrideSchema),
    }),
  ),
  /** In the order of the version. */
  entitlements: z.array(entitlementSchema),
  /** Whether a check allows each feature, in the same order. */
  features: z.array(z.object({ featureId: z.string(), ...verdictFields })),
  /** The location that usage was read from. Null if nothing is metered or no location responded. */
  readLocation: locationSchema.nullable(),
  warnings: z.array(warningSchema),
});
export type CustomerEntitlements = z.infer<typeof customerEntitlementsSchema>;

const sourceUsageSchema = z.object({
  featureName: z.string(),
  propertyName: z.string(),
  /** Of the created customer, in the meter’s window. While the two are one, it contains the Stripe customer’s. */
  used: z.number(),
  /** Counted for the Stripe customer while it was not the created one: what it has once they are separated. */
  stripeUsed: z.number(),
});

export const grantPlanSchema = z.strictObject({
  environmentId: idSchema.nullable(),
  planId: idSchema,
  reason: entryReasonSchema,
  until: untilSchema,
});

export const overridePropertySchema = z.strictObject({
  environmentId: idSchema.nullable(),
  propertyId: idSchema,
  /** Validated against the property's type and bounds. */
  value: ownValueSchema,
  reason: entryReasonSchema,
  until: untilSchema,
});

export const correctMeterSchema = z.strictObject({
  environmentId: idSchema,
  propertyId: idSchema,
  /** A negative number reduces usage, at most by what the data location has counted. */
  by: correctionSchema,
  reason: entryReasonSchema,
  /** Idempotency key: a repeated correction counts once. */
  idempotencyKey: opaqueSchema,
});

/** One of the Stripe customers that have the email. */
export const linkEmailSchema = z.strictObject({
  integrationId: idSchema,
  /** cus_… */
  customerId: z
    .string()
    .min(1, 'Is required')
    .max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`),
});

/** The Stripe customer that a customer created by API is. */
export const joinCustomerSchema = linkEmailSchema.extend({ environmentId: idSchema });

/** The identifier that calls send. */
export const moveCustomerSchema = z.strictObject({ to: identifierSchema });

/** How many customers one call names. */
export const MAX_NAMED_CUSTOMERS = 50;

const identifiersSchema = jsonTextSchema(12_000).pipe(
  z.array(z.string().min(1).max(MAX_IDENTIFIER)).max(MAX_NAMED_CUSTOMERS),
);

const base = '/api/orgs/:orgId/customers';
/** The identifier is URL-encoded. An identifier of one or two dots is prefixed with a tilde (engine/identity). */
const one = `${base}/:identifier` as const;

export const customerEndpoints = {
  list: customerReader.get(base, {
    summary: 'List known customers, last seen first; a search sorts matches alphabetically',
    reads: 'customers',
    query: listCustomersSchema,
    answer: customerListSchema,
  }),
  listNames: customerReader.get('/api/orgs/:orgId/customer-names', {
    summary: 'Names of customers by identifier, email or user ID; those without a name are absent',
    reads: 'customers',
    query: z.strictObject({ identifiers: identifiersSchema }),
    answer: z.object({ names: z.record(z.string(), z.string()) }),
  }),
  listChanges: customerReader.get(`${one}/changes`, {
    summary: 'A customer’s history: grants, overrides, usage adjustments and subscriptions, newest first',
    reads: 'customers',
    query: z.strictObject({ cursor: z.string().max(300).optional() }),
    answer: z.object({ items: z.array(customerChangeSchema), nextCursor: z.string().nullable() }),
  }),
  get: customerReader.get(one, {
    summary: 'A customer’s manual grants and overrides',
    reads: 'customers',
    answer: customerSchema,
  }),
  getEntitlements: customerReader.get(`${one}/environments/:environmentId`, {
    summary: 'Plans, entitlements and usage of a customer in an environment',
    reads: 'customers',
    answer: customerEntitlementsSchema,
  }),
  searchEvents: customerReader.get(`${one}/events`, {
    summary: "A customer's recent events, newest first",
    reads: 'customers',
    query: z.strictObject({ environmentId: idSchema.optional() }),
    answer: z.object({ events: z.array(eventSchema) }),
  }),
  grantPlan: member.post(`${one}/grants`, {
    summary: 'Grant a plan to a customer',
    changes: ['customers'],
    body: grantPlanSchema,
    answer: customerGrantSchema,
    status: 201,
  }),
  revokePlan: member.remove(`${one}/grants/:grantId`, {
    summary: 'Revoke a manual grant',
    changes: ['customers'],
  }),
  /** Replaces an earlier override of the same property and environment. */
  overrideProperty: member.put(`${one}/overrides`, {
    summary: 'Override a property for a customer',
    changes: ['customers'],
    body: overridePropertySchema,
    answer: customerOverrideSchema,
  }),
  removeOverride: member.remove(`${one}/overrides/:overrideId`, {
    summary: 'Remove an override',
    changes: ['customers'],
  }),
  /** The identifier is an email. Repeating the call has no effect. */
  linkEmail: member.put(`${one}/link`, {
    summary: 'Link an email to a Stripe customer, with its grants, overrides and usage',
    changes: ['customers'],
    body: linkEmailSchema,
    answer: customerSchema,
  }),
  /** The identifier is that of a customer created by API. Repeating the call has no effect. */
  join: member.put(`${one}/sources`, {
    summary:
      'Say that a customer created by API is a Stripe customer: plans, grants, overrides and usage become one',
    changes: ['customers'],
    body: joinCustomerSchema,
    answer: customerSchema,
  }),
  /** The identifier is that of a customer created by API; without meters, or a deployed version, there are none. */
  readSourceUsage: customerReader.get(`${one}/environments/:environmentId/sources/:customerId/usage`, {
    summary: 'What a customer created by API has used, and what was counted for a Stripe customer alone',
    reads: 'customers',
    answer: z.object({ meters: z.array(sourceUsageSchema) }),
  }),
  /** Repeating the call has no effect. */
  separate: member.remove(`${one}/environments/:environmentId/sources/:integrationId/:customerId`, {
    summary: 'Separate a customer created by API from a Stripe customer that a call or a person said it is',
    changes: ['customers'],
  }),
  /** The identifier is one that calls cannot send. */
  move: member.post(`${one}/move`, {
    summary: 'Move grants, overrides and usage to an identifier that calls can send',
    changes: ['customers'],
    body: moveCustomerSchema,
    answer: customerSchema,
  }),
  testCheck: member.post(`${one}/environments/:environmentId/test-check`, {
    summary: 'Test an access check for the customer, with its explanation; nothing is recorded or counted',
    reads: 'customers',
    body: z.strictObject({
      /** Slugs of the features to check; all without it. */
      features: z.array(slugSchema).min(1).max(200).optional(),
    }),
    answer: testCheckAnswerSchema,
  }),
  correctMeter: member.post(`${one}/corrections`, {
    summary: "Adjust a customer's usage by an amount",
    changes: ['customers'],
    body: correctMeterSchema,
    answer: z.object({
      /** What was added: `by`, or less if that would reduce usage below zero. */
      applied: z.int(),
      meter: meterAnswerSchema,
    }),
  }),
} as const;
