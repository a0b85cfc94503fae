/**
 * Works on one event of Stripe's: what it is about is asked for again, and what Stripe says now is stored, never what the
 * event said. Ledgers are told at once, and the event is recorded in the organisation's stream. Messages may come twice,
 * late or in any order.
 */
import { commit, type Db, openDatabase } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';
import type { StripeEventReceived } from '#worker/queue/messages';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { clientOf } from './client-of.ts';
import { findIntegrationRow } from './integration-store.ts';
import { isThisEvent } from './is-this-event.ts';
import { recordPaymentEvent } from './record-payment-event.ts';
import { refreshCustomer } from './refresh-customer.ts';
import { refreshProduct } from './refresh-product.ts';
import { passesByItself, type StripeFailure, stripeFailureOf } from './stripe-failure.ts';
import { troubleBegins, troubleEnds } from './trouble.ts';

const MAX_PAUSE_MS = 5 * 60_000;
/** A key that is refused needs somebody to do something, which has what waits sent at once (look-for-events). */
const REFUSED_PAUSE_MS = 6 * 60 * 60_000;

/** @param clock epoch milliseconds */
export async function workOnEvent(
  env: Env,
  message: StripeEventReceived,
  clock: () => number,
): Promise<void> {
  const db = openDatabase(env.DB);
  const { event, integrationId, outboxId } = message;
  const integration = await findIntegrationRow(db, integrationId);
  if (integration === null || (await isDone(db, message))) {
    await commit(db, [outboxDone(db, outboxId)]);
    return;
  }

  let stored: unknown;
  try {
    const source = { env, db, integration, stripe: await clientOf(settingsOf(env), integration), clock };
    stored =
      event.customerId === null
        ? await refreshProduct(source, event.productId ?? '', event.createdAt)
        : await refreshCustomer(source, event.customerId, event.createdAt);
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    await postpone(env, db, message, failure, clock());
    return;
  }
  await recordPaymentEvent(env, db, message, stored);
  await commit(db, [
    db.update(stripeEvent).set({ doneAt: clock() }).where(isThisEvent(message)),
    outboxDone(db, outboxId),
    ...troubleEnds(db, integration),
  ]);
}

async function isDone(db: Db, message: StripeEventReceived): Promise<boolean> {
  const [row] = await db.select({ doneAt: stripeEvent.doneAt }).from(stripeEvent).where(isThisEvent(message));
  return row === undefined || row.doneAt !== null;
}

/** Stripe could not be asked: nothing is lost, and the console says why it is late. */
async function postpone(
  env: Env,
  db: Db,
  message: StripeEventReceived,
  failure: StripeFailure,
  now: number,
): Promise<void> {
  const attempts = message.attempts + 1;
  const growing = Math.min(2 ** attempts * 1000, MAX_PAUSE_MS);
  const asked = failure.kind === 'busy' ? (failure.retryAfterMs ?? 0) : 0;
  const isWorthTrying = passesByItself(failure);
  const pauseMs = isWorthTrying ? Math.max(growing, asked) : REFUSED_PAUSE_MS;
  const next: StripeEventReceived = { ...message, attempts };
  log.info('an event of Stripe has to wait', { kind: failure.kind, attempts, pauseMs, orgId: message.orgId });
  await commit(db, [
    outboxProgress(db, next, now + pauseMs),
    ...troubleBegins(db, message.integrationId, failure, now),
  ]);
  if (isWorthTrying) await sendMessage(env, next, Math.ceil(pauseMs / 1000));
}
