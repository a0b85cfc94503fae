/** What the SDK's errors say, read without loading the SDK. */

export interface StripeErrorLike extends Error {
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
  readonly statusCode?: number;
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

const BUSY_TRIES = 10;
const BUSY_PAUSE_MS = 200;

/**
 * For creations with an idempotency key, which Stripe refuses while another call with the key is on its way; that one's
 * answer is given a moment later.
 */
export async function onceFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isBusy = isStripeError(error) && error.statusCode === 409;
      if (!isBusy || tries === BUSY_TRIES) throw error;
      await scheduler.wait(BUSY_PAUSE_MS);
    }
  }
}
