/** The customer of a path. Any identifier is somebody: what nobody has spoken of yet is only empty. */
import { identifierSchema } from '#contracts/subjects';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { readIdentifier } from '#engine/identity/read-identifier';
import { invalidField } from '#worker/http/api-error';

/**
 * @returns canonical
 * @throws {ApiError} invalid-request naming identifier
 */
export function readCustomerIdentifier(segment: string): string {
  const text = readIdentifierSegment(segment);
  const checked = identifierSchema.safeParse(text);
  if (!checked.success) throw invalidField('identifier', checked.error.issues[0]?.message ?? 'Invalid input');
  const read = readIdentifier(text);
  if (!read.ok) throw invalidField('identifier', 'Must be at most 200 characters');
  return read.canonical;
}
