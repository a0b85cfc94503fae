/** Customers over the public API: read one, and create and change them with a secret key that may. */
import { z } from 'zod';
import { accessCheckAnswerSchema } from './access.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { publicErrorSchema } from './errors.ts';
import { formatLimit } from './format-limit.ts';
import { isUserId, MAX_IDENTIFIER, readIdentifier } from './identifiers.ts';
import { MAX_BY, meterAnswerSchema } from './metering.ts';
import { identifierSchema, opaqueSchema } from './subjects.ts';
import { subscriptionStateSchema } from './subscription-state.ts';
import {
  givenInstantSchema,
  instantSchema,
  optionalNameSchema,
  propertyKeySchema,
  reasonSchema,
  slugSchema,
} from './text.ts';
import { propertyValueSchema } from './values.ts';

export const MAX_REASON = 300;
/** Changes of one batch. */
export const MAX_CHANGES = 100;

/** Why a grant, an override or a correction is made. */
export const entryReasonSchema = reasonSchema(3, MAX_REASON);

/** When a grant or an override ends; null: it does not. */
export const untilSchema = givenInstantSchema.nullable();

/** Of a correction. A negative number reduces usage, at most by what the data location has counted. */
export const correctionSchema = z
  .int('Must be a whole number')
  .min(-MAX_BY, `Must be at least -${formatLimit(MAX_BY)}`)
  .max(MAX_BY, `Must be at most ${formatLimit(MAX_BY)}`)
  .refine((by) => by !== 0, 'Must not be 0');

const emailSchema = identifierSchema.refine((text) => {
  const read = readIdentifier(text);
  return !read.ok || read.kind === 'email';
}, 'Must be an email');

const userIdSchema = z
  .string()
  .min(1, 'Must not be empty')
  .max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`)
  .refine(
    (text) => text === '' || text.length > MAX_IDENTIFIER || isUserId(text),
    'Must be printable ASCII without outer spaces, and no email or Stripe customer ID',
  );

/** The Stripe customer that the customer is: from then on plans, usage, grants and overrides are one. */
export const stripeSourceSchema = z.strictObject({
  integrationId: z.string().min(1, 'Is required').max(64, 'Must be at most 64 characters'),
  /** cus_… */
  customerId: z
    .string()
    .min(1, 'Is required')
    .max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`),
});

/** Makes a retry harmless for 24 hours. Its scope is the environment and the customer. */
const idempotencyKey = opaqueSchema.optional();
const saved = {
  name: optionalNameSchema(100).optional(),
  email: emailSchema.nullable().optional(),
  userId: userIdSchema.nullable().optional(),
  /** Null: separates it from the Stripe customers that earlier calls named. */
  stripe: stripeSourceSchema.nullable().optional(),
};
const granted = { until: untilSchema.optional(), reason: entryReasonSchema };
const overridden = { value: propertyValueSchema, ...granted };
const corrected = { by: correctionSchema, reason: entryReasonSchema };
const property = { feature: slugSchema, property: propertyKeySchema };

export const saveCustomerSchema = z.strictObject({ ...saved, idempotencyKey });
export const setGrantSchema = z.strictObject({ ...granted, idempotencyKey });
export const setOverrideSchema = z.strictObject({ ...overridden, idempotencyKey });
export const meterCorrectionSchema = z.strictObject({ ...property, ...corrected, idempotencyKey });

const customer = identifierSchema;
const plan = slugSchema;
/** One change of a batch: the fields of the call that makes it alone, and those of its path. */
export const customerChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('save-customer'), customer, ...saved, idempotencyKey }),
  z.strictObject({ change: z.literal('grant-plan'), customer, plan, ...granted, idempotencyKey }),
  z.strictObject({ change: z.literal('revoke-plan'), customer, plan, idempotencyKey }),
  z.strictObject({ change: z.literal('set-override'), customer, ...property, ...overridden, idempotencyKey }),
  z.strictObject({ change: z.literal('remove-override'), customer, ...property, idempotencyKey }),
  z.strictObject({ change: z.literal('correct-meter'), customer, ...property, ...corrected, idempotencyKey }),
]);
export type CustomerChange = z.output<typeof customerChangeSchema>;

export const changeCustomersSchema = z.strictObject({
  changes: z.array(customerChangeSchema).min(1).max(MAX_CHANGES),
});

const madeSchema = z.object({
  /** Canonical. If the call named an email that is an alias, the customer that it belongs to. */
  customer: z.string(),
  /** False: everything was as requested already. */
  changed: z.boolean(),
  /** The idempotency key was known, and this repeats the first answer. */
  replayed: z.boolean(),
  /** With a correction: what was added to the count, and the meter after it. */
  applied: z.int().optional(),
  meter: meterAnswerSchema.optional(),
});
const success = { status: z.literal('success') };
export const changeAnswerSchema = z.object({ ...success, requestId: z.string(), ...madeSchema.shape });
export type CustomerChangeAnswer = z.infer<typeof changeAnswerSchema>;
export type ChangeMade = z.infer<typeof madeSchema>;

/** Why a change of a batch failed. */
export const changeErrorSchema = publicErrorSchema.extend({
  /** With `rate-limited`: when the change can be made, if those before it are sent again too. */
  retryAfterMs: z.int().optional(),
});

export type ChangeError = z.infer<typeof changeErrorSchema>;

/** What the call for the change would have answered. */
export const changeResultSchema = z.union([changeAnswerSchema, changeErrorSchema]);
export type ChangeResult = z.infer<typeof changeResultSchema>;
export const changeCustomersAnswerSchema = z.object({
  ...success,
  requestId: z.string(),
  /** In the order of the changes. */
  results: z.array(changeResultSchema),
});

export type ChangeCustomersAnswer = z.infer<typeof changeCustomersAnswerSchema>;

const entry = { reason: z.string(), until: instantSchema.nullable(), createdAt: instantSchema };

export const customerAnswerSchema = z.object({
  ...success,
  requestId: z.string(),
  customer: z.object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    /** The application's own user id, an alias of the customer. */
    userId: z.string().nullable(),
    /** Null for a customer that was not created by API in this environment. */
    createdAt: instantSchema.nullable(),
  }),
  /** Those that apply in this environment, newest first, including expired ones. */
  grants: z.array(
    z.object({
      plan: z.string(),
      ...entry,
      /** Whether it gives the plan now: it has not ended, and the plan is among those of `access`. */
      isActive: z.boolean(),
    }),
  ),
  overrides: z.array(z.object({ feature: z.string(), property: z.string(), value: z.unknown(), ...entry })),
  subscriptions: z.array(subscriptionStateSchema),
  access: accessCheckAnswerSchema,
});
export type CustomerAnswer = z.infer<typeof customerAnswerSchema>;

const reading = {
  secretKeyOnly: 'Reading customers requires a secret key',
  limits: CALL_LIMITS,
  recordedAs: null,
} as const;
const changing = {
  managingKeyOnly: 'Changing customers requires a secret key with the permission to manage customers',
  answer: changeAnswerSchema,
  limits: CALL_LIMITS,
  recordedAs: null,
} as const;

const all = '/api/v1/customers';
/** URL-encoded, once. */
const one = `${all}/:customer` as const;

export const provisioningEndpoints = {
  read: keyed.get(one, {
    ...reading,
    summary: 'Read a customer',
    answer: customerAnswerSchema,
  }),
  save: keyed.put(one, {
    ...changing,
    summary: 'Create or update a customer',
    body: saveCustomerSchema,
  }),
  setGrant: keyed.put(`${one}/grants/:plan`, {
    ...changing,
    summary: 'Grant a plan',
    body: setGrantSchema,
  }),
  removeGrant: keyed.remove(`${one}/grants/:plan`, {
    ...changing,
    summary: 'Revoke a granted plan',
  }),
  setOverride: keyed.put(`${one}/overrides/:feature/:property`, {
    ...changing,
    summary: 'Override a property',
    body: setOverrideSchema,
  }),
  removeOverride: keyed.remove(`${one}/overrides/:feature/:property`, {
    ...changing,
    summary: 'Remove an override',
  }),
  correctMeter: keyed.post(`${one}/meter-corrections`, {
    ...changing,
    summary: 'Adjust usage by an amount',
    body: meterCorrectionSchema,
  }),
  changeMany: keyed.post(all, {
    ...changing,
    summary: 'Make up to 100 changes',
    body: changeCustomersSchema,
    answer: changeCustomersAnswerSchema,
    limits: { bytes: 256 * 1024, values: 4_000 },
  }),
} as const;
