/** The subject of a call, and the warnings of a response. */
import { z } from 'zod';
import type { WarningCode } from './warnings.ts';

export const MAX_IDENTIFIER = 200;

export const identifierSchema = z
  .string()
  .min(1, 'Must not be empty')
  .max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`)
  .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters')
  .refine((text) => !/\p{Surrogate}/u.test(text), 'Contains invalid Unicode');

/** `code` is for programs and never changes its meaning; `message` is for people. */
export const warningSchema = z.object({ code: z.string(), message: z.string() });
/** As the Worker returns it, with a code from warnings.ts. */
export type Warning = z.infer<typeof warningSchema> & { readonly code: WarningCode };
