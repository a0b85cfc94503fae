// The request that a delivery is: address, headers, body, ready to be sent by the emulator or by a test that plays postman.
import { contextOf, type Emulator, scopeOf } from '../emulator.ts';
import { showEvent } from '../resources/events.ts';
import type { Delivery } from './delivery-store.ts';
import { signDelivery } from './sign-delivery.ts';

export interface ComposedDelivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Null when endpoint, event or account are gone, or the endpoint is disabled. @param timestamp Unix seconds */
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
  // An endpoint may be pinned to a version of its own; the shapes stay those of the SDK's.
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
