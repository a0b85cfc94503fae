/** The subject of a call, and the warnings of a response. */
import { z } from 'zod';
import {
  IDENTIFIER_PROBLEMS,
  type IdentifierProblem,
  MAX_IDENTIFIER,
  problemOfOpaque,
  readIdentifier,
} from './identifiers.ts';
import type { WarningCode } from './warnings.ts';

/** @param problemOf why a text is refused; null if it is not */
const checkedText = (problemOf: (text: string) => IdentifierProblem | null) =>
  z
    .string()
    .min(1, IDENTIFIER_PROBLEMS.empty)
    .max(MAX_IDENTIFIER, IDENTIFIER_PROBLEMS['too-long'])
    .superRefine((text, context) => {
      if (text.length === 0 || text.length > MAX_IDENTIFIER) return;
      const problem = problemOf(text);
      if (problem !== null) context.addIssue({ code: 'custom', message: IDENTIFIER_PROBLEMS[problem] });
    });

/** A customer's identifier. */
export const identifierSchema = checkedText((text) => {
  const read = readIdentifier(text);
  return read.ok ? null : read.reason;
});
/** An id of a resource, or an idempotency key: compared as sent. */
export const opaqueSchema = checkedText(problemOfOpaque);

/** `code` is for programs and never changes its meaning; `message` is for people. */
export const warningSchema = z
  .object({
    code: z.string().describe('Machine-readable. New codes may be added.'),
    message: z.string().describe('Human-readable. The wording may change.'),
  })
  .describe('Something you should know about a successful response.');
/** As the Worker returns it, with a code from warnings.ts. */
export type Warning = z.infer<typeof warningSchema> & { readonly code: WarningCode };
