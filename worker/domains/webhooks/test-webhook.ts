/** Sends a test event to a webhook, and waits for its answer. */
import type { Delivery } from '#contracts/console/webhooks';
import type { WebhookEvent } from '#contracts/public/webhooks';
import { webhookDelivery } from '#worker/db/schema/webhooks';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { attemptDelivery } from './attempt-delivery.ts';
import { recordAttempt, recordHealth } from './deliver.ts';
import { getDelivery } from './deliveries.ts';
import { readSecrets } from './secrets.ts';
import { getWebhookRow, mustBeEnabled } from './webhook-store.ts';

/** A test that fails is not repeated. @throws {ApiError} not-found; conflict while the webhook is disabled */
export async function testWebhook(
  ctx: RequestContext,
  scope: MemberScope,
  webhookId: string,
): Promise<Delivery> {
  const { db, now, newId } = ctx;
  const row = await getWebhookRow(db, scope, webhookId);
  const eventId = newId('evt');
  const event: WebhookEvent = {
    ...{ id: eventId, type: 'webhook.test', timestamp: new Date(now).toISOString() },
    data: { message: 'A test that somebody sent from Tessera’s console.' },
  };
  const body = JSON.stringify(event);
  await change(ctx, scope, {
    when: { isOn: mustBeEnabled(webhookId) },
    write: [
      db.insert(webhookDelivery).values({
        ...{ webhookId, eventId, orgId: scope.orgId, type: 'webhook.test', body },
        ...{ state: 'waiting', createdAt: now },
      }),
    ],
    audit: { action: 'integration.webhook-tested', targetId: webhookId, detail: { name: row.url } },
    publish: [],
  });
  const secrets = await readSecrets(ctx, row);
  const attempt = await attemptDelivery({ url: row.url, secrets, event: { eventId, body } }, ctx.clock);
  const at = ctx.clock();
  await recordAttempt(ctx, { webhookId, eventId, attempts: 0, pauses: [] }, attempt, at);
  // A receiver that is still being built has not failed.
  if (attempt.isDelivered) await recordHealth(ctx, webhookId, attempt, at);
  return getDelivery(db, webhookId, eventId);
}
