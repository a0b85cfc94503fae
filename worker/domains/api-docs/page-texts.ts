/** The OpenAPI document's prose: the API, each call and each status, in plain paragraphs. */

export const INTRODUCTION = [
  'Ask what a customer may do, and count what they have used. Two calls, both POST, both JSON.',
  'A no is an answer, not an error: a check that denies, or a limit that is reached, is a 200 that says so. Errors are for requests that cannot be answered.',
  'Answers may gain fields and warning codes; ignore those that you do not know. What is there keeps its name and its meaning in version 1.',
].join('\n\n');

export const KEY_TEXT = [
  'An API key of one environment, in the header Authorization: Bearer tsr_…',
  'A secret key (tsr_sec_…) is for servers: it is believed when it says who the user is, and may count usage. A public key (tsr_pub_…) may be shipped to browsers and apps: it asks for anonymous sessions, and for users with a signed token.',
  'Every key has a limit of calls a minute, set in the console: a secret key 600,000 unless set otherwise, a public key 600 for each client (an IPv4 address or an IPv6 /64). Beyond it calls get 429 rate-limited. On plans with a monthly allowance a public key also stops at a share of it, 80 % unless set otherwise, so that secret keys are refused last.',
].join('\n\n');

export const OPERATION_TEXTS = {
  checkAccess: [
    'Says for every feature what the subject may do: the values of its properties as the plans of the subject configure them, and for meterable properties how much is left.',
    'The answer may be kept until validUntil. Checks with a warm key are answered near the caller, without a database.',
  ].join('\n\n'),
  updateCounter: [
    'Counts what an identified customer has used of a meterable property, or gives it back, and says where the meter stands. Needs a secret key.',
    'Usage belongs to the customer, not to the plan: when the plan changes it stays, and is measured against the new limit. Send an idempotency key with everything that may be retried; it belongs to its environment and customer.',
  ].join('\n\n'),
} as const;

export const STATUS_TEXTS: ReadonlyMap<number, string> = new Map([
  [200, 'The answer; also where it says no.'],
  [400, 'The request cannot be accepted.'],
  [401, 'The API key is missing, mistyped, unknown or revoked.'],
  [403, 'The key may not do this.'],
  [409, 'The idempotency key was used for another request of this customer.'],
  [413, 'The body is too large.'],
  [415, 'The body was not sent as JSON.'],
  [429, 'Too many requests, or the allowance is used up.'],
  [500, 'Something went wrong on our side.'],
  [503, 'The environment, or the usage of the customer, cannot be reached at the moment.'],
]);
