// Signs a delivery as Stripe does: https://docs.stripe.com/webhooks#verify-manually.
import { createHmac } from 'node:crypto';

/** The value of Stripe-Signature. @param timestamp Unix seconds */
export function signDelivery(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
