/** The log of what was sent to a webhook: read, sent again, and forgotten after 30 days. */
import { and, asc, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import {
  DELIVERIES_KEPT_DAYS,
  DELIVERIES_PER_PAGE,
  type Delivery,
  type DeliveryPage,
  type DeliveryState,
  MAX_RESENT,
} from '#contracts/console/webhooks';
import { DAY_MS } from '#engine/durations';
import type { Db } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import { webhookDelivery } from '#worker/db/schema/webhooks';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { wakeWebhooks } from './wake-webhooks.ts';
import { getWebhookRow, mustBeEnabled } from './webhook-store.ts';

/** Per run of the schedule. */
const MAX_FORGOTTEN = 5_000;

/** For people: why a disabled webhook was not sent an event. */
export const WAS_DISABLED = 'The webhook was disabled';

type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** Newest first. @throws {ApiError} not-found */
export async function listDeliveries(
  { db }: RequestContext,
  scope: Scope,
  webhookId: string,
  { before, state }: { readonly before?: string | undefined; readonly state?: DeliveryState | undefined },
): Promise<DeliveryPage> {
  await getWebhookRow(db, scope, webhookId);
  const rows = await db
    .select()
    .from(webhookDelivery)
    .where(
      and(
        eq(webhookDelivery.webhookId, webhookId),
        before === undefined ? undefined : lt(webhookDelivery.eventId, before),
        state === undefined ? undefined : eq(webhookDelivery.state, state),
      ),
    )
    .orderBy(desc(webhookDelivery.eventId))
    .limit(DELIVERIES_PER_PAGE + 1);
  const shown = rows.slice(0, DELIVERIES_PER_PAGE);
  return {
    deliveries: shown.map(asDelivery),
    next: rows.length > shown.length ? (shown.at(-1)?.eventId ?? null) : null,
  };
}

/** @throws {ApiError} not-found */
export async function getDelivery(db: Db, webhookId: string, eventId: string): Promise<Delivery> {
  const [row] = await db.select().from(webhookDelivery).where(isDelivery(webhookId, eventId));
  if (row === undefined) throw notFound('The event');
  return asDelivery(row);
}

const isDelivery = (webhookId: string, eventId: string) =>
  and(eq(webhookDelivery.webhookId, webhookId), eq(webhookDelivery.eventId, eventId));

function asDelivery({ webhookId: _, orgId: __, ...row }: DeliveryRow): Delivery {
  return row;
}

/** Starts over with all attempts, also what was delivered. @throws {ApiError} not-found; conflict while the webhook is disabled */
export async function resendDelivery(
  ctx: RequestContext,
  scope: MemberScope,
  webhookId: string,
  eventId: string,
): Promise<Delivery> {
  await getWebhookRow(ctx.db, scope, webhookId);
  await getDelivery(ctx.db, webhookId, eventId);
  await resend(ctx, scope, webhookId, [eventId]);
  return getDelivery(ctx.db, webhookId, eventId);
}

/** The oldest first, at most 1,000. @throws {ApiError} not-found; conflict while the webhook is disabled */
export async function resendFailed(
  ctx: RequestContext,
  scope: MemberScope,
  webhookId: string,
): Promise<{ resent: number }> {
  await getWebhookRow(ctx.db, scope, webhookId);
  const failed = await ctx.db
    .select({ id: webhookDelivery.eventId })
    .from(webhookDelivery)
    .where(and(eq(webhookDelivery.webhookId, webhookId), eq(webhookDelivery.state, 'failed')))
    .orderBy(asc(webhookDelivery.eventId))
    .limit(MAX_RESENT);
  if (failed.length > 0) {
    await resend(
      ctx,
      scope,
      webhookId,
      failed.map(({ id }) => id),
    );
  }
  return { resent: failed.length };
}

async function resend(
  ctx: RequestContext,
  scope: MemberScope,
  webhookId: string,
  eventIds: readonly string[],
) {
  const { db, now } = ctx;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(eventIds)}))`;
  await change(ctx, scope, {
    when: { isOn: mustBeEnabled(webhookId) },
    write: [
      db
        .update(webhookDelivery)
        .set({ state: 'waiting', nextAt: now, attempts: 0 })
        .where(and(eq(webhookDelivery.webhookId, webhookId), sql`${webhookDelivery.eventId} IN ${ids}`)),
    ],
    audit: { action: 'integration.webhook-resent', targetId: webhookId, detail: { events: eventIds.length } },
    publish: [{ announce: () => wakeWebhooks(ctx, scope) }],
  });
}

/** Condition with an index: of the log of a month, what is still to be sent. */
export const isWaiting = (webhookId: string) =>
  and(eq(webhookDelivery.webhookId, webhookId), eq(webhookDelivery.state, 'waiting'));

/** Statement: what waits for a webhook has failed. */
export function endWaiting(db: Db, webhookId: string) {
  return db
    .update(webhookDelivery)
    .set({ state: 'failed', nextAt: null, problem: WAS_DISABLED })
    .where(and(isWaiting(webhookId), isNotNull(webhookDelivery.nextAt)));
}

/** For the schedule. */
export async function forgetDeliveries({ db, now }: WorkContext): Promise<void> {
  const isOld = lt(webhookDelivery.createdAt, now - DELIVERIES_KEPT_DAYS * DAY_MS);
  const old = sql`SELECT rowid FROM ${webhookDelivery} WHERE ${isOld} ${limitTo(MAX_FORGOTTEN)}`;
  await db.delete(webhookDelivery).where(sql`rowid IN (${old})`);
}
