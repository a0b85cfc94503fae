/**
 * Webhook of Tessera's own Stripe account: verify, store, respond; the queue processes the event. Only a storage
 * failure is an error response, which makes Stripe retry.
 */
import type { Stripe } from 'stripe';
import type { StripeBillingEventReceived } from '#runtime/messages';
import { isUniqueViolation } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import { invalidRequest, notFound } from '#worker/http/api-error';
import { readText } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';
import { verifyStripeEvent } from '#worker/platform/stripe-signature';
import { change } from '#worker/queue/change';

const MAX_BODY_BYTES = 512 * 1024;
/** Stored as the integration id of these events, which belong to no integration. */
export const BILLING_EVENTS = 'billing';

/** The event types to process; others are acknowledged and dropped. */
const PROCESSED_TYPES: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
]);

/** @throws {ApiError} invalid-request without a valid signature; not-found without an account */
export async function receiveBillingEvent(ctx: RequestContext): Promise<{ received: true }> {
  const { request, settings, db, now } = ctx;
  if (settings.billing === null) throw notFound('The requested resource');
  const payload = await readText(request, MAX_BODY_BYTES);
  const signature = request.headers.get('stripe-signature') ?? '';
  const event = await verifyStripeEvent(payload, signature, [settings.billing.webhookSecret], now);
  if (event === null) throw invalidRequest([{ path: '', message: 'The signature is not valid' }]);
  const message = messageOf(event);
  if (message === null) return { received: true };
  try {
    const scope = { orgId: message.orgId, actor: null };
    await change(ctx, scope, {
      write: [
        db.insert(stripeEvent).values({
          integrationId: BILLING_EVENTS,
          id: event.id,
          type: event.type,
          objectId: message.objectId,
          createdAt: event.created * 1000,
          receivedAt: now,
        }),
      ],
      audit: null,
      publish: [{ messages: [message] }],
    });
  } catch (error) {
    if (isUniqueViolation(error)) return { received: true };
    throw error;
  }
  return { received: true };
}

/** Null: irrelevant. Only Tessera writes an organisation id into the metadata of these objects. */
function messageOf({ id, type, data }: Stripe.Event): StripeBillingEventReceived | null {
  if (!PROCESSED_TYPES.has(type)) return null;
  const object = data.object as {
    readonly id?: unknown;
    readonly metadata?: { readonly orgId?: unknown } | null;
  };
  const orgId = object.metadata?.orgId;
  if (typeof object.id !== 'string' || typeof orgId !== 'string') return null;
  return {
    type: 'stripe.billing-event-received',
    outboxId: `out_${BILLING_EVENTS}_${id}`,
    orgId,
    eventId: id,
    objectId: object.id,
  };
}
