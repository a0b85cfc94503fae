/**
 * Removes the webhook of a deleted integration at Stripe, and then forgets the key. Where Stripe refuses it there is
 * nothing more to be done with the key; where Stripe cannot be reached the key is kept, sealed, for a day at most.
 */
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';
import { clientOf } from './client-of.ts';
import { passesByItself, stripeFailureOf } from './stripe-failure.ts';

const MAX_KEPT_MS = 24 * 60 * 60_000;

/** @returns whether the key is forgotten */
export async function forgetAtStripe(env: Env, db: Db, id: string, now: number): Promise<boolean> {
  const isIt = eq(stripeIntegration.id, id);
  const [row] = await db.select().from(stripeIntegration).where(isIt);
  if (row === undefined || row.deletedAt === null || row.secretKey === null) return true;
  if (row.webhookEndpointId !== null) {
    try {
      const stripe = await clientOf(settingsOf(env), row);
      await stripe.webhookEndpoints.del(row.webhookEndpointId);
    } catch (error) {
      const failure = stripeFailureOf(error);
      const isTooLate = now - row.deletedAt > MAX_KEPT_MS;
      const mayPass = failure !== null && passesByItself(failure);
      if (mayPass && !isTooLate) return false;
      if (failure === null && !isTooLate) throw error;
      if (failure?.kind !== 'missing') {
        log.info('a webhook stays at Stripe', { integrationId: id, kind: failure?.kind ?? 'unknown' });
      }
    }
  }
  await db.update(stripeIntegration).set({ secretKey: null, webhookEndpointId: null }).where(isIt);
  return true;
}
