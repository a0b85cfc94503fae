/** Messages for webhooks that have something to be sent. */
import { and, asc, eq, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import { sendMessages } from '#runtime/send-message';
import { webhook, webhookDelivery } from '#worker/db/schema/webhooks';
import type { Scope } from '#worker/http/request-context';
import type { ChangeContext } from '#worker/queue/change';

type WakeContext = Pick<ChangeContext, 'db' | 'env' | 'now' | 'waitUntil'>;

/** At once. What has been due longest comes first. */
const MAX_WOKEN = 1_000;

/** After a commit: the answer does not wait for it, and the schedule repeats what is lost. */
export async function wakeWebhooks(ctx: WakeContext, scope: Scope): Promise<void> {
  ctx.waitUntil(wake(ctx, eq(webhook.orgId, scope.orgId)));
}

/** Every minute. */
export async function wakeDueWebhooks(ctx: WakeContext): Promise<void> {
  await wake(ctx);
}

async function wake(
  { db, env, now }: Pick<WakeContext, 'db' | 'env' | 'now'>,
  condition = sql`TRUE`,
): Promise<void> {
  const isDue = and(lte(webhookDelivery.nextAt, now), isNotNull(webhookDelivery.nextAt));
  const isFree = and(isNull(webhook.disabledBecause), lte(webhook.leasedUntil, now));
  const rows = await db
    .select({ webhookId: webhook.id, orgId: webhook.orgId })
    .from(webhookDelivery)
    .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
    .where(and(isDue, isFree, condition))
    .groupBy(webhook.id)
    .orderBy(asc(min(webhookDelivery.nextAt)))
    .limit(MAX_WOKEN);
  const messages = rows.map((row) => ({ type: 'webhook.due', ...row }) as const);
  await sendMessages(env, 'webhook.due', messages);
}
