/** What happens to what is left of a limit when its period ends. Shapes only: engine/values/kinds/rollover.ts checks the same for forms. */
import { z } from 'zod';

export const MAX_ROLLOVER_MONTHS = 12;
export const MAX_ROLLOVER_TIMES = 12;
export const MAX_ROLLOVER_SHARE = 100;

const WHOLE = 'Must be a whole number';
const count = (most: number) =>
  z
    .int(WHOLE)
    .min(1, 'Must be greater than or equal to 1')
    .max(most, `Must be less than or equal to ${most}`);

export const rolloverSchema = z
  .strictObject({
    max: z
      .union(
        [z.int(WHOLE).min(1, 'Must be greater than or equal to 1'), z.literal('all')],
        'Must be a number or all',
      )
      .describe('The most that rolls over at the end of a period.'),
    share: count(MAX_ROLLOVER_SHARE)
      .optional()
      .describe('Percent of what is left that rolls over, rounded down. Absent: 100.'),
    lasts: z
      .union(
        [
          z.strictObject({ months: count(MAX_ROLLOVER_MONTHS).describe('At most 12.') }),
          z.literal('forever'),
        ],
        'Must be a number of months or forever',
      )
      .describe('How long it can be used after the period.'),
    times: count(MAX_ROLLOVER_TIMES)
      .optional()
      .describe('How often what is left of it then rolls over: the first time counts. Absent: 1.'),
  })
  .superRefine(({ lasts, times = 1 }, context) => {
    if (lasts !== 'forever' || times === 1) return;
    context.addIssue({ code: 'custom', path: ['times'], message: 'What never ends rolls over once' });
  })
  .transform(
    ({ share = 100, times = 1, ...rollover }): Rollover => ({
      ...rollover,
      ...(share !== 100 && { share }),
      ...(times !== 1 && { times }),
    }),
  );

export interface Rollover {
  readonly max: number | 'all';
  /** Percent. Absent: 100. */
  readonly share?: number | undefined;
  readonly lasts: { readonly months: number } | 'forever';
  /** Absent: 1. */
  readonly times?: number | undefined;
}
