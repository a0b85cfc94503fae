/** The OpenAPI document's prose: the API, each call and each status, in plain paragraphs. */

export const INTRODUCTION = [
  'Check what a customer can do, and count what they use. Two calls, both POST, both JSON.',
  'Denied is a 200, not an error. So is a reached limit. Errors are for requests that fail.',
  'Responses may gain fields and warning codes. Ignore those that you do not know. Existing ones keep their name and meaning in version 1.',
].join('\n\n');

export const KEY_TEXT = [
  'Each API key belongs to one environment. Send it in the header Authorization: Bearer tsr_…',
  'Use secret keys (tsr_sec_…) on your server: they can identify any user and count usage. Public keys (tsr_pub_…) are safe in browsers and apps: they check anonymous sessions, and users with a signed token.',
  'Every key has a rate limit per minute, set in the console. The default is 600,000 for a secret key, and 600 per client (an IPv4 address or an IPv6 /64) for a public key. Calls above it return 429 rate-limited. On plans with a monthly allowance, a public key also stops at a share of it, 80% by default. The rest is reserved for secret keys.',
  'Checks of customers whom Tessera has not seen recently near the caller read its database. If an organisation has hundreds of them a second, some are answered without their subscriptions, grants and overrides, with the warning customer-facts-unknown. Nothing is refused.',
].join('\n\n');

export const OPERATION_TEXTS = {
  checkAccess: [
    'Returns the values of every feature for the subject, as set by its plans, and what is left of each meter.',
    'You can cache the response until validUntil. Checks with a recently used key are served near the caller, without a database.',
  ].join('\n\n'),
  updateCounter: [
    'Increases or decreases a customer’s usage of a meterable property and returns the meter. Requires a secret key.',
    'Usage belongs to the customer, not to the plan. When the plan changes, usage stays and counts against the new limit. Send an idempotency key with every update that you may retry. Keys are per environment and customer.',
  ].join('\n\n'),
} as const;

export const STATUS_TEXTS: ReadonlyMap<number, string> = new Map([
  [200, 'Success. A denied check is also a 200.'],
  [400, 'The request is invalid.'],
  [401, 'The API key is missing, mistyped, unknown or revoked.'],
  [403, 'The key does not allow this.'],
  [409, 'The idempotency key was used for another request of this customer.'],
  [413, 'The body is too large.'],
  [415, 'The body was not sent as uncompressed JSON in UTF-8.'],
  [429, 'Too many requests, or the monthly allowance is reached.'],
  [500, 'Something went wrong on our side.'],
  [503, 'The environment or the customer’s usage is temporarily unavailable.'],
]);
