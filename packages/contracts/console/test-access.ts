/** The console's test check: an access check against the preview environment, with the reasons for its result. */
import { z } from 'zod';
import {
  accessCheckAnswerSchema,
  accessCheckRequestSchema,
  explainedNamesSchema,
  explanationSchema,
  planSourceSchema,
} from '../public/access.ts';
import { apiKeyTypeSchema } from '../public/api-key-type.ts';
import { member } from '../public/endpoint.ts';
import { publicErrorSchema } from '../public/errors.ts';
import { linkedCustomerSchema } from './linked-customer.ts';

/** The stored data of the customer the subject belongs to. */
export const customerDataSchema = z.object({
  /** Whether a connected Stripe account has this customer. */
  isCustomer: z.boolean(),
  /** The identifier that ledgers and events use for the subject. Null for anonymous sessions. */
  identifier: z.string().nullable(),
  /** Null if the subject is not a customer of a connected account. */
  stripe: linkedCustomerSchema.nullable(),
  /** What each subscription grants in the deployed version. */
  subscriptions: z.array(
    z.object({
      id: z.string(),
      /** The subscription's status in Stripe. */
      status: z.string(),
      /** Depends on the subscription's state and mode, and on the policy of its integration. */
      isGranting: z.boolean(),
      /** Each product, with the slugs of the plans linked to it. */
      products: z.array(
        z.object({
          id: z.string(),
          name: z.string().nullable(),
          plans: z.array(z.string()),
          /** Null if the price is metered, or unknown. */
          quantity: z.int().nullish(),
        }),
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
    /** Why each plan applied. */
    planSources: z.array(z.object({ plan: z.string(), from: z.array(planSourceSchema) })),
    explanation: z.array(explanationSchema),
    /** By which names the subject was found; absent for an anonymous one. */
    names: explainedNamesSchema.optional(),
  }),
});
export type TestCheckAnswer = z.infer<typeof testCheckAnswerSchema>;

export const testAccessEndpoints = {
  test: member.post('/api/orgs/:orgId/envs/preview/access-checks', {
    summary: 'Test an access check in the preview environment, with its explanation',
    changes: [],
    body: z.strictObject({ request: accessCheckRequestSchema, apiKeyType: apiKeyTypeSchema }),
    answer: testCheckAnswerSchema,
  }),
} as const;
