/** What happened becomes a row for each webhook that chose it, in the batch of the change itself. */
import { and, eq, sql } from 'drizzle-orm';
import type { WebhookEvent } from '#contracts/public/webhooks';
import { insertSelect } from '#worker/db/insert-select';
import { webhook, webhookDelivery } from '#worker/db/schema/webhooks';
import { chose } from '#worker/db/told-by-webhook';
import type { Scope } from '#worker/http/request-context';
import type { ChangeContext, Publish } from '#worker/queue/change';
import { WAS_DISABLED } from './deliveries.ts';
import { wakeWebhooks } from './wake-webhooks.ts';

/** `type` and `data` of an event. */
export type News = WebhookEvent extends infer Event
  ? Event extends { type: infer Type; data: infer Data }
    ? { readonly type: Type; readonly data: Data }
    : never
  : never;

/** @param environmentId null: of no environment */
export function newsOf(scope: Scope, environmentId: string | null, news: News): Publish {
  return (ctx) => ({
    after: [insertDeliveries(ctx, scope, environmentId, news)],
    announce: () => wakeWebhooks(ctx, scope),
  });
}

/** Statement. What a disabled webhook misses has failed at once, and can be sent again for as long as the log keeps it. */
export function insertDeliveries(
  { db, now, newId }: Pick<ChangeContext, 'db' | 'now' | 'newId'>,
  { orgId }: Scope,
  environmentId: string | null,
  news: News,
) {
  const id = newId('evt');
  const event = { id, type: news.type, timestamp: new Date(now).toISOString(), data: news.data };
  const isOn = sql`${webhook.disabledBecause} IS NULL`;
  const values = {
    webhookId: sql`${webhook.id}`,
    ...{ eventId: id, orgId, type: news.type, environmentId },
    body: JSON.stringify(event),
    state: sql`CASE WHEN ${isOn} THEN 'waiting' ELSE 'failed' END`,
    createdAt: now,
    nextAt: sql`CASE WHEN ${isOn} THEN ${now} END`,
    problem: sql`CASE WHEN NOT (${isOn}) THEN ${WAS_DISABLED} END`,
  };
  return insertSelect(db, webhookDelivery, values, {
    from: sql`${webhook}`,
    where: and(
      eq(webhook.orgId, orgId),
      chose(webhook.environmentIds, environmentId),
      chose(webhook.types, news.type),
    ),
  });
}
