/** Access checks: what a subject may do. Part of the public API, version 1. */
import { z } from 'zod';
import { drawSchema } from './balance-lines.ts';
import { contextBytes, MAX_CONTEXT_BYTES, MAX_CONTEXT_ENTRIES, MAX_CONTEXT_NAME } from './check-context.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { answered, publicErrorSchema } from './errors.ts';
import { APPLIED, DRAWS, ENTITY, IDENTIFIER, TOKEN, WARNINGS_FIELD } from './field-sentences.ts';
import { COSTS, consumeSchema, countedCostSchema, meterAnswerSchema } from './metering.ts';
import { identifierSchema, opaqueSchema, warningSchema } from './subjects.ts';
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
    z
      .union([z.string(), z.number(), z.boolean()], 'Must be text, a number, true or false')
      .describe('Text, a number, true or false.'),
  )
  .refine(
    (context) => Object.keys(context).length <= MAX_CONTEXT_ENTRIES,
    `Must have at most ${MAX_CONTEXT_ENTRIES} entries`,
  )
  .refine((context) => contextBytes(context) <= MAX_CONTEXT_BYTES, 'Must be at most 4 KiB');

const subjectFields = {
  userIdentifier: identifierSchema.optional().describe(`${IDENTIFIER} Requires a secret key.`),
  userJwt: z
    .string()
    .min(1, 'Must not be empty')
    .optional()
    .describe(
      `${TOKEN} A token that cannot be verified is not an error: the subject is anonymous and a warning explains why.`,
    ),
  entityId: opaqueSchema.optional().describe(`${ENTITY} Requires a secret key.`),
};
const isOneSubject = (body: { userIdentifier?: string | undefined; userJwt?: string | undefined }) =>
  body.userIdentifier === undefined || body.userJwt === undefined;
const TWO_SUBJECTS = { path: ['userJwt'], message: 'Send userIdentifier or userJwt, not both' };

export const accessCheckRequestSchema = z
  .strictObject({
    ...subjectFields,
    consume: consumeSchema
      .optional()
      .describe('Consumes usage in the same call if it fits the limit. Requires a secret key.'),
    consistency: z
      .enum(['bounded', 'local', 'strict'])
      .optional()
      .describe(
        'How fresh meter readings are. local (default): read from the nearest region. bounded: up to one second old. strict: read from the home region.',
      ),
    features: z
      .array(slugSchema)
      .min(1)
      .max(200)
      .optional()
      .describe('Slugs of the features to return; all if omitted. Unknown slugs are omitted with a warning.'),
    context: contextSchema
      .optional()
      .describe(
        'What your application knows about the situation, such as a device or a page, for workflows, which receive it as input.context. Recorded with the event. At most 20 entries and 4 KiB. Do not reuse a response for another context.',
      ),
    include: z
      .array(z.enum(['subscriptions', 'balances']))
      .min(1)
      .max(2)
      .refine((asked) => new Set(asked).size === asked.length, 'Must not repeat an entry')
      .optional()
      .describe(
        'subscriptions: return the state of the customer’s subscriptions as customer.subscriptions. balances: list in each meter of which the customer has balances what usage is taken from.',
      ),
  })
  .refine(isOneSubject, TWO_SUBJECTS)
  .describe('The subject to check: an identifier, a token, or neither for an anonymous session.');
export type AccessCheckRequest = z.infer<typeof accessCheckRequestSchema>;

const answerSchemas = {
  number: z.number(),
  boolean: z.boolean(),
  string: z.string(),
  meterable: meterAnswerSchema,
} as const satisfies Readonly<Record<PropertyType, z.ZodType>>;

/** The value of one property: as plans configure it, or the meter if the property is meterable. */
export const propertyAnswerSchema = z
  .union(Object.values(answerSchemas))
  .describe('A property’s value: a number, boolean or string, or a meter for meterable properties.');
export type PropertyAnswer = z.infer<typeof propertyAnswerSchema>;

/** Why a customer has a plan. */
export const planSourceSchema = z.object({
  kind: z
    .enum(['anonymous-sessions', 'authenticated-users', 'grant', 'subscription', 'workflow'])
    .describe(
      'anonymous-sessions: granted to everyone who isn’t signed in. authenticated-users: granted to everyone who is signed in. grant: granted manually. subscription: from a subscribed product. workflow: added by a workflow.',
    ),
  integrationId: z.string().optional().describe('The connected Stripe account.'),
  productId: z.string().optional().describe('The product linked to the plan.'),
  priceId: z
    .string()
    .optional()
    .describe('The price linked to the plan. Absent if the plan is linked to the whole product.'),
  quantity: z
    .int()
    .optional()
    .describe(
      'What the plan’s numbers and limits are multiplied by. Absent unless the plan is linked times its quantity.',
    ),
  subscriptionId: z.string().optional().describe('The subscription that contains the product.'),
  status: z.string().optional().describe('The subscription’s status in Stripe.'),
  reason: z
    .string()
    .optional()
    .describe('What the policy of the Stripe integration says about the subscription’s state, if anything.'),
  // With `workflow`.
  workflow: z.string().optional().describe('The workflow’s name.'),
});
export type PlanSource = z.infer<typeof planSourceSchema>;

/** Why a property has its value. Returned to secret keys with `?explain=1`. */
export const explanationSchema = z
  .object({
    feature: z.string().describe('The feature’s slug.'),
    property: z.string().describe('The property’s key.'),
    value: z.unknown().describe('The value that applies.'),
    used: z
      .int()
      .optional()
      .describe('Usage of a meterable property, as in Meter. Absent if usage could not be read.'),
    held: z
      .int()
      .optional()
      .describe('What open holds have taken beside it, as in Meter. Absent without any.'),
    decidedBy: z
      .union([
        z.array(z.string()),
        z.literal('default'),
        z.object({ override: z.string().describe('What overrides the plans.') }),
      ])
      .describe(
        'Slugs of the plans that set this value, "default" if no plan sets it, or the override that takes precedence.',
      ),
    anchoredBy: z
      .string()
      .optional()
      .describe(
        'Of a meter that counts by billing period: the subscription whose billing cycle it follows, or "grant". Absent if it follows the calendar.',
      ),
    reason: z.string().describe('A human-readable explanation.'),
    candidates: z
      .array(
        z.object({
          plan: z.string().describe('The plan’s slug.'),
          value: z
            .unknown()
            .describe('The value that the plan sets, times the quantity if the plan is linked that way.'),
          from: z.array(planSourceSchema).describe('Why the subject has the plan.'),
        }),
      )
      .describe('The value from each of the subject’s plans.'),
  })
  .describe('Why a property has its value.');

/** A feature’s values, and whether it is allowed. */
export const featureAnswerSchema = z.object({
  properties: z
    .record(z.string(), propertyAnswerSchema)
    .describe('Properties by key. Every feature includes a boolean property named enabled.'),
  ...verdictFields,
});

/** By which names the call found its customer. Returned to secret keys with `?explain=1`. */
export const explainedNamesSchema = z.object({
  asked: z.string().describe('What the call named, in its canonical spelling.'),
  customer: z.string().describe('Who it is: usage is counted for this customer.'),
  aliases: z
    .array(z.string())
    .describe('Further names of the customer: emails, user IDs and Stripe customer IDs.'),
  sharedWith: z
    .array(z.string())
    .describe(
      'Other customers that have the name, whose plans apply too. Empty, except for an email or user ID that several have.',
    ),
});
export type ExplainedNames = z.infer<typeof explainedNamesSchema>;

export const accessCheckAnswerSchema = z
  .object({
    ...answered,
    version: z
      .object({
        artifactId: z.string().describe('ID of the deployed artifact.'),
        number: z
          .int()
          .nullable()
          .describe(
            'Version number; null while the preview environment has changes that are not in a version yet.',
          ),
      })
      .nullable()
      .describe('The deployed version; null if nothing is deployed.'),
    asOf: z.int().describe('Time of the decision, in epoch milliseconds.'),
    validUntil: z
      .int()
      .describe(
        'When the response expires from your cache, in epoch milliseconds: at the next meter reset, at token expiry, or when a manual grant or override ends; at most 60 seconds after asOf.',
      ),
    identity: z
      .object({
        isAuthenticated: z.boolean().describe('False for an anonymous session.'),
        method: z.enum(['identifier', 'jwt', 'anonymous']).describe('What identified the subject.'),
      })
      .describe('How the subject was identified.'),
    customer: z
      .object({
        isCustomer: z.boolean().describe('Whether the subject is a customer in your payment provider.'),
        plans: z.array(z.string()).describe('Slugs of the plans that apply.'),
        quantities: z
          .record(
            z.string(),
            z
              .array(z.int())
              .describe(
                'One plan’s quantities, ascending. Two of the same are listed only if values add up.',
              ),
          )
          .optional()
          .describe(
            'The quantities that plans come with, by slug: a plan’s numbers and limits are multiplied by each of them before plans are merged. Absent if every plan counts once.',
          ),
        subscriptions: z
          .array(subscriptionStateSchema)
          .optional()
          .describe(
            'With include: the subscriptions that have not ended, as last read from Stripe, whether they grant plans or not. Empty without any.',
          ),
      })
      .describe('The subject’s customer and plans.'),
    features: z
      .record(z.string(), featureAnswerSchema.describe('One feature.'))
      .describe('Features by slug.'),
    consumed: z
      .intersection(
        z.object({
          accepted: z
            .boolean()
            .describe(
              'False if the amount did not fit, the property is off, or a meter of unique resources got no resourceId. Nothing was consumed.',
            ),
          replayed: z
            .boolean()
            .describe('True if the idempotency key was used before. This repeats the first response.'),
          applied: z.int().describe(APPLIED),
          draws: z.array(drawSchema).optional().describe(DRAWS),
          costs: countedCostSchema.optional().describe(COSTS),
        }),
        meterAnswerSchema,
      )
      .optional()
      .describe('With consume: whether the amount was consumed, and the meter after it.'),
    warnings: z.array(warningSchema).describe(WARNINGS_FIELD),
    explanation: z
      .array(explanationSchema)
      .optional()
      .describe('With explain=1 and a secret key: one entry per property.'),
    names: explainedNamesSchema
      .optional()
      .describe('With explain=1 and a secret key: by which names the call found its customer.'),
  })
  .describe('What the subject can do. Denied is a 200, not an error.');
export type AccessCheckAnswer = z.infer<typeof accessCheckAnswerSchema>;

/** Checks in one call. */
export const MAX_CHECKS = 100;

/** One check of a batch: whom it is about, as in the call for it alone. */
export const batchedCheckSchema = z
  .strictObject({
    ...subjectFields,
    context: contextSchema
      .optional()
      .describe(
        'What your application knows about the situation, for workflows, as in a single check. At most 20 entries and 4 KiB.',
      ),
  })
  .refine(isOneSubject, TWO_SUBJECTS)
  .describe('The subject of one check: an identifier, a token, or neither for an anonymous session.');

/** Each check is validated on its own: one that is invalid fails alone. */
export const accessChecksRequestSchema = z
  .strictObject({
    features: z
      .array(slugSchema)
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Slugs of the features to return in each check; all if omitted. Unknown slugs are omitted with a warning.',
      ),
    checks: z
      .array(z.unknown())
      .min(1, 'Send at least one check')
      .max(MAX_CHECKS, `Send at most ${MAX_CHECKS} checks`)
      .describe(
        'Each is validated, limited, billed and recorded as a call of its own. A customer may be named twice.',
      ),
  })
  .describe('Up to 100 checks.');
export type AccessChecksRequest = z.infer<typeof accessChecksRequestSchema>;

/** What the call for the check alone would have answered. */
export const accessCheckResultSchema = z
  .union([accessCheckAnswerSchema, publicErrorSchema])
  .describe('What the call for the check alone would have returned.');
export const accessChecksAnswerSchema = z
  .object({
    status: z.literal('success').describe('Always success: what failed has its error in results.'),
    requestId: answered.requestId,
    results: z
      .array(accessCheckResultSchema)
      .describe(
        'In the order of the checks. Each has a requestId of its own; status tells success from error.',
      ),
  })
  .describe('The result of each check.');
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
