/**
 * Tessera's own account at Stripe, as billing uses it: the client, and what its failures mean for whoever waits for an
 * answer. The SDK's errors are read without loading the SDK.
 */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { openStripe, type StripeClient } from '#worker/platform/stripe';

type Asking = Pick<WorkContext, 'settings' | 'log'>;

/** @throws {ApiError} unavailable where this Tessera has no account */
export async function openBillingAccount({ settings }: Asking): Promise<StripeClient> {
  if (settings.billing === null) {
    throw new ApiError(
      'unavailable',
      'Subscriptions are not set up on this Tessera. Please contact support.',
    );
  }
  return openStripe({ secretKey: settings.billing.secretKey, apiBase: settings.stripeApiBase });
}

/**
 * Asks Stripe on behalf of a person who waits.
 * @throws {ApiError} unavailable for every failure of Stripe's; the log says which
 */
export async function askForPerson<T>(ctx: Asking, work: (stripe: StripeClient) => Promise<T>): Promise<T> {
  const stripe = await openBillingAccount(ctx);
  try {
    return await work(stripe);
  } catch (error) {
    if (!isStripeError(error)) throw error;
    ctx.log.error('Stripe did not do what billing asked for', { error });
    throw new ApiError(
      'unavailable',
      'Stripe cannot be reached at the moment. Nothing was changed; please try again in a minute.',
    );
  }
}

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
