/**
 * The errors of the Worker's handlers, beside those that the engine knows. What calls of the public API may meet is a Refusal; the others,
 * which have no code, are the console's.
 */

import type { Issue } from '#contracts/public/errors';
import { ApiError, Refusal } from '#engine/access/api-error';

export { ApiError, conflicting, invalidField, invalidRequest, Refusal } from '#engine/access/api-error';

/** The body ended too early: its caller hung up. Nobody's error, so it is not recorded, and usually nobody reads the answer. */
export class CallerGone extends Refusal<'invalid-request'> {
  constructor() {
    super('invalid-request', 'body-incomplete', 'The connection closed before the body was complete');
  }
}

/** For what does not exist and for what belongs to another organisation, which callers cannot tell apart. */
export function notFound(what: string): ApiError {
  return new ApiError('not-found', `${what} could not be found`);
}

/** A value that must be unique exists already. */
export function duplicate(path: string, message: string): ApiError {
  return new ApiError('conflict', message, { issues: [{ path, message }] });
}

/** Somebody else changed it since it was read. @param current its state now @param changedBy the user's id, if known */
export function changedMeanwhile(what: string, current: unknown, changedBy?: string): ApiError {
  return new ApiError('conflict', `${what} was changed by someone else in the meantime`, {
    current,
    changedBy,
  });
}

/** Too many attempts. @param waitS seconds until the next one may be made @param issues the field, where a field causes it */
export function rateLimited(message: string, waitS: number, issues?: readonly Issue[]): ApiError {
  return new ApiError('rate-limited', message, {
    ...(issues && { issues }),
    ...retryAfter(waitS),
  });
}

/** Detail of an error: when to try again. */
export function retryAfter(waitS: number) {
  return { headers: { 'retry-after': String(waitS) } } as const;
}
