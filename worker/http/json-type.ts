/** Refuses bodies that are sent as anything but JSON. */
import { ApiError } from './api-error.ts';

const JSON_TYPE = 'application/json';
/** Content types are short; a longer one is cut in the message. */
const MAX_TYPE = 100;

/**
 * @param isRequired whether a body without a Content-Type is refused, too
 * @throws {ApiError} unsupported-media-type, naming the type
 */
export function ensureJsonType(request: Request, isRequired: boolean): void {
  const { headers } = request;
  const header = headers.get('content-type');
  if (header === JSON_TYPE || (header === null && !isRequired)) return;
  // The runtime makes a stream of the body when it is first read, so it is read last.
  if (request.body === null || headers.get('content-length') === '0') return;
  const [type = ''] = (header ?? '').split(';');
  const name = type.trim().toLowerCase();
  if (name === JSON_TYPE) return;
  const message = `Must be ${JSON_TYPE}${name === '' ? '' : `, not ${name.slice(0, MAX_TYPE)}`}`;
  throw new ApiError('unsupported-media-type', `Content-Type: ${message}`, {
    issues: [{ path: 'Content-Type', message }],
  });
}
