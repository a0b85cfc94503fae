/** Headers of the public API's answers that depend on nothing, and those of preflights. */

/** On every response: answers belong to one caller, and are JSON. */
export const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, tessera-time, server-timing, etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
} as const;

/** @param methods of all calls: it answers any path, and browsers learn more from the call itself */
export function preflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...NO_STORE,
    ...CORS,
    'access-control-allow-methods': [...new Set(methods), 'OPTIONS'].join(', '),
    // Tracing tools add headers to every call of a page. Browsers that do not know the wildcard read the names of the usual ones, and for
    // `authorization` it never applies (https://fetch.spec.whatwg.org/#http-access-control-allow-headers).
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-none-match, x-api-key, tessera-answered, sentry-trace, baggage, traceparent, tracestate, x-request-id, *',
    'access-control-max-age': '86400',
  };
}
