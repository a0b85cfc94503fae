/** Error examples of both calls, with the Worker's exact messages. A test provokes each and compares. */
import type { PublicError } from '#contracts/public/access';
import type { ErrorType } from '#contracts/public/errors';
import { REQUEST_ID, type Refusal } from './example-shapes.ts';

const refusal = (
  summary: string,
  errorType: ErrorType,
  message: string,
  issues?: PublicError['issues'],
): Refusal => ({
  summary,
  answer: {
    status: 'error',
    requestId: REQUEST_ID,
    errorType,
    message,
    ...(issues === undefined ? {} : { issues }),
  },
});

const invalid = (summary: string, path: string, message: string): Refusal =>
  refusal(summary, 'invalid-request', path === '' ? message : `${path}: ${message}`, [{ path, message }]);

const SHARED: Readonly<Record<string, Refusal>> = {
  notJson: invalid('The body is not JSON', '', 'The body is not valid JSON'),
  unknownField: invalid('A field that does not exist', 'user', 'Unknown property'),
  twoSubjects: invalid('Two subjects at once', 'userJwt', 'Send userIdentifier or userJwt, not both'),
  keyMissing: refusal(
    'No key',
    'unauthenticated',
    'Send an API key in the header Authorization: Bearer tsr_…',
  ),
  keyMalformed: refusal('A mistyped key', 'unauthenticated', 'The API key is mistyped or incomplete'),
  keyUnknown: refusal('An unknown key', 'unauthenticated', 'The API key is unknown or was revoked'),
  needsSecretKey: refusal(
    'Counting with a public key',
    'forbidden',
    'Usage is counted with a secret key only',
  ),
  tooLarge: refusal('A body beyond 64 KiB', 'payload-too-large', 'The body is larger than 64 KiB'),
  notJsonType: refusal(
    'A body that is not sent as JSON',
    'unsupported-media-type',
    'Content-Type: Must be application/json, not text/plain',
    [{ path: 'Content-Type', message: 'Must be application/json, not text/plain' }],
  ),
  rateLimited: refusal(
    'Too many calls in a minute',
    'rate-limited',
    'This key may make 60 calls a minute. Try again in 42 s.',
  ),
  publicKeyUsedUp: refusal(
    'The share of a public key is used up',
    'usage-blocked',
    "This public key stops at 80 % of this month's API calls of the organisation, which are used up. Secret keys still work.",
  ),
  blocked: refusal(
    'The allowance is used up',
    'usage-blocked',
    "This month's API calls of the organisation are used up",
  ),
  serverError: refusal(
    'A failure on our side',
    'server-error',
    'Something went wrong on our side. Quote the request id if you contact support.',
  ),
  environmentUnavailable: refusal(
    'The environment cannot be reached',
    'unavailable',
    'The environment could not be loaded. Try again in a moment.',
  ),
  usageUnavailable: refusal(
    'The ledger cannot be reached',
    'unavailable',
    'The usage of this customer cannot be reached. Send an idempotencyKey, so that trying again counts once.',
  ),
};

export const ACCESS_CHECK_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED,
  nobodyToCountFor: invalid(
    'Usage of an anonymous session',
    'consume',
    'Needs a userIdentifier, or a userJwt that can be verified: an anonymous session has no usage',
  ),
  keyReused: refusal(
    'An idempotency key of another request of the customer',
    'conflict',
    'The idempotencyKey was used for another request of this customer',
    [{ path: 'consume.idempotencyKey', message: 'Was used for another request of this customer' }],
  ),
};

export const COUNTER_UPDATE_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED,
  notWhole: invalid('Half an amount', 'by', 'Must be a whole number'),
  notMeterable: invalid('A property that is not meterable', 'property', 'The property is not meterable'),
  unknownFeature: invalid(
    'A feature that does not exist',
    'feature',
    'There is no such feature in this version',
  ),
  keyReused: refusal(
    'An idempotency key of another request of the customer',
    'conflict',
    'The idempotencyKey was used for another request of this customer',
    [{ path: 'idempotencyKey', message: 'Was used for another request of this customer' }],
  ),
};
