/**
 * Deletes a Stripe integration: from this moment nobody sees it, replicas do not go by it, and its events are not
 * believed. Its webhook at Stripe goes at once where Stripe can be reached; what was read through it goes after the answer.
 */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { planProduct, stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import type { StripeIntegrationDeleted } from '#worker/queue/messages';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { forgetAtStripe } from './forget-at-stripe.ts';
import { getIntegrationRow } from './integration-store.ts';
import { isNotDeleted } from './is-not-deleted.ts';

/** @throws {ApiError} not-found */
export async function deleteStripeIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  id: string,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { name, accountId, livemode, webhookEndpointId } = await getIntegrationRow(db, scope, id);
  const message: StripeIntegrationDeleted = {
    type: 'stripe.integration-deleted',
    outboxId: ctx.newId('out'),
    orgId,
    integrationId: id,
  };
  const workspace = workspaceChange(ctx, scope);
  const isIt = and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId));
  const unmet = await commitForReplicas(
    ctx,
    scope,
    { exists: rowStands(stripeIntegration, orgId, id, undefined, isNotDeleted) },
    [
      db
        .update(stripeIntegration)
        .set({
          deletedAt: now,
          updatedAt: nextUpdatedAt(stripeIntegration, now),
          // The key is needed once more, to remove the webhook that was made with it.
          ...(webhookEndpointId === null ? { secretKey: null } : {}),
          ...{ webhookSecret: null, previousWebhookSecret: null, previousWebhookSecretUntil: null },
          ...{ trouble: null, troubleAt: null },
        })
        .where(isIt),
      db
        .update(stripeSyncJob)
        .set({ status: 'failed', error: 'The integration was deleted', finishedAt: now, waitsUntil: null })
        .where(and(eq(stripeSyncJob.integrationId, id), eq(stripeSyncJob.status, 'running'))),
      db.delete(planProduct).where(and(eq(planProduct.orgId, orgId), eq(planProduct.integrationId, id))),
      outboxRow(db, message, now),
      auditRow(ctx, {
        orgId,
        actorUserId: userId,
        action: 'stripe-integration.deleted',
        targetId: id,
        detail: { name, accountId, livemode },
      }),
      ...workspace.statements,
    ],
  );
  if (unmet !== null) throw notFound('The integration');
  workspace.announce();
  await forgetAtStripe(ctx.env, db, id, now);
  ctx.waitUntil(sendMessage(ctx.env, message));
}
