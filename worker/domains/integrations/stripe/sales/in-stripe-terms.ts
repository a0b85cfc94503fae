/** What a call that sells is refused with when Stripe fails. */
import { keyReused } from '#engine/access/idempotency-key';
import { Refusal, retryAfter } from '#worker/http/api-error';
import { isStripeError } from '#worker/platform/stripe-error';
import { describeFailure, getStripeFailure, isTransient } from '../integration/stripe-failure.ts';

/** @throws {ApiError} conflict, unavailable; what is no error of Stripe as it is */
export async function inStripeTerms<Answer>(calls: () => Promise<Answer>): Promise<Answer> {
  try {
    return await calls();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (isStripeError(error) && error.type === 'StripeIdempotencyError' && error.statusCode !== 409)
    return keyReused('idempotencyKey');
  const failure = getStripeFailure(error);
  if (isTransient(failure) || (isStripeError(error) && error.statusCode === 409)) {
    const message =
      'Stripe did not answer, or is busy. Try again in a moment, with the same idempotency key.';
    return new Refusal('unavailable', 'stripe-unavailable', message, retryAfter(1));
  }
  const said = failure.kind === 'missing' && isStripeError(error) ? error.message : null;
  return new Refusal(
    'conflict',
    'stripe-refused',
    said === null ? describeFailure(failure) : `Stripe refused the request: ${said}`,
  );
}
