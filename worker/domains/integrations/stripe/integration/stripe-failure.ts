/** Classifies a failed call to Stripe. Reads the SDK's error without loading the SDK. */
import { isMissing, isStripeError, type StripeErrorLike } from '#worker/platform/stripe-error';
import { CallBudgetSpent } from './call-budget.ts';

export type StripeFailure =
  /** The key is unknown to Stripe or was revoked. */
  | { readonly kind: 'key-refused' }
  /** A restricted key lacks a permission. Stripe's message may name the permission (`rak_…`) and the account. */
  | { readonly kind: 'not-allowed'; readonly permission: string | null; readonly accountId: string | null }
  /** The object, or a list's cursor object, does not exist. */
  | { readonly kind: 'missing' }
  /** Rate limited; with the pause that Stripe requests, if any. */
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  /** The account's call budget is spent; Stripe was not called. */
  | { readonly kind: 'paced'; readonly retryAfterMs: number }
  /** No response, or a server error. */
  | { readonly kind: 'unavailable' }
  /** Invalid request; Stripe's message names parameters and never contains a key. */
  | { readonly kind: 'invalid'; readonly message: string };

const MAX_RETRY_AFTER_MS = 15 * 60_000;

/** @throws what is not a Stripe error */
export function getStripeFailure(error: unknown): StripeFailure {
  const failure = stripeFailureOf(error);
  if (failure === null) throw error;
  return failure;
}

/** @returns null if the error is not a Stripe error */
export function stripeFailureOf(error: unknown): StripeFailure | null {
  if (!isStripeError(error)) return null;
  if (isMissing(error)) return { kind: 'missing' };
  if (error.detail instanceof CallBudgetSpent) {
    return { kind: 'paced', retryAfterMs: error.detail.retryAfterMs };
  }
  const { statusCode, message } = error;
  if (statusCode === 401) return { kind: 'key-refused' };
  if (statusCode === 403) {
    return {
      kind: 'not-allowed',
      permission: /\brak_\w+/.exec(message)?.[0] ?? null,
      accountId: /\bacct_\w+/.exec(message)?.[0] ?? null,
    };
  }
  if (statusCode === 429) return { kind: 'busy', retryAfterMs: readRetryAfter(error.headers) };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { kind: 'invalid', message };
  return { kind: 'unavailable' };
}

/** Whether a retry may succeed without user action. */
export function isTransient(failure: StripeFailure): boolean {
  return failure.kind === 'busy' || failure.kind === 'paced' || failure.kind === 'unavailable';
}

/** Shown in the console. */
export function describeFailure(failure: StripeFailure): string {
  switch (failure.kind) {
    case 'key-refused':
      return 'Stripe rejects the secret key. It may have been revoked or rolled. Enter the new key under Manage.';
    case 'not-allowed':
      return failure.permission === null
        ? 'The key is missing a Stripe permission.'
        : `The key is missing a Stripe permission: ${failure.permission}.`;
    case 'missing':
      return 'Stripe has no such object.';
    case 'busy':
      return 'Stripe’s rate limit is reached. Retrying automatically.';
    case 'paced':
      return 'Paused so that your own Stripe requests don’t hit the rate limit. Resumes automatically.';
    case 'unavailable':
      return 'Stripe cannot be reached. Retrying automatically.';
    case 'invalid':
      return `Stripe refused the request: ${failure.message}`;
  }
}

/** Seconds (RFC 9110 section 10.2.3); Stripe never sends a date. */
function readRetryAfter(headers: StripeErrorLike['headers']): number | null {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}
