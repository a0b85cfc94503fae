/** Access checks: what a subject may do. Part of the public API, version 1. */
import { z } from 'zod';
import { contextBytes, MAX_CONTEXT_BYTES, MAX_CONTEXT_ENTRIES, MAX_CONTEXT_NAME } from './check-context.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { publicErrorSchema } from './errors.ts';
import { consumeSchema, meterAnswerSchema } from './metering.ts';
import { identifierSchema, warningSchema } from './subjects.ts';
import { subscriptionStateSchema } from './subscription-state.ts';
import { slugSchema } from './text.ts';
import type { PropertyType } from './values.ts';
import { verdictFields } from './verdict.ts';

/** What the application knows of the situation, for workflows: flat. */
export const contextSchema = z
  .record(
    z
      .string()
      .min(1, 'Must not be empty')
      .max(MAX_CONTEXT_NAME, `Must be at most ${MAX_CONTEXT_NAME} characters`),
    z.union([z.string(), z.number(), z.boolean()], 'Must be text, a number, true or false'),
  )
  .refine(
    (context) => Object.keys(context).length <= MAX_CONTEXT_ENTRIES,
    `Must have at most ${MAX_CONTEXT_ENTRIES} entries`,
  )
  .refine((context) => contextBytes(context) <= MAX_CONTEXT_BYTES, 'Must be at most 4 KiB');

/** The subject is an identifier or a token, or neither for an anonymous session. */
export const accessCheckRequestSchema = z
  .strictObject({
    userIdentifier: identifierSchema.optional(),
    /** A token that cannot be verified is not an error: the subject is anonymous, and a warning gives the reason. */
    userJwt: z.string().min(1, 'Must not be empty').optional(),
    /** Counts usage in the same round trip, if the limit allows it. */
    consume: consumeSchema.optional(),
    /**
     * How fresh meter readings are: from the nearest data location (`local`, the default), up to a second old
     * (`bounded`), or from the home location (`strict`).
     */
    consistency: z.enum(['bounded', 'local', 'strict']).optional(),
    /** Return these features only. An unknown slug is omitted, with a warning. */
    features: z.array(slugSchema).min(1).max(200).optional(),
    /** Given to workflows, and recorded. An answer is for its context only. */
    context: contextSchema.optional(),
    /** Return more about the customer: `customer.subscriptions`. */
    include: z
      .array(z.enum(['subscriptions']))
      .min(1)
      .max(1)
      .optional(),
  })
  .refine((body) => body.userIdentifier === undefined || body.userJwt === undefined, {
    path: ['userJwt'],
    message: 'Send userIdentifier or userJwt, not both',
  });
export type AccessCheckRequest = z.infer<typeof accessCheckRequestSchema>;

const answerSchemas = {
  number: z.number(),
  boolean: z.boolean(),
  string: z.string(),
  meterable: meterAnswerSchema,
} as const satisfies Readonly<Record<PropertyType, z.ZodType>>;

/** The value of one property: as plans configure it, or the meter if the property is meterable. */
export const propertyAnswerSchema = z.union(Object.values(answerSchemas));
export type PropertyAnswer = z.infer<typeof propertyAnswerSchema>;

/** Why a customer has a plan. */
export const planSourceSchema = z.object({
  kind: z.enum(['anonymous-sessions', 'authenticated-users', 'grant', 'subscription', 'workflow']),
  /** With `subscription`: the connected account, the product the plan is linked to, and the subscription. */
  integrationId: z.string().optional(),
  productId: z.string().optional(),
  /** The price, if the plan is linked to one of the product's prices. */
  priceId: z.string().optional(),
  /** What the plan's numbers and limits are multiplied by, if it is linked times its quantity. */
  quantity: z.int().optional(),
  subscriptionId: z.string().optional(),
  /** The subscription's status in Stripe. */
  status: z.string().optional(),
  /** What the policy of the Stripe integration says of its state, if anything. */
  reason: z.string().optional(),
  /** With `workflow`: its name. */
  workflow: z.string().optional(),
});
export type PlanSource = z.infer<typeof planSourceSchema>;

/** Why a property has its value. Returned to secret keys with `?explain=1`. */
export const explanationSchema = z.object({
  feature: z.string(),
  property: z.string(),
  value: z.unknown(),
  /** Of a meterable property, if its usage could be read. */
  used: z.int().optional(),
  /** Slugs of the plans that configure this value, or what replaced them. */
  decidedBy: z.union([z.array(z.string()), z.literal('default'), z.object({ override: z.string() })]),
  reason: z.string(),
  candidates: z.array(z.object({ plan: z.string(), value: z.unknown(), from: z.array(planSourceSchema) })),
});

/** A feature’s values, and whether it is allowed. */
export const featureAnswerSchema = z.object({
  properties: z.record(z.string(), propertyAnswerSchema),
  ...verdictFields,
});

/** By which names the call found its customer. Returned to secret keys with `?explain=1`. */
export const explainedNamesSchema = z.object({
  /** Canonical: what the call named. */
  asked: z.string(),
  /** Who it is: usage is counted for this customer. */
  customer: z.string(),
  /** Further names of the customer. */
  aliases: z.array(z.string()),
  /** Other customers that have the name that was asked, whose plans apply too. */
  sharedWith: z.array(z.string()),
});
export type ExplainedNames = z.infer<typeof explainedNamesSchema>;

export const accessCheckAnswerSchema = z.object({
  status: z.literal('success'),
  requestId: z.string(),
  version: z.object({ artifactId: z.string(), number: z.int().nullable() }).nullable(),
  asOf: z.int(),
  validUntil: z.int(),
  identity: z.object({
    isAuthenticated: z.boolean(),
    method: z.enum(['identifier', 'jwt', 'anonymous']),
  }),
  customer: z.object({
    isCustomer: z.boolean(),
    plans: z.array(z.string()),
    /** By plan: the quantities that its numbers and limits are multiplied by. Plans that count once are left out. */
    quantities: z.record(z.string(), z.array(z.int())).optional(),
    /** With `include`. Those of all customers with the subject's email or id. */
    subscriptions: z.array(subscriptionStateSchema).optional(),
  }),
  features: z.record(z.string(), featureAnswerSchema),
  /** With `consume`: whether the usage was counted, and the meter afterwards. */
  consumed: z
    .intersection(
      z.object({ accepted: z.boolean(), replayed: z.boolean(), applied: z.int() }),
      meterAnswerSchema,
    )
    .optional(),
  warnings: z.array(warningSchema),
  /** With `?explain=1` and a secret key. */
  explanation: z.array(explanationSchema).optional(),
  /** Beside the explanation, for a customer. */
  names: explainedNamesSchema.optional(),
});
export type AccessCheckAnswer = z.infer<typeof accessCheckAnswerSchema>;

/** Checks in one call. */
export const MAX_CHECKS = 100;

/** One check of a batch: whom it is about, as in the call for it alone. */
export const batchedCheckSchema = z
  .strictObject({
    userIdentifier: identifierSchema.optional(),
    userJwt: z.string().min(1, 'Must not be empty').optional(),
    context: contextSchema.optional(),
  })
  .refine((body) => body.userIdentifier === undefined || body.userJwt === undefined, {
    path: ['userJwt'],
    message: 'Send userIdentifier or userJwt, not both',
  });

/** Each check is validated on its own: one that is invalid fails alone. */
export const accessChecksRequestSchema = z.strictObject({
  /** Return these features only, in each check. */
  features: z.array(slugSchema).min(1).max(200).optional(),
  checks: z
    .array(z.unknown())
    .min(1, 'Send at least one check')
    .max(MAX_CHECKS, `Send at most ${MAX_CHECKS} checks`),
});
export type AccessChecksRequest = z.infer<typeof accessChecksRequestSchema>;

/** What the call for the check alone would have answered. */
export const accessCheckResultSchema = z.union([accessCheckAnswerSchema, publicErrorSchema]);
export const accessChecksAnswerSchema = z.object({
  status: z.literal('success'),
  requestId: z.string(),
  /** In the order of the checks. */
  results: z.array(accessCheckResultSchema),
});
export type AccessChecksAnswer = z.infer<typeof accessChecksAnswerSchema>;

export const accessEndpoints = {
  check: keyed.post('/api/v1/access-checks', {
    summary: 'Check what a subject can do',
    body: accessCheckRequestSchema,
    answer: accessCheckAnswerSchema,
    limits: CALL_LIMITS,
    recordedAs: 'ac',
  }),
  checkMany: keyed.post('/api/v1/access-checks/batch', {
    summary: 'Check up to 100 subjects',
    body: accessChecksRequestSchema,
    answer: accessChecksAnswerSchema,
    limits: { bytes: 256 * 1024, values: 4_000 },
    recordedAs: 'ac',
  }),
} as const;
