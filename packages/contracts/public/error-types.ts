/** Error codes with their HTTP status. A code never changes its meaning. */
export const HTTP_STATUS = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  'usage-blocked': 429,
  'server-error': 500,
  unavailable: 503,
} as const;

export type ErrorType = keyof typeof HTTP_STATUS;
