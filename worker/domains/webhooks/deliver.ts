/**
 * Consumer of webhook.due: sends what is due to one webhook. One invocation at a time does, so a slow address delays only itself; what
 * it does not manage is left for the next. An attempt that is not written down, because the invocation ended, is made again.
 */
import { and, asc, eq, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import type { WebhookDue, WebhookNoticeDue } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { webhook, webhookDelivery } from '#worker/db/schema/webhooks';
import { listAdministrators } from '#worker/domains/organisations/list-administrators';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { type Attempt, attemptDelivery } from './attempt-delivery.ts';
import { endWaiting, isWaiting } from './deliveries.ts';
import { readSecrets } from './secrets.ts';
import { isEnabled, type WebhookRow } from './webhook-store.ts';

const SECOND_MS = 1_000;
/** Pauses after each failed attempt, about three days in all. After the last one the event has failed. */
const PAUSES_MS: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
/** Of a pause, at most: webhooks that failed at once do not come back at once. */
const JITTER = 0.1;
/** After this long without a delivery a webhook is disabled. */
const FAILING_MS = 5 * DAY_MS;
/** So many connections at once leave some for another webhook in the invocation. */
const AT_ONCE = 3;
/** No attempt begins later, so that the last one ends within the lease. */
const BEGINS_MS = 25 * SECOND_MS;
const LEASE_MS = 60 * SECOND_MS;
/** Read at once. */
const PAGE = 30;
/** A queue delays a message by at most twelve hours; the schedule finds what is due later. */
const LONGEST_DELAY_MS = 15 * MINUTE_MS;

type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** Sends nothing while another invocation does, and nothing to a disabled webhook. */
export async function deliverDue(
  ctx: WorkContext,
  { webhookId }: Pick<WebhookDue, 'webhookId'>,
): Promise<void> {
  const startedAt = ctx.clock();
  const row = await lease(ctx, webhookId, startedAt);
  if (row === undefined) return;
  try {
    const secrets = await readSecrets(ctx, row);
    await sendPage({ ctx, row, secrets, startedAt });
  } finally {
    await ctx.db.update(webhook).set({ leasedUntil: 0 }).where(isLease(webhookId, startedAt));
  }
  await wakeLater(ctx, row);
}

const isLease = (webhookId: string, startedAt: number) =>
  and(eq(webhook.id, webhookId), eq(webhook.leasedUntil, startedAt + LEASE_MS));

async function lease({ db }: WorkContext, webhookId: string, now: number): Promise<WebhookRow | undefined> {
  const isFree = and(
    eq(webhook.id, webhookId),
    isNull(webhook.disabledBecause),
    lte(webhook.leasedUntil, now),
  );
  const [row] = await db
    .update(webhook)
    .set({ leasedUntil: now + LEASE_MS })
    .where(isFree)
    .returning();
  return row;
}

interface Round {
  readonly ctx: WorkContext;
  readonly row: WebhookRow;
  readonly secrets: readonly string[];
  readonly startedAt: number;
}

/** Oldest first, a few at once. Each result is stored before the next event is sent in its place. */
async function sendPage(round: Round): Promise<void> {
  const { ctx, row, startedAt } = round;
  const due = await ctx.db
    .select()
    .from(webhookDelivery)
    .where(and(isWaiting(row.id), lte(webhookDelivery.nextAt, startedAt)))
    .orderBy(asc(webhookDelivery.eventId))
    .limit(PAGE);
  let isDisabled = false;
  const sendNext = async (): Promise<void> => {
    const next = due.shift();
    if (next === undefined || isDisabled || ctx.clock() - startedAt > BEGINS_MS) return;
    isDisabled = (await send(round, next)) || isDisabled;
    return sendNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
}

/** @returns whether the webhook is disabled now */
async function send({ ctx, row, secrets }: Round, event: DeliveryRow): Promise<boolean> {
  const attempt = await attemptDelivery({ url: row.url, secrets, event }, ctx.clock);
  const now = ctx.clock();
  const [, [health]] = await ctx.db.batch([
    recordAttempt(ctx, { ...event, pauses: PAUSES_MS }, attempt, now),
    recordHealth(ctx, row.id, attempt, now),
  ]);
  if (attempt.isDelivered) return false;
  if (attempt.status === 410) return disable(ctx, row, 'gone');
  const isOver = health?.failingSince != null && now - health.failingSince > FAILING_MS;
  return isOver ? disable(ctx, row, 'failing') : false;
}

/** Statement. */
export function recordAttempt(
  { db }: Pick<WorkContext, 'db'>,
  event: Pick<DeliveryRow, 'webhookId' | 'eventId' | 'attempts'> & { readonly pauses: readonly number[] },
  { isDelivered, problem, ...answered }: Attempt,
  now: number,
) {
  const pause = isDelivered ? undefined : event.pauses[event.attempts];
  const jitter = 1 + (JITTER * (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0)) / 256;
  const state = isDelivered ? 'delivered' : pause === undefined ? 'failed' : 'waiting';
  return db
    .update(webhookDelivery)
    .set({
      ...{ ...answered, problem, state, lastAt: now, attempts: event.attempts + 1 },
      nextAt: pause === undefined ? null : Math.round(now + pause * jitter),
    })
    .where(and(eq(webhookDelivery.webhookId, event.webhookId), eq(webhookDelivery.eventId, event.eventId)));
}

/** Statement: since when nothing is delivered, which it returns. */
export function recordHealth(
  { db }: Pick<WorkContext, 'db'>,
  webhookId: string,
  { isDelivered }: Attempt,
  now: number,
) {
  const failingSince = isDelivered ? null : sql`coalesce(${webhook.failingSince}, ${now})`;
  return db
    .update(webhook)
    .set({ failingSince })
    .where(eq(webhook.id, webhookId))
    .returning({ failingSince: webhook.failingSince });
}

async function disable(ctx: WorkContext, row: WebhookRow, because: 'gone' | 'failing'): Promise<true> {
  const { db, newId } = ctx;
  const { id: webhookId, orgId, url } = row;
  const now = ctx.clock();
  const notices = (await listAdministrators(db, { orgId })).map(
    ({ userId }): WebhookNoticeDue => ({
      ...{ type: 'webhook.notice-due', outboxId: newId('out'), orgId, userId, webhookId, because },
      disabledAt: now,
    }),
  );
  await change(
    ctx,
    { orgId, actor: null },
    {
      when: { isOn: isEnabled(webhookId) },
      write: [
        db.update(webhook).set({ disabledBecause: because, updatedAt: now }).where(eq(webhook.id, webhookId)),
        endWaiting(db, webhookId),
      ],
      audit: { action: 'integration.webhook-disabled', targetId: webhookId, detail: { name: url, because } },
      publish: [{ messages: notices }],
    },
  );
  return true;
}

/** What is left, or due within a quarter of an hour, does not wait for the schedule. */
async function wakeLater(
  { db, env, clock }: WorkContext,
  { id: webhookId, orgId }: WebhookRow,
): Promise<void> {
  const [next] = await db
    .select({ at: min(webhookDelivery.nextAt) })
    .from(webhookDelivery)
    .where(and(isWaiting(webhookId), isNotNull(webhookDelivery.nextAt)));
  if (next?.at == null) return;
  const delayMs = Math.max(0, next.at - clock());
  if (delayMs > LONGEST_DELAY_MS) return;
  await sendMessage(env, { type: 'webhook.due', orgId, webhookId }, Math.ceil(delayMs / SECOND_MS));
}
