/** The header Idempotency-Key means the same as the field (DESIGN section 10). */
import { idempotencyKeySchema } from '#contracts/metering';
import { invalidField } from '#worker/http/api-error';

/**
 * @param field what the body says
 * @param path of that field
 * @throws {ApiError} invalid-request where header and field differ, or the header is no key
 */
export function keyOfHeader(
  request: Pick<Request, 'headers'>,
  field: string | undefined,
  path: string,
): string | undefined {
  const header = request.headers.get('idempotency-key');
  if (header === null) return field;
  if (field !== undefined && field !== header)
    throw invalidField(path, 'Differs from the header Idempotency-Key');
  const read = idempotencyKeySchema.safeParse(header);
  if (!read.success) throw invalidField('Idempotency-Key', read.error.issues[0]?.message ?? 'Invalid input');
  return header;
}
