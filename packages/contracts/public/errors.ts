/** Error codes with their HTTP status, and the body of an error response. */
import { z } from 'zod';

export const HTTP_STATUS = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  'usage-blocked': 429,
  'server-error': 500,
  unavailable: 503,
} as const;

export type ErrorType = keyof typeof HTTP_STATUS;

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
  message: z.string(),
  issues: z.array(issueSchema).optional(),
});
export type PublicError = z.infer<typeof publicErrorSchema>;
