/** Waits for a call to Stripe of somebody else that makes the same thing. */
import { isStripeError } from '#worker/platform/stripe-error';

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
