/** When counted usage occurred. Clients that could not reach the API report it late, with the time at which it happened, or how long ago. */
import { DAY_MS } from '../durations.ts';
import { invalidField } from './api-error.ts';

/** Clocks differ: what is this far ahead still counts. */
const AHEAD_MS = 30_000;

interface Times {
  /** RFC 3339. */
  readonly occurredAt?: string | undefined;
  /** Within a day. */
  readonly ageMs?: number | undefined;
}

/**
 * @param sent of the request: one of the two at most
 * @param path of what contains it, empty or with a dot at its end
 * @param now epoch milliseconds
 * @returns epoch milliseconds; undefined if neither is sent: the usage occurred now
 * @throws {ApiError} invalid-request
 */
export function occurredAtOf({ occurredAt, ageMs }: Times, path: string, now: number): number | undefined {
  if (ageMs !== undefined) return now - ageMs;
  if (occurredAt === undefined) return undefined;
  const at = Date.parse(occurredAt);
  if (!(at >= now - DAY_MS))
    throw invalidField(`${path}occurredAt`, 'Must be at most 24 hours ago', 'occurred-too-long-ago');
  if (at > now + AHEAD_MS)
    throw invalidField(`${path}occurredAt`, 'Must be at most 30 seconds ahead', 'occurred-in-future');
  return at;
}
