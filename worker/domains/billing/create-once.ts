/**
 * Creates an object in Stripe once, also for concurrent callers and after failures. Stripe stores the first response of
 * an idempotency key for a day, a 500 included, so the key contains an attempt number: a stored failure leads to the next
 * one. All callers try the numbers in the same order and get the first stored success. See worker/domains/billing/README.md, "Billing".
 */
import { isStripeError, type StripeErrorLike } from '#worker/platform/stripe-error';

/** Stored failures are fast to read. More than these in a day are an outage of Stripe. */
const MAX_ATTEMPTS = 50;
const MAX_WAITS = 10;
const PAUSE_MS = 200;

/**
 * @param key names the object to create
 * @param create sends the request with the given idempotency key
 * @throws errors of Stripe: safe to retry
 */
export async function createOnce<T>(
  key: string,
  create: (options: { readonly idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  let waits = 0;
  for (let attempt = 1; ; ) {
    try {
      return await create({ idempotencyKey: `${key}:${attempt}` });
    } catch (error) {
      if (!isStripeError(error)) throw error;
      if (isInProgress(error) && waits < MAX_WAITS) {
        waits++;
        await scheduler.wait(PAUSE_MS);
      } else if (isUsedUp(error) && attempt < MAX_ATTEMPTS) {
        attempt++;
      } else {
        throw error;
      }
    }
  }
}

/** Another request with the same key is in progress. Its response is stored soon. */
function isInProgress({ statusCode }: StripeErrorLike): boolean {
  return statusCode === 409;
}

/**
 * The key never leads to a success: its stored response is a server error, or it was used with other parameters. A new
 * server error is not retried here, since the user's next try does that.
 */
function isUsedUp({ type, statusCode = 0, headers }: StripeErrorLike): boolean {
  const isReplayed = headers?.['idempotent-replayed'] === 'true';
  return (statusCode >= 500 && isReplayed) || (type === 'StripeIdempotencyError' && statusCode !== 409);
}
