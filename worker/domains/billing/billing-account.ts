/** Tessera's own Stripe account, used for billing: opens the client, and maps Stripe's failures for waiting users. */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { openStripe, type StripeClient } from '#worker/platform/stripe';
import { isStripeError } from '#worker/platform/stripe-error';

type BillingContext = Pick<WorkContext, 'settings' | 'log'>;

/** @throws {ApiError} unavailable without a configured account */
export async function openBillingAccount({ settings }: BillingContext): Promise<StripeClient> {
  if (settings.billing === null) {
    throw new ApiError(
      'unavailable',
      'Subscriptions are not available on this server. Please contact support.',
    );
  }
  return openStripe({ secretKey: settings.billing.secretKey, apiBase: settings.stripeApiBase });
}

/**
 * Calls Stripe while a user waits for the response.
 * @throws {ApiError} unavailable for every Stripe failure; the log has the cause
 */
export async function callStripeForUser<T>(
  ctx: BillingContext,
  work: (stripe: StripeClient) => Promise<T>,
): Promise<T> {
  const stripe = await openBillingAccount(ctx);
  try {
    return await work(stripe);
  } catch (error) {
    if (!isStripeError(error)) throw error;
    ctx.log.error('billing request to Stripe failed', { error });
    throw new ApiError(
      'unavailable',
      'Stripe cannot be reached, so nothing was changed. Please try again in a minute.',
    );
  }
}
