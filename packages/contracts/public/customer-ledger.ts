/** A customer's ledger of a meter: what was given, used, held, taken back and lost, for accounts and audits. See docs/balances.md. */
import { z } from 'zod';
import { drawSchema } from './balance-lines.ts';
import { costBasisSchema } from './balances.ts';
import { answered } from './errors.ts';
import { METERED_PROPERTY, WHY } from './field-sentences.ts';
import { instantSchema, propertyKeySchema, slugSchema } from './text.ts';

/** Of one page: about as many, since what happened in one millisecond is on one. */
export const LEDGER_LINES_PER_PAGE = 100;

export const ledgerQuerySchema = z.strictObject({
  feature: slugSchema.describe('The feature’s slug.'),
  property: propertyKeySchema.describe(METERED_PROPERTY),
  cursor: z.string().max(40).optional().describe('nextCursor of the page before.'),
});

const of = (what: string) => `Of ${what}. Absent otherwise.`;

export const ledgerLineSchema = z
  .object({
    at: instantSchema.describe('When it was recorded; of ended, when the balance ended.'),
    kind: z
      .enum([
        'given',
        'used',
        'returned',
        'held',
        'settled',
        'corrected',
        'taken-back',
        'paid-overage',
        'ended',
      ])
      .describe(
        'given: a balance. used, returned: usage was counted, or given back. held: a hold was made or extended; what nobody settles is free again at expiresAt. settled: what was used of a hold. corrected: usage was adjusted. taken-back: of a balance. paid-overage: what a balance paid of the usage above quota and balances. ended: what a balance lost at its end. Further values may be added.',
      ),
    amount: z
      .int()
      .nullable()
      .describe(
        'How much, in the unit that the meter counts: positive, but of corrected as it was applied. null: of ended, if usage could not be read.',
      ),
    balance: z
      .string()
      .optional()
      .describe(of('given, taken-back, paid-overage and ended: the balance’s ID')),
    draws: z
      .array(drawSchema)
      .optional()
      .describe(
        'What of it was taken from balances, or given back to them. The rest is on the quota of the plans. Of settled: all that was used of the hold.',
      ),
    hold: z.string().optional().describe(of('held and settled: the hold’s ID')),
    released: z.int().optional().describe(of('settled: what was held and not used')),
    expiresAt: instantSchema.optional().describe(of('held: when the hold ends by itself')),
    endsAt: instantSchema.nullable().optional().describe(of('given: when the balance ends now; null: never')),
    costBasis: costBasisSchema.nullable().optional().describe(of('given: what was paid for it, if known')),
    reason: z
      .string()
      .optional()
      .describe(`${WHY} ${of('given, corrected and taken-back')}`),
  })
  .describe('Something that changed what a customer has of a meter.');
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

export const ledgerAnswerSchema = z
  .object({
    ...answered,
    lines: z
      .array(ledgerLineSchema)
      .describe('Newest first, about 100. A page can be empty although there is a next one.'),
    usageFrom: instantSchema
      .nullable()
      .describe(
        'About since when used, returned, held and settled are listed: earlier calls are archived. null: all of them still are.',
      ),
    nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
  })
  .describe('A customer’s ledger of a meter.');
export type LedgerAnswer = z.infer<typeof ledgerAnswerSchema>;
