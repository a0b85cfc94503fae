/** The header Idempotency-Key and the body's field idempotencyKey mean the same; a request may send either. */
import { IDENTIFIER_PROBLEMS, problemOfOpaque } from '#contracts/public/identifiers';
import { invalidField, Refusal } from './api-error.ts';

/**
 * @param header null if the request has none
 * @param field the idempotencyKey of the body
 * @param path the path of that field
 * @throws {ApiError} invalid-request if header and field differ, or the header is not a valid key
 */
export function keyOfHeader(
  header: string | null,
  field: string | undefined,
  path: string,
): string | undefined {
  if (header === null) return field;
  if (field !== undefined && field !== header)
    throw invalidField(path, 'Differs from the header Idempotency-Key');
  // Bytes that are not UTF-8 arrive as U+FFFD, so different keys would be one.
  const problem = header.includes('\ufffd') ? 'not-unicode' : problemOfOpaque(header);
  if (problem !== null) throw invalidField('Idempotency-Key', IDENTIFIER_PROBLEMS[problem]);
  return header;
}

/** @param path of the key */
export function keyReused(path: string): Refusal {
  return new Refusal(
    'conflict',
    'idempotency-key-reused',
    'The idempotencyKey was used for a different request of this customer',
    { issues: [{ path, message: 'Was used for a different request of this customer' }] },
  );
}
