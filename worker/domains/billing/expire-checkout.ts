/** Expires a checkout session in Stripe, so that it can no longer be paid. */
import type { StripeClient } from '#worker/platform/stripe';
import { isStripeError } from '#worker/platform/stripe-error';

/** No effect if it was paid or has expired meanwhile. @param id cs_… */
export async function expireCheckout(stripe: StripeClient, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!isStripeError(error) || error.type !== 'StripeInvalidRequestError') throw error;
  }
}
