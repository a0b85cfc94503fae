/** The headers that say how many calls are left. Version 1 of the public API promises these names. */
export function rateLimitHeaders(limit: number, remaining: number, resetsInS: number) {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetsInS),
  };
}

/** For a refused call: nothing is left until the reset. */
export function refusedHeaders(limit: number, resetsInS: number) {
  return { 'retry-after': String(resetsInS), ...rateLimitHeaders(limit, 0, resetsInS) };
}
