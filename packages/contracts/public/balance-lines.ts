/** What a meter's usage is taken from, and what an update took from balances. */
import { z } from 'zod';
import { instantSchema } from './text.ts';

/** One source of a meter, in the order of drawing. */
export const balanceLineSchema = z
  .object({
    kind: z.enum(['quota', 'balance']).describe('quota: what the customer’s plans give in the period.'),
    id: z.string().optional().describe('Of a balance: as in the calls about balances.'),
    entityId: z.string().optional().describe('Of a balance of one of the customer’s entities: which.'),
    source: z
      .literal('rollover')
      .optional()
      .describe('rollover: what an earlier period left. No call gives or changes it.'),
    rolledFrom: instantSchema.optional().describe('With source: when that period began.'),
    amount: z.int().describe('How much there is of it, without what was taken back.'),
    used: z.int().describe('How much of it is used: of the quota in the current period, of a balance ever.'),
    held: z.int().optional().describe('What open holds have taken of it. Absent without any.'),
    remaining: z.int().describe('What is left of it.'),
    endsAt: instantSchema
      .nullable()
      .describe('When what is left is lost: the quota’s period ends; null: never.'),
  })
  .describe('What usage is taken from.');
export type BalanceLine = z.infer<typeof balanceLineSchema>;

export const drawSchema = z
  .object({
    from: z.string().describe('ID of the balance, as in the calls about balances.'),
    amount: z.int().describe('How much. Negative: given back.'),
  })
  .describe('What was taken from a balance, or given back to it.');
