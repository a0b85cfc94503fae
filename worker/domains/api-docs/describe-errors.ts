/** The meaning of each public API error, and what to do about it. One entry per error type. */
import { type ErrorType, HTTP_STATUS } from '#contracts/public/error-types';
import type { DocumentedError } from '#contracts/public/openapi';

const ERROR_TEXTS: Readonly<Record<ErrorType, Omit<DocumentedError, 'errorType' | 'status'>>> = {
  'invalid-request': {
    meaning: 'The body or a header is invalid. issues lists every invalid field.',
    advice: 'Correct the fields. Retrying the same request fails again.',
    isRetryable: false,
  },
  unauthenticated: {
    meaning: 'The API key is missing, mistyped, unknown or revoked.',
    advice: 'Send one of the environment’s keys in the Authorization header.',
    isRetryable: false,
  },
  forbidden: {
    meaning:
      'The key does not allow this. Counting usage and reading customers require a secret key; changing customers requires one with the permission to manage customers.',
    advice: 'Call from your server with a secret key that has the permission.',
    isRetryable: false,
  },
  'not-found': {
    meaning: 'The path does not exist, or the customer is unknown.',
    advice: 'Check the path. Create the customer first.',
    isRetryable: false,
  },
  'method-not-allowed': {
    meaning: 'The path does not support this method. The header Allow lists those that it supports.',
    advice:
      'Send POST to check and count, and GET for the OpenAPI document. The calls about customers name their methods.',
    isRetryable: false,
  },
  conflict: {
    meaning:
      'The idempotency key was used for a different request of the same customer within 24 hours. When changing customers: what issues name belongs to somebody else, or to all environments, or a limit is reached.',
    advice: 'Use a new key for each operation, and resend the same body with it.',
    isRetryable: false,
  },
  'payload-too-large': {
    meaning: 'The body is larger than 64 KiB, or 256 KiB for a batch of changes.',
    advice: 'Check the size of userJwt and of every other text. A valid body is far below 64 KiB.',
    isRetryable: false,
  },
  'unsupported-media-type': {
    meaning:
      'The body was not sent as JSON, for example as text/plain, is in a charset other than UTF-8, or is compressed.',
    advice: 'Send the header Content-Type: application/json, in UTF-8, and no Content-Encoding.',
    isRetryable: false,
  },
  'rate-limited': {
    meaning:
      'The key, or this client of a public key, exceeded its limit of calls per minute. The call was not counted or recorded.',
    advice: 'Retry after the time in Retry-After.',
    isRetryable: true,
  },
  'usage-blocked': {
    meaning:
      'The organisation reached its monthly allowance, or the public key reached its share of it. Secret keys keep working until the whole allowance is used. Retry-After is the time until the allowance renews.',
    advice: 'Upgrade under Plan & Billing in the console, or raise the public key’s share.',
    isRetryable: false,
  },
  'server-error': {
    meaning: 'Something went wrong on our side.',
    advice:
      'Retry. Use an idempotency key when counting. If it persists, contact support with the request ID.',
    isRetryable: true,
  },
  unavailable: {
    meaning: 'The environment or the customer’s usage is temporarily unavailable.',
    advice: 'Retry after the time in Retry-After. Use an idempotency key so that a retry counts once.',
    isRetryable: true,
  },
};

export function describeErrors(): DocumentedError[] {
  return (Object.keys(ERROR_TEXTS) as ErrorType[]).map((errorType) => ({
    errorType,
    status: HTTP_STATUS[errorType],
    ...ERROR_TEXTS[errorType],
  }));
}
