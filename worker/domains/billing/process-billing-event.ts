/**
 * Consumer of stripe.billing-event-received. The event only identifies a checkout or subscription; its current state
 * is fetched from Stripe.
 */
import { and, eq } from 'drizzle-orm';
import type { StripeBillingEventReceived } from '#runtime/messages';
import { commit } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone } from '#worker/queue/outbox';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { BILLING_EVENTS } from './receive-billing-event.ts';
import { syncSubscription } from './sync-subscription.ts';

/** @throws errors of Stripe, the event stream or D1: the queue retries */
export async function processBillingEvent(
  ctx: WorkContext,
  message: StripeBillingEventReceived,
): Promise<void> {
  const { db, now } = ctx;
  const { outboxId, orgId, eventId, objectId } = message;
  if (objectId.startsWith('cs_')) await fulfilCheckout(ctx, objectId);
  else await syncSubscription(ctx, orgId, objectId);
  await commit(db, [
    db
      .update(stripeEvent)
      .set({ doneAt: now })
      .where(and(eq(stripeEvent.integrationId, BILLING_EVENTS), eq(stripeEvent.id, eventId))),
    outboxDone(db, outboxId),
  ]);
}
