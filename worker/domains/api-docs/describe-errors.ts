/** The meaning of each public API error, and what to do about it. One entry per error type. */
import { type ErrorType, HTTP_STATUS } from '#contracts/public/errors';
import type { DocumentedError } from '#contracts/public/openapi';

const ERROR_TEXTS: Readonly<Record<ErrorType, Omit<DocumentedError, 'errorType' | 'status'>>> = {
  'invalid-request': {
    meaning: 'The body or a header cannot be accepted. issues names every field.',
    advice: 'Correct the fields. The same request will be refused again.',
    isRetryable: false,
  },
  unauthenticated: {
    meaning: 'The API key is missing, mistyped, unknown or revoked.',
    advice: 'Send a key of the environment in the header Authorization.',
    isRetryable: false,
  },
  forbidden: {
    meaning: 'The key may not do this: usage is counted with a secret key only.',
    advice: 'Call from a server, with a secret key.',
    isRetryable: false,
  },
  'not-found': {
    meaning: 'There is no such path, or it does not answer to this method.',
    advice: 'Check method and path.',
    isRetryable: false,
  },
  conflict: {
    meaning:
      'The idempotency key was used for another request of the same customer within 24 hours. For another customer or environment it would have counted.',
    advice: 'Use one key for one piece of work of one customer, and the same body with it.',
    isRetryable: false,
  },
  'payload-too-large': {
    meaning: 'The body is larger than 64 KiB.',
    advice: 'Ask for fewer features at once.',
    isRetryable: false,
  },
  'unsupported-media-type': {
    meaning: 'The body was sent as something other than JSON, such as text/plain.',
    advice: 'Send the header Content-Type: application/json.',
    isRetryable: false,
  },
  'rate-limited': {
    meaning:
      'The key has made more calls within a minute than its limit allows; of a public key, this client of it. The call was neither counted nor recorded.',
    advice: 'Wait as long as Retry-After says, then send it again.',
    isRetryable: true,
  },
  'usage-blocked': {
    meaning:
      "The organisation has used up its plan's calls of this month, or the share of them that a public key stops at. Secret keys are refused last. Retry-After says when the month ends.",
    advice: 'Upgrade the plan in the console, under Plan & Billing, or raise the share of the public key.',
    isRetryable: true,
  },
  'server-error': {
    meaning: 'Something went wrong on our side.',
    advice: 'Send it again, counting with an idempotency key; quote the request id if it goes on.',
    isRetryable: true,
  },
  unavailable: {
    meaning: 'The environment or the usage of the customer cannot be reached at the moment.',
    advice:
      'Send it again after Retry-After. Count with an idempotency key, so that trying again counts once.',
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
