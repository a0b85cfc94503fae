/** HTTP routes of webhooks. */
import { webhookEndpoints } from '#contracts/console/webhooks';
import { type Route, route } from '#worker/http/route';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listDeliveries, resendDelivery, resendFailed } from './deliveries.ts';
import { revealSecret, rotateSecret } from './secrets.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import { getWebhook, listWebhooks } from './webhook-store.ts';

export const webhookRoutes: readonly Route[] = [
  route(webhookEndpoints.list, ({ ctx, scope }) => listWebhooks(ctx, scope)),
  route(webhookEndpoints.create, ({ ctx, scope, body }) => createWebhook(ctx, scope, body)),
  route(webhookEndpoints.get, ({ ctx, scope, params }) => getWebhook(ctx, scope, params.webhookId)),
  route(webhookEndpoints.update, ({ ctx, scope, params, body }) =>
    updateWebhook(ctx, scope, params.webhookId, body),
  ),
  route(webhookEndpoints.remove, ({ ctx, scope, params }) => deleteWebhook(ctx, scope, params.webhookId)),
  route(webhookEndpoints.reveal, ({ ctx, scope, params }) => revealSecret(ctx, scope, params.webhookId)),
  route(webhookEndpoints.rotate, ({ ctx, scope, params }) => rotateSecret(ctx, scope, params.webhookId)),
  route(webhookEndpoints.test, ({ ctx, scope, params }) => testWebhook(ctx, scope, params.webhookId)),
  route(webhookEndpoints.deliveries, ({ ctx, scope, params, query }) =>
    listDeliveries(ctx, scope, params.webhookId, query),
  ),
  route(webhookEndpoints.resend, ({ ctx, scope, params }) =>
    resendDelivery(ctx, scope, params.webhookId, params.eventId),
  ),
  route(webhookEndpoints.resendFailed, ({ ctx, scope, params }) =>
    resendFailed(ctx, scope, params.webhookId),
  ),
];
