// Composes the HTTP request of a delivery: URL, headers and body, for the emulator or a test to send.
import { createHmac } from 'node:crypto';
import { type Context, contextOf, type Emulator, scopeOf } from '../core/emulator.ts';
import { showEvent } from '../resources/events.ts';
import { showThinEvent } from '../resources/meter-errors.ts';
import type { Delivery } from './delivery-store.ts';

/** @param timestamp Unix seconds @returns null if the endpoint, event or account is deleted, or the endpoint is disabled */
export function composeDelivery(
  emulator: Emulator,
  delivery: Delivery,
  timestamp = Math.floor(emulator.now() / 1000),
): { url: string; headers: Record<string, string>; body: string } | null {
  const scope = scopeOf(delivery.accountId, delivery.livemode);
  const account = emulator.accounts.find(delivery.accountId);
  const endpoint = emulator.objects.find(scope, 'webhook_endpoint', delivery.endpointId);
  if (!account || endpoint?.status !== 'enabled') return null;
  const context = contextOf(emulator, account, delivery.livemode);
  const content = contentOf(context, delivery.eventId, endpoint.api_version);
  if (content === null) return null;
  const body = JSON.stringify(content, null, 2);
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

/** @param apiVersion the endpoint's own, if it has one; shapes stay those of the SDK's version */
function contentOf(context: Context, eventId: string, apiVersion: string | null): object | null {
  const { objects } = context.emulator;
  const event = objects.find(context.scope, 'event', eventId);
  if (event) return { ...showEvent(context, event), api_version: apiVersion ?? event.api_version };
  const thin = objects.find(context.scope, 'v2.core.event', eventId);
  return thin ? showThinEvent(context, thin, false) : null;
}

/** The value of Stripe-Signature: https://docs.stripe.com/webhooks#verify-manually. */
function signDelivery(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
