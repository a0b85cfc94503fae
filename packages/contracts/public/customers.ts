/** Customers over the public API: read one, and create and change them with a secret key that may. */
import { z } from 'zod';
import { accessCheckAnswerSchema } from './access.ts';
import { balanceNameSchema, balanceSchema, givenBalance, takenBack } from './balances.ts';
import { ledgerAnswerSchema, ledgerQuerySchema } from './customer-ledger.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { entitiesAnswerSchema, listEntitiesSchema } from './entities.ts';
import { answered, publicErrorSchema } from './errors.ts';
import {
  APPLIED,
  CORRECTED,
  CUSTOMER_IDEMPOTENCY,
  METERED_PROPERTY,
  STRIPE_SOURCE,
  UNTIL,
  USER_ID,
  WHY,
} from './field-sentences.ts';
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
import { ownValueSchema } from './values.ts';

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
export const stripeSourceSchema = z
  .strictObject({
    integrationId: z
      .string()
      .min(1, 'Is required')
      .max(64, 'Must be at most 64 characters')
      .describe('The ID of the Stripe integration, which is at the top of its page.'),
    customerId: z
      .string()
      .min(1, 'Is required')
      .max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`)
      .describe('The Stripe customer’s ID, cus_….'),
  })
  .describe('A customer of a connected Stripe account.');

const idempotencyKey = opaqueSchema.optional().describe(CUSTOMER_IDEMPOTENCY);
const reason = entryReasonSchema.describe(WHY);
const saved = {
  name: optionalNameSchema(100).optional().describe('A display name. null removes it.'),
  email: emailSchema
    .nullable()
    .optional()
    .describe('An email, which becomes an alias of the customer. null removes it.'),
  userId: userIdSchema.nullable().optional().describe(USER_ID),
  stripe: stripeSourceSchema.nullable().optional().describe(STRIPE_SOURCE),
};
const granted = { until: untilSchema.optional().describe(UNTIL), reason };
const overridden = { value: ownValueSchema.describe('A value of the property’s type.'), ...granted };
const corrected = { by: correctionSchema.describe(CORRECTED), reason };
const balanced = { ...givenBalance, reason };
const reduced = { ...takenBack, reason };
const feature = slugSchema.describe('The feature’s slug.');
const property = { feature, property: propertyKeySchema.describe('The property’s key.') };

export const saveCustomerSchema = z
  .strictObject({ ...saved, idempotencyKey })
  .describe(
    'The customer’s name, email and user ID, and the Stripe customer that it is. Fields that are left out stay as they are.',
  );
export const setGrantSchema = z
  .strictObject({ ...granted, idempotencyKey })
  .describe('Why the plan is granted, and until when.');
export const setOverrideSchema = z
  .strictObject({ ...overridden, idempotencyKey })
  .describe('The value, why it applies, and until when.');
export const setBalanceSchema = z
  .strictObject({ ...balanced, idempotencyKey })
  .describe(
    'How much is given, and how it is drawn from. Sent again for the same ID, it changes the end, priority, needsPlan and frozen, where they are given, and the reason.',
  );
export const takeBackSchema = z
  .strictObject({ ...reduced, idempotencyKey })
  .describe('How much to take back, and why.');
export const meterCorrectionSchema = z
  .strictObject({
    feature,
    property: propertyKeySchema.describe(METERED_PROPERTY),
    ...corrected,
    idempotencyKey,
  })
  .describe('Usage to add to or subtract from a customer’s count, and why.');

const customer = identifierSchema.describe(
  'The customer’s ID, or a user ID, email or cus_… that belongs to it.',
);
const plan = slugSchema.describe('The plan’s slug.');
const balance = balanceNameSchema.describe('Your own ID of the balance, of your choice.');
const entity = opaqueSchema.describe('The entityId that its usage was counted for.');
const anyBalance = opaqueSchema.describe('The balance’s ID: your own, or bal_….');
const change = <Name extends string>(name: Name) => z.literal(name).describe('What to do.');
/** One change of a batch: the fields of the call that makes it alone, and those of its path. */
export const customerChangeSchema = z
  .discriminatedUnion('change', [
    z.strictObject({ change: change('save-customer'), customer, ...saved, idempotencyKey }),
    z.strictObject({ change: change('grant-plan'), customer, plan, ...granted, idempotencyKey }),
    z.strictObject({ change: change('revoke-plan'), customer, plan, idempotencyKey }),
    z.strictObject({ change: change('set-override'), customer, ...property, ...overridden, idempotencyKey }),
    z.strictObject({ change: change('remove-override'), customer, ...property, idempotencyKey }),
    z.strictObject({ change: change('set-balance'), customer, balance, ...balanced, idempotencyKey }),
    z.strictObject({
      change: change('take-back'),
      customer,
      balance: anyBalance,
      ...reduced,
      idempotencyKey,
    }),
    z.strictObject({ change: change('delete-entity'), customer, entity, idempotencyKey }),
    z.strictObject({ change: change('correct-meter'), customer, ...property, ...corrected, idempotencyKey }),
  ])
  .describe('One change: the fields of the call that makes it alone, with those of its path.');
export type CustomerChange = z.output<typeof customerChangeSchema>;

export const changeCustomersSchema = z
  .strictObject({
    changes: z
      .array(customerChangeSchema)
      .min(1)
      .max(MAX_CHANGES)
      .describe('In the order in which those of one customer are made.'),
  })
  .describe('Up to 100 changes.');

/** What stays with each once a customer and a Stripe customer are two. */
const leftSchema = z.object({
  integrationId: z.string().describe('The ID of the Stripe integration.'),
  customerId: z.string().describe('The Stripe customer’s ID, cus_….'),
  meters: z
    .array(
      z.object({
        feature,
        property: propertyKeySchema.describe('The property’s key.'),
        used: z.number().describe('What the customer keeps, in the meter’s window: the sum.'),
        stripeUsed: z
          .number()
          .describe('What the Stripe customer goes on from: counted before the two were one.'),
      }),
    )
    .nullable()
    .describe('By meter; null if usage could not be read.'),
});

const madeSchema = z.object({
  customer: z.string().describe('The customer’s ID. If you named an alias, the customer that it belongs to.'),
  changed: z.boolean().describe('False if everything was as requested already.'),
  replayed: z
    .boolean()
    .describe(
      'True if the idempotency key was used before. This repeats the first response, and nothing was changed again.',
    ),
  /** With a correction, or where something is taken back. */
  applied: z.int().optional().describe(`With a correction: ${APPLIED} With take-back: what was taken back.`),
  balance: balanceSchema.optional().describe('With a balance: as it is after the change.'),
  meter: meterAnswerSchema.optional().describe('With a correction: the meter after it.'),
  /** With `stripe: null`. */
  separated: z
    .array(leftSchema)
    .optional()
    .describe(
      'With stripe null: the Stripe customers that were taken back, and what stays with whom. Correct a sum with a meter correction.',
    ),
  /** With `email`. */
  ignored: z
    .array(z.string())
    .optional()
    .describe(
      'Fields of the request that stay as they are, because Stripe says them: email, if the customer’s own Stripe customer has the email and shares it with others, or if it has data of its own. Absent if there are none.',
    ),
});
export const changeAnswerSchema = z
  .object({ ...answered, ...madeSchema.shape })
  .describe('Whether anything changed.');
export type CustomerChangeAnswer = z.infer<typeof changeAnswerSchema>;
export type ChangeMade = z.infer<typeof madeSchema>;

export const changeErrorSchema = publicErrorSchema
  .extend({
    retryAfterMs: z
      .int()
      .optional()
      .describe(
        'With rate-limited: the milliseconds after which the change can be sent again, together with those before it.',
      ),
  })
  .describe('Why a change of a batch failed.');

export type ChangeError = z.infer<typeof changeErrorSchema>;

/** What the call for the change would have answered. */
export const changeResultSchema = z.union([changeAnswerSchema, changeErrorSchema]);
export type ChangeResult = z.infer<typeof changeResultSchema>;
export const changeCustomersAnswerSchema = z
  .object({
    status: z.literal('success').describe('Always success. A change that failed has a result of its own.'),
    requestId: answered.requestId,
    results: z
      .array(changeResultSchema)
      .describe('For each change, in order, what the call for it would have answered.'),
  })
  .describe('The result of each change.');

export type ChangeCustomersAnswer = z.infer<typeof changeCustomersAnswerSchema>;

const entry = {
  reason: z.string().describe(WHY),
  until: instantSchema.nullable().describe('When it ends; null if never.'),
  createdAt: instantSchema.describe('When it was set.'),
};

export const customerAnswerSchema = z
  .object({
    ...answered,
    customer: z
      .object({
        id: z
          .string()
          .describe('The customer’s ID. If you asked by an alias, the customer that it belongs to.'),
        name: z.string().nullable().describe('As saved, or as in Stripe; null without one.'),
        email: z.string().nullable().describe('As saved, or as in Stripe; null without one.'),
        userId: z
          .string()
          .nullable()
          .describe(
            'Your own user ID, an alias of the customer: as saved, or from the metadata of the Stripe customer; null without one.',
          ),
        createdAt: instantSchema
          .nullable()
          .describe(
            'When it was created by API in this environment, in epoch milliseconds; null if it was not.',
          ),
      })
      .describe('Who it is.'),
    /** Newest first. */
    grants: z
      .array(
        z.object({
          plan: z.string().describe('The plan’s slug.'),
          ...entry,
          createdAt: instantSchema.describe('When it was granted.'),
          isActive: z
            .boolean()
            .describe(
              'Whether it gives the plan now. False once it has ended, if the deployed version lacks the plan, for an add-on without another plan, and if a workflow replaces the customer’s plans.',
            ),
        }),
      )
      .describe('Granted plans that apply to this environment, including expired ones.'),
    overrides: z
      .array(
        z.object({
          feature: z.string().describe('The feature’s slug.'),
          property: z.string().describe('The property’s key.'),
          value: z.unknown().describe('The value that takes precedence over the plans.'),
          ...entry,
        }),
      )
      .describe('Overrides that apply to this environment, including expired ones.'),
    subscriptions: z
      .array(subscriptionStateSchema)
      .describe('The customer’s subscriptions, as last read from Stripe.'),
    access: accessCheckAnswerSchema.describe('What an access check answers for the customer now.'),
  })
  .describe('A customer in the key’s environment.');
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

/** Of one page. */
export const BALANCES_PER_PAGE = 100;

const listBalancesSchema = z.strictObject({
  feature: slugSchema.optional().describe('The feature’s slug; all without it.'),
  property: propertyKeySchema.optional().describe('The property’s key; all without it.'),
  ended: z
    .literal('1')
    .optional()
    .describe(
      '1: with those that are used up or have ended. Without it: those that can still be drawn from.',
    ),
  cursor: z.string().max(100).optional().describe('nextCursor of the page before.'),
});

export const balancesAnswerSchema = z
  .object({
    ...answered,
    balances: z.array(balanceSchema).describe('Newest first, at most 100.'),
    nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
  })
  .describe('The balances of a customer.');
export type BalancesAnswer = z.infer<typeof balancesAnswerSchema>;

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
  listBalances: keyed.get(`${one}/balances`, {
    ...reading,
    summary: 'List a customer’s balances',
    query: listBalancesSchema,
    answer: balancesAnswerSchema,
  }),
  listEntities: keyed.get(`${one}/entities`, {
    ...reading,
    summary: 'List a customer’s entities',
    query: listEntitiesSchema,
    answer: entitiesAnswerSchema,
  }),
  deleteEntity: keyed.remove(`${one}/entities/:entity`, {
    ...changing,
    summary: 'Delete one of a customer’s entities',
  }),
  readLedger: keyed.get(`${one}/ledger`, {
    managingKeyOnly: 'Reading a ledger requires a secret key with the permission to manage customers',
    limits: CALL_LIMITS,
    recordedAs: null,
    summary: 'Read a customer’s ledger of a meter',
    query: ledgerQuerySchema,
    answer: ledgerAnswerSchema,
  }),
  setBalance: keyed.put(`${one}/balances/:balance`, {
    ...changing,
    summary: 'Give a balance, or change one',
    body: setBalanceSchema,
  }),
  takeBack: keyed.post(`${one}/balances/:balance/take-back`, {
    ...changing,
    summary: 'Take back what is not used of a balance',
    body: takeBackSchema,
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
