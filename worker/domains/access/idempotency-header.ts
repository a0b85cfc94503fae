/** The header Idempotency-Key and the body's field idempotencyKey mean the same; a request may send either. */
import { idempotencyKeySchema } from '#contracts/public/metering';
import { invalidField } from '#worker/http/api-error';

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
  const read = idempotencyKeySchema.safeParse(header);
  if (!read.success) throw invalidField('Idempotency-Key', read.error.issues[0]?.message ?? 'Invalid input');
  return header;
}
