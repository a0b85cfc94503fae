/**
 * Holds: amounts of a meter that are taken before they are used, as for a call of a model whose length nobody knows yet. A hold counts
 * against the limit at once, and is settled with what was used. See docs/holds.md.
 */
import { z } from 'zod';
import { drawSchema } from './balance-lines.ts';
import { balanceAmountSchema } from './balances.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { answered } from './errors.ts';
import { IDEMPOTENCY, WARNINGS_FIELD } from './field-sentences.ts';
import { formatLimit } from './format-limit.ts';
import {
  COSTS,
  countedCostSchema,
  countedSubject,
  MAX_BY,
  meterAnswerSchema,
  meterFields,
  refuseUnlessOneSubject,
} from './metering.ts';
import { opaqueSchema, warningSchema } from './subjects.ts';
import { instantSchema } from './text.ts';
import { verdictFields } from './verdict.ts';

/** How long a hold lasts, unless the call says otherwise, and at most. */
export const HOLD_MS = 120_000;
export const MAX_HOLD_MS = 3_600_000;

const lastsMs = z
  .int({ error: 'Must be a whole number', abort: true })
  .min(1_000, 'Must be at least 1,000')
  .max(MAX_HOLD_MS, `Must be at most ${formatLimit(MAX_HOLD_MS)}, which is an hour`)
  .optional();
/** What was used, or is to be added: 0 is allowed. */
const usedSchema = z
  .int('Must be a whole number')
  .min(0, 'Must be at least 0')
  .max(MAX_BY, `Must be at most ${formatLimit(MAX_BY)}`);

export const holdRequestSchema = z
  .strictObject({
    ...countedSubject,
    ...meterFields,
    amount: balanceAmountSchema.describe('How much to hold, in the unit that the meter counts.'),
    orLess: z
      .boolean()
      .optional()
      .describe(
        'Holds what is left, at least 1, if that is less than the amount. hold.amount says how much.',
      ),
    lastsMs: lastsMs.describe(
      'How long it lasts without another call, in milliseconds: at least 1,000, at most 3,600,000. Defaults to 120,000, which is two minutes.',
    ),
    idempotencyKey: opaqueSchema.optional().describe(IDEMPOTENCY),
  })
  .superRefine((body, context) =>
    refuseUnlessOneSubject(body, (path, message) =>
      context.addIssue({ code: 'custom', path: [path], message }),
    ),
  )
  .describe('An amount of a meter to hold for a customer.');
export type HoldRequest = z.infer<typeof holdRequestSchema>;

export const extendHoldSchema = z
  .strictObject({
    amount: usedSchema.optional().describe('How much to hold in addition. Defaults to 0.'),
    lastsMs: lastsMs.describe(
      'How long it lasts from now, in milliseconds, if that is longer than it would. Defaults to 120,000.',
    ),
    idempotencyKey: opaqueSchema
      .optional()
      .describe(
        'Makes retries safe: an extension of this hold with the same key adds nothing more. With another amount or lastsMs it is a conflict.',
      ),
  })
  .describe('More of the same meter to hold, and for how long.');
export type ExtendHold = z.infer<typeof extendHoldSchema>;

export const onExcessSchema = z.enum(['reject', 'cap', 'overflow']);

export const settleHoldSchema = z
  .strictObject({
    amount: usedSchema.describe('How much was used. 0 releases all of it.'),
    onExcess: onExcessSchema
      .optional()
      .describe(
        'If more was used than is held. overflow, the default: all of it counts, also beyond the limit. cap: only the hold counts. reject: accepted is false, and the hold stays as it was.',
      ),
  })
  .describe('What was used of a hold.');
export type SettleHold = z.infer<typeof settleHoldSchema>;

export const holdSchema = z
  .object({
    id: z.string().describe('ID of the hold, for the calls that extend and settle it.'),
    amount: z.int().describe('How much is or was held in all.'),
    expiresAt: instantSchema.describe('When it ends by itself, unless it is settled or extended.'),
  })
  .describe('The hold.');

const draws = z
  .array(drawSchema)
  .optional()
  .describe('What is taken from each of the customer’s balances. The rest is on the quota of the plans.');
const replayed = z
  .boolean()
  .describe(
    'True if the same call was made before. This repeats its response, and nothing more was counted.',
  );
const after = {
  draws,
  ...verdictFields,
  allowed: z
    .boolean()
    .describe(
      'Whether plans and overrides allow this usage: the feature is enabled, and the amount was accepted within the limit.',
    ),
  meter: meterAnswerSchema.describe('The meter after the call.'),
  costs: countedCostSchema.optional().describe(COSTS),
  warnings: z.array(warningSchema).describe(WARNINGS_FIELD),
};

export const holdAnswerSchema = z
  .object({
    ...answered,
    accepted: z
      .boolean()
      .describe('False if the amount did not fit the limit, or the property is off. Nothing is held then.'),
    replayed,
    hold: holdSchema.nullable().describe('The hold; null if it was not accepted.'),
    ...after,
  })
  .describe('Whether the amount is held, and the meter after it.');
export type HoldAnswer = z.infer<typeof holdAnswerSchema>;

export const extendHoldAnswerSchema = z
  .object({
    ...answered,
    accepted: z.boolean().describe('False if the amount did not fit the limit: the hold stays as it was.'),
    replayed,
    hold: holdSchema.describe('The hold after the call.'),
    ...after,
  })
  .describe('Whether the hold was extended, and the meter after it.');
export type ExtendHoldAnswer = z.infer<typeof extendHoldAnswerSchema>;

export const settleHoldAnswerSchema = z
  .object({
    ...answered,
    accepted: z.boolean().describe('False with onExcess reject if more was used than is held.'),
    replayed,
    applied: z.int().describe('How much counts as used.'),
    released: z.int().describe('How much of the hold was not used.'),
    overage: z.int().describe('How much of it counts beyond the limit and all balances.'),
    hold: holdSchema.describe('The hold after the call.'),
    ...after,
  })
  .describe('What counts as used, and the meter after it.');
export type SettleHoldAnswer = z.infer<typeof settleHoldAnswerSchema>;

const holding = {
  secretKeyOnly: 'Holding usage requires a secret key',
  recordedAs: 'cu',
  isHold: true,
} as const;
const one = '/api/v1/holds/:hold';

export const holdEndpoints = {
  open: keyed.post('/api/v1/holds', {
    ...holding,
    summary: 'Hold an amount before it is used',
    body: holdRequestSchema,
    answer: holdAnswerSchema,
    limits: CALL_LIMITS,
  }),
  extend: keyed.post(`${one}/extend`, {
    ...holding,
    summary: 'Hold more, or for longer',
    body: extendHoldSchema,
    answer: extendHoldAnswerSchema,
    limits: CALL_LIMITS,
  }),
  settle: keyed.post(`${one}/settle`, {
    ...holding,
    summary: 'Say what was used of a hold',
    body: settleHoldSchema,
    answer: settleHoldAnswerSchema,
    limits: CALL_LIMITS,
  }),
} as const;
