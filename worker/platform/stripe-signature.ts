/** Whether Stripe sent this: the signature of a webhook's raw body, by the rules of Stripe's SDK and one more. */
import type { Stripe } from 'stripe';

/** Of what was signed longer ago than this, or for longer ahead, nothing is believed. */
const TOLERANCE_SECONDS = 300;

/**
 * @param payload the body exactly as it came
 * @param header of the name stripe-signature
 * @param secrets signing secrets that are believed, the likeliest first
 * @param now epoch milliseconds
 * @returns null where none of them signed it, or not at about this time
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
      // The next secret may be the one; why it was refused is nobody's business.
    }
  }
  return null;
}

/** The SDK takes any signature from the future. */
function isAhead(header: string, now: number): boolean {
  const limit = now / 1000 + TOLERANCE_SECONDS;
  return header
    .split(',')
    .some((part) => part.trim().startsWith('t=') && !(Number(part.trim().slice(2)) <= limit));
}
