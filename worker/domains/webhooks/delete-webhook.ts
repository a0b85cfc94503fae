/** Deletes a webhook with the log of what was sent to it. */
import { rowExists } from '#worker/db/commit-if';
import { webhook } from '#worker/db/schema/webhooks';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getWebhookRow, isWebhook } from './webhook-store.ts';

/** @throws {ApiError} not-found; forbidden for platform staff */
export async function deleteWebhook(ctx: RequestContext, scope: MemberScope, id: string): Promise<void> {
  ensureIsMember(scope, 'delete webhooks');
  const { url } = await getWebhookRow(ctx.db, scope, id);
  await change(ctx, scope, {
    when: { exists: [rowExists(webhook, scope.orgId, id), () => notFound('The webhook')] },
    write: [ctx.db.delete(webhook).where(isWebhook(scope, id))],
    audit: { action: 'integration.webhook-deleted', targetId: id, detail: { name: url } },
    publish: [],
  });
}
