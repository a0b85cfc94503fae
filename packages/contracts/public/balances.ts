/**
 * Balances: amounts of a meter that a customer has beside the quota of its plans, as bought or given. What is used is taken from quota and
 * balances in one order, when it is counted. See docs/balances.md.
 */
import { z } from 'zod';
import { METERED_PROPERTY, WHY } from './field-sentences.ts';
import { formatLimit } from './format-limit.ts';
import { MAX_BY } from './metering.ts';
import { opaqueSchema } from './subjects.ts';
import { givenInstantSchema, instantSchema, propertyKeySchema, slugSchema } from './text.ts';

/** Of one customer: that are neither used up nor ended, and in all. */
export const MAX_OPEN_BALANCES = 200;
export const MAX_BALANCES = 2_000;
export const MAX_PRIORITY = 100;

/** Begins the ids of balances that have no id of the application's own. */
export const BALANCE_PREFIX = 'bal_';

/** What a person or a key gives. `plan` is for what follows from a plan. */
export const givenCategorySchema = z.enum(['paid', 'promotional']);

export const balanceAmountSchema = z
  .int('Must be a whole number')
  .min(1, 'Must be at least 1')
  .max(MAX_BY, `Must be at most ${formatLimit(MAX_BY)}`);

export const prioritySchema = z
  .int('Must be a whole number')
  .min(0, 'Must be at least 0')
  .max(MAX_PRIORITY, `Must be at most ${MAX_PRIORITY}`);

const COST_BASIS = 'What was paid for it, for your accounts; null: unknown, or nothing. It decides nothing.';

export const costBasisSchema = z.strictObject({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, 'Must be three lower-case letters, such as usd')
    .describe('ISO 4217, in lower case.'),
  amountMinor: z
    .int('Must be a whole number')
    .min(0, 'Must be greater than or equal to 0')
    .describe('In the currency’s smallest unit, such as cents.'),
});

/** An application's own id of a balance. */
export const balanceNameSchema = opaqueSchema.refine(
  (text) => !text.startsWith(BALANCE_PREFIX),
  `Must not begin with ${BALANCE_PREFIX}, as the IDs of balances without your own ID do`,
);

/** How a balance is drawn from: what can be changed later. */
export const balanceTerms = {
  endsAt: givenInstantSchema
    .nullable()
    .optional()
    .describe(
      'When what is left is lost, in epoch milliseconds. null: never, as for a new balance without it.',
    ),
  priority: prioritySchema
    .optional()
    .describe(
      'What is drawn from first: 0 before 100. The quota of the customer’s plans has 40, a new balance 50.',
    ),
  needsPlan: z
    .boolean()
    .optional()
    .describe(
      'Whether it counts only while the customer has a plan that sets the property, except one that everyone has. A new balance: false.',
    ),
  frozen: z.boolean().optional().describe('Whether nothing is drawn from it for now. A new balance: false.'),
};

const feature = slugSchema.describe('The feature’s slug.');
const property = propertyKeySchema.describe(METERED_PROPERTY);

const PAYS_OVERAGE =
  'Whether it pays what the customer has used above its quota and balances when it is given: as far as it lasts, once, a moment after the call. It never changes, and such a balance begins at once. A new balance: false.';

const ENTITYS =
  'One of the customer’s entities, such as a member of a team: only calls that name it draw from the balance, beside the customer’s quota and its own limit. It never changes. Without it: the customer’s own.';

export const givenBalance = {
  feature,
  property,
  amount: balanceAmountSchema.describe(
    'How much, in the unit that the meter counts. It never changes: take back what is too much, and add another balance for more.',
  ),
  category: givenCategorySchema.describe('Of two that end together, promotional is drawn before paid.'),
  startsAt: givenInstantSchema
    .optional()
    .describe('Since when it can be drawn from, in epoch milliseconds. Without it: now.'),
  paysOverage: z.boolean().optional().describe(PAYS_OVERAGE),
  entityId: opaqueSchema.optional().describe(ENTITYS),
  ...balanceTerms,
  costBasis: costBasisSchema.nullable().optional().describe(COST_BASIS),
};

export const takenBack = {
  amount: balanceAmountSchema.describe(
    'How much to take back. What is used or held stays, so it can be less.',
  ),
};

export const balanceStateSchema = z
  .enum(['scheduled', 'active', 'needs-plan', 'frozen', 'used-up', 'ended'])
  .describe(
    'active: it can be drawn from. scheduled: it has not started. needs-plan: the customer lacks the plan that it needs. frozen: nothing is drawn from it for now. used-up: nothing is left. ended: what was left is lost.',
  );
export type BalanceState = z.infer<typeof balanceStateSchema>;

export const balanceSchema = z
  .object({
    id: z.string().describe('Your own ID of it, or bal_… for one without.'),
    feature,
    property,
    entityId: z
      .string()
      .optional()
      .describe('Whose calls alone draw from it. Absent: the customer’s own balance.'),
    amount: z.int().describe('As given.'),
    takenBack: z.int().describe('How much of it was taken back.'),
    used: z.int().nullable().describe('How much of it is used; null if usage could not be read.'),
    held: z.int().optional().describe('What open holds have taken of it beside that. Absent without any.'),
    remaining: z
      .int()
      .nullable()
      .describe('What is left, whether or not it can be drawn from now; null if usage could not be read.'),
    state: balanceStateSchema,
    category: z.enum(['paid', 'promotional', 'plan']).describe('Where it stands in the order of drawing.'),
    source: z
      .object({
        kind: z
          .enum(['api', 'manual', 'top-up'])
          .describe('api: by a call. manual: by a person. top-up: paid in Stripe.'),
        integrationId: z.string().optional().describe('Of a top-up: the Stripe integration.'),
        paymentId: z.string().optional().describe('Of a top-up: the payment or invoice in Stripe.'),
      })
      .describe('Where it comes from.'),
    startsAt: instantSchema.describe('Since when it can be drawn from.'),
    endsAt: instantSchema.nullable().describe('When what is left is lost; null: never.'),
    priority: z.int().describe('0 is drawn from first, 100 last.'),
    needsPlan: z.boolean().describe('Whether it counts only while the customer has a plan.'),
    frozen: z.boolean().describe('Whether nothing is drawn from it for now.'),
    paysOverage: z.boolean().describe('Whether it paid the overage of when it was given.'),
    costBasis: costBasisSchema.nullable().describe(COST_BASIS),
    reason: z.string().describe(WHY),
    createdAt: instantSchema.describe('When it was given.'),
  })
  .describe('An amount of a meter that a customer has beside the quota of its plans.');
export type Balance = z.infer<typeof balanceSchema>;
