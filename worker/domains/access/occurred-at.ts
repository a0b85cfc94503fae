/** When counted usage occurred. Clients that could not reach the API report it late, with the time at which it happened. */
import { DAY_MS } from '#engine/durations';
import { invalidField } from '#worker/http/api-error';

/** Clocks differ: what is this far ahead still counts. */
const AHEAD_MS = 30_000;

/**
 * @param sent of the request, RFC 3339
 * @param path of the field
 * @param now epoch milliseconds
 * @returns epoch milliseconds; undefined if it is not sent: the usage occurred now
 * @throws {ApiError} invalid-request
 */
export function occurredAtOf(sent: string | undefined, path: string, now: number): number | undefined {
  if (sent === undefined) return undefined;
  const at = Date.parse(sent);
  if (!(at >= now - DAY_MS)) throw invalidField(path, 'Must be at most 24 hours ago');
  if (at > now + AHEAD_MS) throw invalidField(path, 'Must be at most 30 seconds ahead');
  return at;
}
