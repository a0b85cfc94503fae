/**
 * The codes that refusals of the public API have beside their type, for programs to branch on. A code never changes its meaning or its
 * type, and new ones may appear. refusal-advice.ts says what each means, and what to do about it.
 */
import type { ErrorType } from './error-types.ts';

/** The type of each, which follows from the code. */
export const REFUSALS = {
  'invalid-field': 'invalid-request',
  'body-incomplete': 'invalid-request',
  'body-malformed': 'invalid-request',
  'body-too-complex': 'invalid-request',
  'token-not-verified': 'invalid-request',
  'subject-anonymous': 'invalid-request',
  'nothing-deployed': 'invalid-request',
  'feature-unknown': 'invalid-request',
  'property-unknown': 'invalid-request',
  'property-not-meterable': 'invalid-request',
  'occurred-too-long-ago': 'invalid-request',
  'occurred-in-future': 'invalid-request',
  'count-too-large': 'invalid-request',
  'plan-unknown': 'invalid-request',
  'meter-unknown': 'invalid-request',
  'meter-counts-resources': 'invalid-request',
  'value-invalid': 'invalid-request',
  'until-in-past': 'invalid-request',
  'stripe-customer-unknown': 'invalid-request',
  'key-missing': 'unauthenticated',
  'key-malformed': 'unauthenticated',
  'key-unknown': 'unauthenticated',
  'key-revoked': 'unauthenticated',
  'secret-key-required': 'forbidden',
  'managing-key-required': 'forbidden',
  'path-unknown': 'not-found',
  'flag-unknown': 'not-found',
  'customer-unknown': 'not-found',
  'environment-unknown': 'not-found',
  'grant-unknown': 'not-found',
  'override-unknown': 'not-found',
  'balance-unknown': 'not-found',
  'hold-unknown': 'not-found',
  'method-not-allowed': 'method-not-allowed',
  'idempotency-key-reused': 'conflict',
  'customer-in-stripe': 'conflict',
  'customer-busy': 'conflict',
  'customer-limit-reached': 'conflict',
  'email-taken': 'conflict',
  'email-has-data': 'conflict',
  'user-id-taken': 'conflict',
  'stripe-customer-taken': 'conflict',
  'grant-exists': 'conflict',
  'grant-limit-reached': 'conflict',
  'balance-exists': 'conflict',
  'balance-limit-reached': 'conflict',
  'override-limit-reached': 'conflict',
  'extension-limit-reached': 'conflict',
  'hold-over': 'conflict',
  'hold-settled': 'conflict',
  'set-for-all-environments': 'conflict',
  'body-too-large': 'payload-too-large',
  'content-type-unsupported': 'unsupported-media-type',
  'content-encoding-unsupported': 'unsupported-media-type',
  'too-many-calls': 'rate-limited',
  'too-many-unknown-keys': 'rate-limited',
  'too-many-changes': 'rate-limited',
  'too-many-holds': 'rate-limited',
  'too-many-new-customers': 'rate-limited',
  'allowance-used-up': 'usage-blocked',
  'key-share-used-up': 'usage-blocked',
  'server-error': 'server-error',
  'environment-unavailable': 'unavailable',
  'usage-unavailable': 'unavailable',
  'database-unavailable': 'unavailable',
  'database-silent': 'unavailable',
  'no-time-left': 'unavailable',
} as const satisfies Readonly<Record<string, ErrorType>>;

export type RefusalCode = keyof typeof REFUSALS;

/** The codes of some types. */
export type CodeOf<Type extends ErrorType> = {
  [Code in RefusalCode]: (typeof REFUSALS)[Code] extends Type ? Code : never;
}[RefusalCode];
