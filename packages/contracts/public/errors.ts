/** The body of an error response. */
import { z } from 'zod';
import { type ErrorType, HTTP_STATUS } from './error-types.ts';
import { REFUSAL_CODE, REQUEST_ID } from './field-sentences.ts';
import type { RefusalCode } from './refusals.ts';

export const issueSchema = z
  .object({
    path: z.string().describe('Path of the field, with dots for nested fields; empty for the whole request.'),
    message: z.string().describe('What is wrong with it.'),
  })
  .describe('One invalid field.');
export type Issue = z.infer<typeof issueSchema>;

export const errorBodySchema = z.object({
  errorType: z.enum(Object.keys(HTTP_STATUS) as [ErrorType, ...ErrorType[]]),
  message: z.string(),
  issues: z.array(issueSchema).optional(),
  requestId: z.string().optional(),
  /** With `conflict` on an edit of something that changed in the meantime: its current state. */
  current: z.unknown().optional(),
  /** Beside `current`: the id of the user who changed it last, if a member of the organisation did. */
  changedBy: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** Of every successful answer. */
export const answered = {
  status: z.literal('success').describe('Always success.'),
  requestId: z.string().describe(REQUEST_ID),
};

/** The body of an error response of the public API. */
export const publicErrorSchema = z
  .object({
    status: z.literal('error').describe('Always error.'),
    requestId: z.string().describe(REQUEST_ID),
    errorType: z
      .enum(Object.keys(HTTP_STATUS) as [ErrorType, ...ErrorType[]])
      .describe('Machine-readable. Each type has one HTTP status.'),
    /** A code of refusals.ts. */
    code: z.string().describe(REFUSAL_CODE),
    message: z.string().describe('Human-readable. The wording may change.'),
    issues: z.array(issueSchema).optional().describe('The invalid fields, if any.'),
  })
  .describe('Why a request failed.');
/** As the Worker returns it. */
export type PublicError = z.infer<typeof publicErrorSchema> & { readonly code: RefusalCode };
