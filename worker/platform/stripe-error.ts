/** Reads the errors of Stripe's SDK without loading the SDK. */

/** The used part of the SDK's errors. */
export interface StripeErrorLike extends Error {
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong, for a connection error. */
  readonly detail?: unknown;
}

export function isStripeError(error: unknown): error is StripeErrorLike {
  return (
    error instanceof Error &&
    'type' in error &&
    typeof error.type === 'string' &&
    error.type.startsWith('Stripe')
  );
}

/** The object does not exist in Stripe, or was deleted. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && (error.code === 'resource_missing' || error.statusCode === 404);
}
