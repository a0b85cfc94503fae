/** The body of an error response. */
import { z } from 'zod';
import { type ErrorType, HTTP_STATUS } from './error-types.ts';
import type { RefusalCode } from './refusals.ts';

/** `path` names the field, with dots for nested ones; empty for the request as a whole. */
export const issueSchema = z.object({ path: z.string(), message: z.string() });
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

/** The body of an error response of the public API. */
export const publicErrorSchema = z.object({
  status: z.literal('error'),
  requestId: z.string(),
  errorType: z.enum(Object.keys(HTTP_STATUS) as [ErrorType, ...ErrorType[]]),
  /** For programs: a code of refusals.ts. Tells apart what has the same type, and never changes its meaning. */
  code: z.string(),
  message: z.string(),
  issues: z.array(issueSchema).optional(),
});
/** As the Worker returns it. */
export type PublicError = z.infer<typeof publicErrorSchema> & { readonly code: RefusalCode };
