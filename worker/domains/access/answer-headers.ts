/**
 * The headers of the public API's answers. What is equal on many answers is one Headers object, which the runtime copies without
 * reading it again; that halves the cost of a response's headers.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { CallAllowance } from './limit-calls.ts';

/** On every response: answers belong to one caller, and are JSON. */
export const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, server-timing, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
} as const;

/** Organisations choose their limits, so there are few of them in one isolate. */
const MAX_LIMITS = 1_000;
/** By limit; negative for browsers. */
const shared = new BoundedCache<number, { readonly headers: Headers }>(MAX_LIMITS);

/**
 * @param isBrowser only browsers need the headers of CORS
 * @param timing the value of Server-Timing
 */
export function jsonAnswer(
  text: string,
  requestId: string,
  { limit, remaining, resetsInS }: CallAllowance,
  isBrowser: boolean,
  timing: string,
): Response {
  const response = new Response(text, sharedInit(limit, isBrowser));
  const { headers } = response;
  headers.append('x-request-id', requestId);
  headers.append('ratelimit-remaining', String(remaining));
  headers.append('ratelimit-reset', String(resetsInS));
  headers.append('server-timing', timing);
  return response;
}

function sharedInit(limit: number, isBrowser: boolean): { readonly headers: Headers } {
  const key = isBrowser ? -limit : limit;
  let init = shared.get(key);
  if (init === undefined) {
    const type = { 'content-type': 'application/json', 'ratelimit-limit': String(limit) };
    init = { headers: new Headers({ ...NO_STORE, ...type, ...(isBrowser && CORS) }) };
    shared.set(key, init);
  }
  return init;
}
