/** The public API, version 1: access checks (DESIGN section 10). */
import { z } from 'zod';
import { apiKeyTypeSchema } from './api-keys.ts';
import { endpoint } from './endpoint.ts';
import { type ErrorType, HTTP_STATUS, issueSchema } from './errors.ts';
import { linkedCustomerSchema } from './linked-customer.ts';
import { consumeSchema, meterAnswerSchema } from './metering.ts';
import { identifierSchema, warningSchema } from './subjects.ts';
import { slugSchema } from './text.ts';

export const MAX_BODY_BYTES = 64 * 1024;

/** Who is asked about: an identifier or a token, or neither for an anonymous session. */
export const accessCheckRequestSchema = z
  .strictObject({
    userIdentifier: identifierSchema.optional(),
    /** One that cannot be verified, for whatever reason, is no error: the subject is anonymous, and a warning says why. */
    userJwt: z.string().min(1, 'Must not be empty').optional(),
    /** Takes usage in the same round trip, if it fits. */
    consume: consumeSchema.optional(),
    /**
     * How fresh the readings of meters are: of the nearest data location (`local`, the default), up to a second old
     * (`bounded`), or of the home location (`strict`).
     */
    consistency: z.enum(['bounded', 'local', 'strict']).optional(),
    /** Answer for these features only; an unknown slug is left out with a warning. */
    features: z.array(slugSchema).min(1).max(200).optional(),
  })
  .refine((body) => body.userIdentifier === undefined || body.userJwt === undefined, {
    path: ['userJwt'],
    message: 'Send userIdentifier or userJwt, not both',
  });
export type AccessCheckRequest = z.infer<typeof accessCheckRequestSchema>;

/** The value of one property: as plans configure it, and where it is meterable as its meter stands. */
export const propertyAnswerSchema = z.union([z.number(), z.boolean(), z.string(), meterAnswerSchema]);
export type PropertyAnswer = z.infer<typeof propertyAnswerSchema>;

/** Why somebody has a plan. */
export const planSourceSchema = z.object({
  kind: z.enum(['anonymous-sessions', 'authenticated-users', 'grant', 'subscription']),
  /** With `subscription`: the connected account, the product that the plan is linked to, and what it is subscribed by. */
  integrationId: z.string().optional(),
  productId: z.string().optional(),
  subscriptionId: z.string().optional(),
  /** Stripe's word for it. */
  status: z.string().optional(),
});
export type PlanSource = z.infer<typeof planSourceSchema>;

/** Why a property has its value: as `?explain=1` gives it to secret keys. */
export const explanationSchema = z.object({
  feature: z.string(),
  property: z.string(),
  value: z.unknown(),
  /** Slugs of the plans that configure this very value, or what stood in for them. */
  decidedBy: z.union([z.array(z.string()), z.literal('default'), z.object({ override: z.string() })]),
  reason: z.string(),
  candidates: z.array(z.object({ plan: z.string(), value: z.unknown(), from: z.array(planSourceSchema) })),
});

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
  customer: z.object({ isCustomer: z.boolean(), plans: z.array(z.string()) }),
  features: z.record(z.string(), z.object({ properties: z.record(z.string(), propertyAnswerSchema) })),
  /** With `consume`: whether it fitted and was taken, and the meter after it. */
  consumed: z
    .intersection(z.object({ accepted: z.boolean(), replayed: z.boolean() }), meterAnswerSchema)
    .optional(),
  warnings: z.array(warningSchema),
  /** With `?explain=1` and a secret key. */
  explanation: z.array(explanationSchema).optional(),
});
export type AccessCheckAnswer = z.infer<typeof accessCheckAnswerSchema>;

export const publicErrorSchema = z.object({
  status: z.literal('error'),
  requestId: z.string(),
  errorType: z.enum(Object.keys(HTTP_STATUS) as [ErrorType, ...ErrorType[]]),
  message: z.string(),
  issues: z.array(issueSchema).optional(),
});
export type PublicError = z.infer<typeof publicErrorSchema>;

/** What is known of the customer that was asked about. */
export const customerDataSchema = z.object({
  /** Known to a connected Stripe account. */
  isCustomer: z.boolean(),
  /** By which ledgers and events know the subject; null for anonymous sessions. */
  identifier: z.string().nullable(),
  /** Null: no customer of a connected account. */
  stripe: linkedCustomerSchema.nullable(),
  /** What each subscription grants in the version that is deployed. */
  subscriptions: z.array(
    z.object({
      id: z.string(),
      /** Stripe's word for it. */
      status: z.string(),
      /** By its status and mode. */
      isGranting: z.boolean(),
      /** Slugs of the plans that are linked to each product. */
      products: z.array(
        z.object({ id: z.string(), name: z.string().nullable(), plans: z.array(z.string()) }),
      ),
    }),
  ),
});
export type CustomerData = z.infer<typeof customerDataSchema>;

export const testCheckAnswerSchema = z.object({
  response: z.union([accessCheckAnswerSchema, publicErrorSchema]),
  diagnostics: z.object({
    storeData: z.object({ customerData: customerDataSchema }),
    /** Slugs of the plans that applied. */
    plans: z.array(z.string()),
    /** Why each of them did. */
    planSources: z.array(z.object({ plan: z.string(), from: z.array(planSourceSchema) })),
    explanation: z.array(explanationSchema),
  }),
});
export type TestCheckAnswer = z.infer<typeof testCheckAnswerSchema>;

export const accessEndpoints = {
  check: endpoint({
    method: 'POST',
    path: '/api/v1/access-checks',
    guard: { kind: 'key' },
    summary: 'What a subject may do',
    body: accessCheckRequestSchema,
    answer: accessCheckAnswerSchema,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/envs/preview/access-checks',
    guard: { kind: 'member' },
    summary: 'Try an access check against the preview environment, with what decided it',
    body: z.strictObject({ request: accessCheckRequestSchema, apiKeyType: apiKeyTypeSchema }),
    answer: testCheckAnswerSchema,
  }),
} as const;
