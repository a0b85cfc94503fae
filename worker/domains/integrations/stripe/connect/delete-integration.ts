/**
 * Deletes a Stripe integration. It disappears from the console and the replicas, and its events are rejected. Its
 * webhook endpoint in Stripe is deleted immediately if Stripe is reachable; the data read through it is purged by the
 * queue.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { StripeIntegrationDeleted } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { planProduct, stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { everyEnvironmentOf, workspaceOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { isNotDeleted } from '../integration/integration-store.ts';
import { getIntegrationRow } from '../integration/read-integrations.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';

/** @throws {ApiError} not-found */
export async function deleteStripeIntegration(
  ctx: WorkContext,
  scope: ActorScope,
  id: string,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { name, accountId, livemode } = await getIntegrationRow(db, scope, id);
  const message: StripeIntegrationDeleted = {
    type: 'stripe.integration-deleted',
    outboxId: ctx.newId('out'),
    orgId,
    integrationId: id,
  };
  const isIt = and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId));
  await change(ctx, scope, {
    when: {
      exists: [rowExists(stripeIntegration, orgId, id, isNotDeleted), () => notFound('The integration')],
    },
    write: [
      takeFactsVersion(db, orgId, now),
      db
        .update(stripeIntegration)
        .set({
          deletedAt: factsVersion(orgId),
          updatedAt: nextUpdatedAt(stripeIntegration, now),
          // The key is still needed to delete the webhook endpoint that it created, also one that was added meanwhile.
          secretKey: sql`CASE WHEN ${stripeIntegration.webhookEndpointId} IS NOT NULL THEN ${stripeIntegration.secretKey} END`,
          webhookSecret: null,
          previousWebhookSecret: null,
          previousWebhookSecretUntil: null,
          trouble: null,
          troubleAt: null,
        })
        .where(isIt),
      db
        .update(stripeSyncJob)
        .set({ status: 'failed', error: 'The integration was deleted', finishedAt: now, waitsUntil: null })
        .where(and(eq(stripeSyncJob.integrationId, id), eq(stripeSyncJob.status, 'running'))),
      db.delete(planProduct).where(and(eq(planProduct.orgId, orgId), eq(planProduct.integrationId, id))),
    ],
    audit: { action: 'stripe-integration.deleted', targetId: id, detail: { name, accountId, livemode } },
    publish: [
      everyEnvironmentOf(scope),
      workspaceOf(scope),
      {
        messages: [message],
        announce: async () => {
          await deleteWebhookEndpoint(ctx, id);
          ctx.waitUntil(sendMessage(ctx.env, message));
        },
      },
    ],
  });
}
