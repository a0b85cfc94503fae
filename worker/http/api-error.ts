/** The errors of the Worker's handlers, beside those that the engine knows. http/respond.ts turns them into the public body. */

import type { Issue } from '#contracts/public/errors';
import { ApiError } from '#engine/access/api-error';

export {
  ApiError,
  duplicate,
  invalidField,
  invalidRequest,
  notFound,
} from '#engine/access/api-error';

/** The body ended too early: its caller hung up. Nobody's error, so it is not recorded, and usually nobody reads the answer. */
export class CallerGone extends ApiError {
  constructor() {
    super('invalid-request', 'The connection closed before the body was complete');
  }
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
    headers: { 'retry-after': String(waitS) },
  });
}
