/** Tessera's own account at Stripe, as billing uses it: the client, and what its failures mean for whoever waits. */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { openStripe, type StripeClient } from '#worker/platform/stripe';
import { isStripeError } from '#worker/platform/stripe-error';

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
