/** What the errors of Stripe's SDK say, read without loading the SDK. */

/** Of the SDK's errors, what is read. */
export interface StripeErrorLike extends Error {
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isStripeError(error: unknown): error is StripeErrorLike {
  return (
    error instanceof Error &&
    'type' in error &&
    typeof error.type === 'string' &&
    error.type.startsWith('Stripe')
  );
}

/** Stripe has no such object (any more). */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && (error.code === 'resource_missing' || error.statusCode === 404);
}
