/** Works on an event of Tessera's own Stripe account: it only says where to look, so what it is about is asked of Stripe. */
import { and, eq } from 'drizzle-orm';
import { commit } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeBillingEventReceived } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { followSubscription } from './follow-subscription.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { BILLING_EVENTS } from './receive-billing-event.ts';

/** @throws what Stripe, the event stream or D1 fail with: the queue tries again */
export async function workOnBillingEvent(
  ctx: WorkContext,
  message: StripeBillingEventReceived,
): Promise<void> {
  const { db, now } = ctx;
  const { outboxId, orgId, eventId, objectId } = message;
  if (objectId.startsWith('cs_')) await fulfilCheckout(ctx, objectId);
  else await followSubscription(ctx, orgId, objectId);
  await commit(db, [
    db
      .update(stripeEvent)
      .set({ doneAt: now })
      .where(and(eq(stripeEvent.integrationId, BILLING_EVENTS), eq(stripeEvent.id, eventId))),
    outboxDone(db, outboxId),
  ]);
}
