/**
 * The headers of the public API's answers. What is equal on many answers is one Headers object, which the runtime copies without
 * reading it again; that halves the cost of a response's headers.
 */
import { TIME_HEADER } from '#contracts/public/time-header';
import { CORS, NO_STORE } from '#engine/access/answer-headers';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { CallAllowance } from './limit-calls.ts';
import type { PublicAnswer } from './public-call.ts';

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
  headers.append(TIME_HEADER, String(Date.now()));
  headers.append('ratelimit-remaining', String(remaining));
  headers.append('ratelimit-reset', String(resetsInS));
  headers.append('server-timing', timing);
  return response;
}

/** The same answer with what few have: another status than 200, an entity tag, and a time to wait. */
export function withTag(
  answer: Response,
  { status, etag, retryAfterS }: Pick<PublicAnswer, 'status' | 'etag' | 'retryAfterS'>,
): Response {
  if (retryAfterS !== undefined) answer.headers.set('retry-after', String(retryAfterS));
  if (etag !== undefined) answer.headers.set('etag', etag);
  if (status === undefined) return answer;
  return new Response(status === 304 ? null : answer.body, { status, headers: answer.headers });
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
