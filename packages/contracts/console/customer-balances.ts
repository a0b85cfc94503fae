/** Console API of a customer's balances. Apart from the customer's other endpoints, which the first screen loads. */
import { z } from 'zod';
import {
  balanceAmountSchema,
  balanceStateSchema,
  balanceTerms,
  costBasisSchema,
  givenCategorySchema,
} from '../public/balances.ts';
import { entryReasonSchema } from '../public/customers.ts';
import { customerReader, member } from '../public/endpoint.ts';
import { opaqueSchema } from '../public/subjects.ts';
import { givenInstantSchema, idSchema, instantSchema } from '../public/text.ts';
import { actingKeySchema } from './api-keys.ts';

export const giveBalanceSchema = z.strictObject({
  environmentId: idSchema.nullable(),
  propertyId: idSchema,
  amount: balanceAmountSchema,
  category: givenCategorySchema,
  startsAt: givenInstantSchema.optional(),
  paysOverage: z.boolean().optional(),
  entityId: opaqueSchema.optional(),
  ...balanceTerms,
  costBasis: costBasisSchema.nullable().optional(),
  reason: entryReasonSchema,
});

/** What is left out stays. */
export const balanceChangesSchema = z.strictObject({
  ...balanceTerms,
  costBasis: costBasisSchema.nullable().optional(),
  reason: entryReasonSchema.optional(),
});

/** As the person saw it: somebody else's change in the meantime is a conflict. */
const seen = { updatedAt: instantSchema };

export const changeBalanceSchema = z.strictObject({ ...seen, ...balanceChangesSchema.shape });

export const takeBackBalanceSchema = z.strictObject({
  ...seen,
  environmentId: idSchema,
  amount: balanceAmountSchema,
  reason: entryReasonSchema,
});

export const customerBalanceSchema = z.object({
  id: z.string(),
  /** The application's own id; null: none. */
  name: z.string().nullable(),
  /** What it is stored under: the customer, or an alias of it. */
  identifier: z.string(),
  /** Null applies to all environments. */
  environmentId: z.string().nullable(),
  propertyId: z.string(),
  amount: z.int(),
  takenBack: z.int(),
  /** Null: usage could not be read. */
  used: z.int().nullable(),
  /** What open holds have taken of it; absent without any. */
  held: z.int().optional(),
  remaining: z.int().nullable(),
  state: balanceStateSchema,
  category: z.enum(['paid', 'promotional', 'plan']),
  source: z.object({ kind: z.enum(['top-up', 'api', 'manual']) }),
  integrationId: z.string().nullable(),
  paymentId: z.string().nullable(),
  costBasis: costBasisSchema.nullable(),
  startsAt: instantSchema,
  /** Null: no end. */
  endsAt: instantSchema.nullable(),
  priority: z.int(),
  needsPlan: z.boolean(),
  isFrozen: z.boolean(),
  paysOverage: z.boolean(),
  /** Whose calls alone draw from it; null: the customer's own. */
  entityId: z.string().nullable(),
  reason: z.string(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  createdByUserId: z.string().nullable(),
  createdByKey: actingKeySchema.nullable(),
});
export type CustomerBalance = z.infer<typeof customerBalanceSchema>;

const one = '/api/orgs/:orgId/customers/:identifier';

export const customerBalanceEndpoints = {
  list: customerReader.get(`${one}/environments/:environmentId/balances`, {
    summary: 'Balances of a customer in an environment and what is used of them, newest first',
    reads: 'customers',
    query: z.strictObject({
      /** With those that are used up or have ended. */
      closed: z.literal('1').optional(),
    }),
    answer: z.object({ balances: z.array(customerBalanceSchema) }),
  }),
  give: member.post(`${one}/balances`, {
    summary: 'Give a customer a balance',
    changes: ['customers'],
    body: giveBalanceSchema,
    answer: z.object({ id: z.string() }),
    status: 201,
  }),
  change: member.put(`${one}/balances/:balanceId`, {
    summary: 'Change how a balance is drawn from',
    changes: ['customers'],
    body: changeBalanceSchema,
  }),
  takeBack: member.post(`${one}/balances/:balanceId/take-back`, {
    summary: 'Take back what is not used of a balance',
    changes: ['customers'],
    body: takeBackBalanceSchema,
    answer: z.object({
      /** At most what was not used. */
      applied: z.int(),
    }),
  }),
} as const;
