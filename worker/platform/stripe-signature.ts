/** Verifies the signature of a Stripe webhook with the SDK, and also rejects timestamps in the future. */
import type { Stripe } from 'stripe';

/** Maximum age of a signature, and maximum clock difference ahead. */
const TOLERANCE_SECONDS = 300;

/**
 * @param payload the raw body
 * @param header the stripe-signature header
 * @param secrets accepted signing secrets, the likeliest first
 * @param now epoch milliseconds
 * @returns null if no secret matches, or the timestamp is out of tolerance
 */
export async function verifyStripeEvent(
  payload: string,
  header: string,
  secrets: readonly string[],
  now: number,
): Promise<Stripe.Event | null> {
  if (isAhead(header, now)) return null;
  const { Stripe } = await import('stripe');
  for (const secret of secrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(
        ...([payload, header, secret, TOLERANCE_SECONDS, Stripe.createSubtleCryptoProvider()] as const),
      );
    } catch {
      // Try the next secret. The reason is not reported.
    }
  }
  return null;
}

/** The SDK accepts any future timestamp. */
function isAhead(header: string, now: number): boolean {
  const limit = now / 1000 + TOLERANCE_SECONDS;
  return header
    .split(',')
    .some((part) => part.trim().startsWith('t=') && !(Number(part.trim().slice(2)) <= limit));
}
