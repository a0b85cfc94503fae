/** The end of a grant or override is in the future, or there is none. */
import { invalidField } from '#worker/http/api-error';

/** @throws {ApiError} invalid-request naming until */
export function ensureFuture(until: number | null, now: number): void {
  if (until !== null && until <= now) throw invalidField('until', 'Must be in the future', 'until-in-past');
}
