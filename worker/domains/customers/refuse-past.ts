/** What is said of a customer ends in the future, or never. */
import { invalidField } from '#worker/http/api-error';

/** @throws {ApiError} invalid-request naming until */
export function refusePast(until: number | null, now: number): void {
  if (until !== null && until <= now) throw invalidField('until', 'Must be in the future');
}
