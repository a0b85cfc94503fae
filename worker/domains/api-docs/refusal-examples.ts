/** Error examples of the calls, with the Worker's exact messages. A test provokes each and compares. */
import type { PublicError } from '#contracts/public/errors';
import { type CodeOf, REFUSALS, type RefusalCode } from '#contracts/public/refusals';
import { REQUEST_ID, type Refusal } from './example-shapes.ts';

export const refusal = (
  summary: string,
  code: RefusalCode,
  message: string,
  issues?: PublicError['issues'],
): Refusal => ({
  summary,
  answer: {
    status: 'error',
    requestId: REQUEST_ID,
    errorType: REFUSALS[code],
    code,
    message,
    ...(issues === undefined ? {} : { issues }),
  },
});

export const invalid = (
  summary: string,
  path: string,
  message: string,
  code: CodeOf<'invalid-request'> = 'invalid-field',
): Refusal => refusal(summary, code, path === '' ? message : `${path}: ${message}`, [{ path, message }]);

export const SHARED_REFUSALS = {
  notJson: invalid('The body is not JSON', '', 'The body is not valid JSON', 'body-malformed'),
  unknownField: invalid('A field that does not exist', 'user', 'Unknown property'),
  twoSubjects: invalid('Two subjects', 'userJwt', 'Send userIdentifier or userJwt, not both'),
  keyMissing: refusal('No key', 'key-missing', 'Send an API key in the header Authorization: Bearer tsr_…'),
  keyMalformed: refusal('A mistyped key', 'key-malformed', 'The API key is mistyped or incomplete'),
  keyUnknown: refusal('An unknown key', 'key-unknown', 'The API key is unknown or was revoked'),
  needsSecretKey: refusal(
    'Counting with a public key',
    'secret-key-required',
    'Counting usage requires a secret key',
  ),
  tooLarge: refusal('A body beyond 64 KiB', 'body-too-large', 'The body is larger than 64 KiB'),
  notJsonType: refusal(
    'A body that is not sent as JSON',
    'content-type-unsupported',
    'Content-Type: Must be application/json, not text/plain',
    [{ path: 'Content-Type', message: 'Must be application/json, not text/plain' }],
  ),
  rateLimited: refusal(
    'Too many calls in a minute',
    'too-many-calls',
    'This key is limited to 60 calls a minute. Try again in 42 s.',
  ),
  publicKeyUsedUp: refusal(
    'A public key’s share is used',
    'key-share-used-up',
    'This public key reached its share, 80% of the organisation’s monthly API calls. Secret keys still work.',
  ),
  blocked: refusal(
    'The monthly allowance is reached',
    'allowance-used-up',
    'The organisation reached its monthly allowance of API calls',
  ),
  serverError: refusal(
    'A failure on our side',
    'server-error',
    'Something went wrong on our side. Try again, and contact support with the request ID if it keeps failing.',
  ),
  environmentUnavailable: refusal(
    'The environment is unavailable',
    'environment-unavailable',
    'The environment could not be loaded. Try again in a moment.',
  ),
  usageUnavailable: refusal(
    'Usage is unavailable',
    'usage-unavailable',
    'The customer’s usage is temporarily unavailable. Send an idempotencyKey so that a retry counts once.',
  ),
} satisfies Readonly<Record<string, Refusal>>;

export const KEY_REUSED = refusal(
  'A reused idempotency key',
  'idempotency-key-reused',
  'The idempotencyKey was used for a different request of this customer',
  [{ path: 'idempotencyKey', message: 'Was used for a different request of this customer' }],
);

export const ACCESS_CHECK_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED_REFUSALS,
  nobodyToCountFor: invalid(
    'Usage of an anonymous session',
    'consume',
    'Requires a userIdentifier or a valid userJwt. Anonymous sessions have no usage.',
    'subject-anonymous',
  ),
  keyReused: refusal(
    'A reused idempotency key',
    'idempotency-key-reused',
    'The idempotencyKey was used for a different request of this customer',
    [{ path: 'consume.idempotencyKey', message: 'Was used for a different request of this customer' }],
  ),
};

const { unknownField: _field, twoSubjects: _subjects, tooLarge: _large, ...ofBatches } = SHARED_REFUSALS;

/** Of the batch as a whole; each update has its own errors. */
export const COUNTER_UPDATES_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...ofBatches,
  noUpdates: invalid('No updates', 'updates', 'Send at least one update'),
  headerKey: invalid(
    'An Idempotency-Key header',
    'Idempotency-Key',
    'Send an idempotencyKey with each update',
  ),
  tooLarge: refusal('A body beyond 256 KiB', 'body-too-large', 'The body is larger than 256 KiB'),
};

const { needsSecretKey: _key, usageUnavailable: _usage, ...ofChecks } = ofBatches;

/** Of the batch as a whole; each check has its own errors. */
export const ACCESS_CHECKS_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...ofChecks,
  noChecks: invalid('No checks', 'checks', 'Send at least one check'),
  wrongExplain: invalid('Another value of explain', 'explain', 'Must be 1 or true'),
  tooLarge: refusal('A body beyond 256 KiB', 'body-too-large', 'The body is larger than 256 KiB'),
};

export const COUNTER_UPDATE_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED_REFUSALS,
  notWhole: invalid('A fractional amount', 'by', 'Must be a whole number'),
  notMeterable: invalid(
    'A property that is not meterable',
    'property',
    'The property is not meterable',
    'property-not-meterable',
  ),
  unknownFeature: invalid(
    'A feature that does not exist',
    'feature',
    'The deployed version has no such feature',
    'feature-unknown',
  ),
  keyReused: KEY_REUSED,
};
