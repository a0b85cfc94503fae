/**
 * Deletes a deleted integration's webhook endpoint in Stripe, then its secret key. If Stripe rejects the key, the
 * endpoint stays. If Stripe is unreachable, the encrypted key is kept for a retry, for a day at most.
 */
import { eq } from 'drizzle-orm';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { isTransient, stripeFailureOf } from '../integration/stripe-failure.ts';

const MAX_KEY_RETENTION_MS = 24 * 60 * 60_000;

/** @returns whether the key is deleted */
export async function deleteWebhookEndpoint(ctx: WorkContext, id: string): Promise<boolean> {
  const { db, now, settings, log } = ctx;
  const isIt = eq(stripeIntegration.id, id);
  const [row] = await db.select().from(stripeIntegration).where(isIt);
  if (row === undefined || row.deletedAt === null || row.secretKey === null) return true;
  if (row.webhookEndpointId !== null) {
    try {
      const stripe = await openIntegrationClient(settings, row);
      await stripe.webhookEndpoints.del(row.webhookEndpointId);
    } catch (error) {
      const failure = stripeFailureOf(error);
      const isExpired = now - row.deletedAt > MAX_KEY_RETENTION_MS;
      const mayRetry = failure !== null && isTransient(failure);
      if (mayRetry && !isExpired) return false;
      if (failure === null && !isExpired) throw error;
      if (failure?.kind !== 'missing') {
        log.info('Stripe webhook endpoint was not deleted', {
          integrationId: id,
          kind: failure?.kind ?? 'unknown',
        });
      }
    }
  }
  await db.update(stripeIntegration).set({ secretKey: null, webhookEndpointId: null }).where(isIt);
  return true;
}
