/** How far usage may exceed a limit. Shapes only: engine/values/kinds/overage.ts checks the same for forms. */
import { z } from 'zod';

export const overageSchema = z
  .union(
    [
      z.enum(['none', 'allow']),
      z.strictObject({
        upTo: z
          .int('Must be a whole number')
          .min(1, 'Must be greater than or equal to 1')
          .describe('The most that is allowed above the limit and all balances, per period.'),
      }),
    ],
    'Must be none, allow or upTo',
  )
  .describe(
    'Whether checks, enforced updates and holds allow usage above the limit and all balances. none: they do not, as by default. allow: any amount.',
  );

/** Absent where it is none. */
export type Overage = 'allow' | { readonly upTo: number };
