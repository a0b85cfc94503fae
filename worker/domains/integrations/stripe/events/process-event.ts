/**
 * Consumer of stripe.event-received: fetches the object that the event is about and stores its current state, never
 * the state in the event. Then ledgers are updated and the event is recorded in the organisation's event stream.
 * Messages may be duplicated, delayed or reordered.
 */
import { and, eq } from 'drizzle-orm';
import { commit, type Db } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeEventReceived } from '#worker/queue/messages';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { clearConnectionError, setConnectionError } from '../integration/connection-error.ts';
import { findIntegrationRow } from '../integration/integration-store.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { isTransient, type StripeFailure, stripeFailureOf } from '../integration/stripe-failure.ts';
import { refreshCustomer } from '../sync/refresh-customer.ts';
import { refreshProduct } from '../sync/refresh-product.ts';
import { recordPaymentEvent } from './record-payment-event.ts';

const MAX_PAUSE_MS = 5 * 60_000;
/** A rejected key needs user action; the next successful poll or a new key makes waiting events due immediately. */
const REFUSED_PAUSE_MS = 6 * 60 * 60_000;

export async function processEvent(ctx: WorkContext, message: StripeEventReceived): Promise<void> {
  const { db, clock } = ctx;
  const { event, integrationId, outboxId } = message;
  const integration = await findIntegrationRow(db, integrationId);
  if (integration === null || (await isDone(db, message))) {
    await commit(db, [outboxDone(db, outboxId)]);
    return;
  }

  let stored: unknown;
  try {
    const source = { ctx, integration, stripe: await openIntegrationClient(ctx.settings, integration) };
    stored =
      event.customerId === null
        ? await refreshProduct(source, event.productId ?? '', event.createdAt)
        : await refreshCustomer(source, event.customerId, event.createdAt);
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    await postpone(ctx, message, failure);
    return;
  }
  await recordPaymentEvent(ctx, message, stored);
  await commit(db, [
    db.update(stripeEvent).set({ doneAt: clock() }).where(isThisEvent(message)),
    outboxDone(db, outboxId),
    ...clearConnectionError(db, integration),
  ]);
}

/** Condition: the stored event of the message. */
function isThisEvent({ integrationId, event }: StripeEventReceived) {
  return and(eq(stripeEvent.integrationId, integrationId), eq(stripeEvent.id, event.id));
}

async function isDone(db: Db, message: StripeEventReceived): Promise<boolean> {
  const [row] = await db.select({ doneAt: stripeEvent.doneAt }).from(stripeEvent).where(isThisEvent(message));
  return row === undefined || row.doneAt !== null;
}

/** Stripe could not be reached: retries later, and shows the connection error in the console. */
async function postpone(
  { env, db, log, clock }: WorkContext,
  message: StripeEventReceived,
  failure: StripeFailure,
): Promise<void> {
  const now = clock();
  const attempts = message.attempts + 1;
  const backoffMs = Math.min(2 ** attempts * 1000, MAX_PAUSE_MS);
  const requestedMs = failure.kind === 'busy' ? (failure.retryAfterMs ?? 0) : 0;
  const mayRetry = isTransient(failure);
  const pauseMs = mayRetry ? Math.max(backoffMs, requestedMs) : REFUSED_PAUSE_MS;
  const next: StripeEventReceived = { ...message, attempts };
  log.info('Stripe event postponed', { kind: failure.kind, attempts, pauseMs, orgId: message.orgId });
  await commit(db, [
    outboxProgress(db, next, now + pauseMs),
    ...setConnectionError(db, message.integrationId, failure, now),
  ]);
  if (mayRetry) await sendMessage(env, next, Math.ceil(pauseMs / 1000));
}
