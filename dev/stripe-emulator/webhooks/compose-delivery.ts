// Composes the HTTP request of a delivery: URL, headers and body, for the emulator or a test to send.
import { createHmac } from 'node:crypto';
import { contextOf, type Emulator, scopeOf } from '../emulator.ts';
import { showEvent } from '../resources/events.ts';
import type { Delivery } from './delivery-store.ts';

export interface ComposedDelivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** @param timestamp Unix seconds @returns null if the endpoint, event or account is deleted, or the endpoint is disabled */
export function composeDelivery(
  emulator: Emulator,
  delivery: Delivery,
  timestamp = Math.floor(emulator.now() / 1000),
): ComposedDelivery | null {
  const scope = scopeOf(delivery.accountId, delivery.livemode);
  const account = emulator.accounts.find(delivery.accountId);
  const endpoint = emulator.objects.find(scope, 'webhook_endpoint', delivery.endpointId);
  const event = emulator.objects.find(scope, 'event', delivery.eventId);
  if (!account || endpoint?.status !== 'enabled' || !event) return null;
  const shown = showEvent(contextOf(emulator, account, delivery.livemode), event);
  // An endpoint may pin an API version; shapes stay those of the SDK's version.
  const body = JSON.stringify({ ...shown, api_version: endpoint.api_version ?? shown.api_version }, null, 2);
  return {
    url: endpoint.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signDelivery(body, endpoint.secret, timestamp),
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
    body,
  };
}

/** The value of Stripe-Signature: https://docs.stripe.com/webhooks#verify-manually. */
function signDelivery(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
