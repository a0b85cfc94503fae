/**
 * Consumer of stripe.events-released: processes an integration's waiting events, oldest first, a bounded number at a time.
 * It then plans its next run behind those of other integrations, so that none waits for the backlog of another. While the
 * account has a connection error, one object is fetched to find out whether it has ended.
 */
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { StripeEventReceived, StripeEventsReleased } from '#runtime/messages';
import { EARLY_DELIVERY_MS } from '#runtime/send-message';
import { outbox } from '#worker/db/schema/operations';
import { stripeEvent, stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { isHeld, LONGEST_PAUSE_MS } from '../integration/connection-error.ts';
import { isNotDeleted, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { planRelease } from '../integration/plan-release.ts';
import { groupByObject, openSource, processGroup } from './process-events.ts';

/** Per message. */
const MAX_EVENTS = 200;
const MAX_OBJECTS = 20;

/** @returns a promise per message, in order */
export function releaseEvents(
  ctx: WorkContext,
  messages: readonly StripeEventsReleased[],
): readonly Promise<unknown>[] {
  return messages.map(({ integrationId }) => releaseSome(ctx, integrationId));
}

async function releaseSome(ctx: WorkContext, integrationId: string): Promise<void> {
  const integration = await claim(ctx, integrationId);
  if (integration === null) return;
  const { retryAt } = integration;
  if (retryAt !== null && isHeld(integration, ctx.clock())) {
    await planRelease(ctx, integration, retryAt);
    return;
  }
  const isTrial = retryAt !== null;
  const waiting = await readWaiting(ctx, integrationId, isTrial);
  const groups = groupByObject(waiting);
  const some = groups.slice(0, isTrial ? 1 : MAX_OBJECTS);
  if (some.length === 0) return;
  const source = await openSource(ctx, integration, MAX_OBJECTS);
  const works = await Promise.allSettled(some.map((group) => processGroup(source, group)));
  for (const work of works) {
    // Its outbox row is sent again after a minute.
    if (work.status === 'rejected') {
      ctx.log.warn('Stripe event could not be processed', { integrationId, error: work.reason });
    }
  }
  const outcomes = works.map((work) => (work.status === 'fulfilled' ? work.value : null));
  // A group that waits for itself is postponed, so it does not hold the others.
  const isProgress =
    !outcomes.includes('account-waits') &&
    outcomes.some((outcome) => outcome === 'done' || outcome === 'waits');
  const isMore = groups.length > some.length || waiting.length === MAX_EVENTS;
  if (isProgress && isMore) await planRelease(ctx, integration);
}

/** Null: another message is planned or underway, or the integration was deleted. */
async function claim({ db }: WorkContext, integrationId: string): Promise<StripeIntegrationRow | null> {
  const { id, releaseAt } = stripeIntegration;
  const [claimed] = await db
    .update(stripeIntegration)
    .set({ releaseAt: null })
    .where(and(eq(id, integrationId), isNotDeleted, lte(releaseAt, Date.now() + EARLY_DELIVERY_MS)))
    .returning();
  return claimed ?? null;
}

/**
 * Events that are not done and not postponed. To find out whether a connection error has ended, the event that was tried longest ago
 * serves as well: it must not wait for a pause of its own.
 */
async function readWaiting(
  { db, clock }: WorkContext,
  integrationId: string,
  isTrial: boolean,
): Promise<StripeEventReceived[]> {
  const dueBefore = clock() + (isTrial ? LONGEST_PAUSE_MS : EARLY_DELIVERY_MS);
  const rows = await db
    .select({ payload: sql<string>`${outbox.payload}` })
    .from(stripeEvent)
    // As outboxIdOfEvent.
    .innerJoin(outbox, eq(outbox.id, sql`'out_' || ${stripeEvent.integrationId} || '_' || ${stripeEvent.id}`))
    .where(
      and(
        eq(stripeEvent.integrationId, integrationId),
        isNull(stripeEvent.doneAt),
        or(lte(outbox.sentAt, dueBefore), eq(outbox.sentAt, outbox.createdAt)),
      ),
    )
    .orderBy(...(isTrial ? [asc(outbox.sentAt)] : []), asc(stripeEvent.createdAt))
    .limit(MAX_EVENTS);
  // A malformed row is moved to the dead letters when it is resent.
  return rows.flatMap(({ payload }) => readEvent(payload) ?? []);
}

function readEvent(payload: string): StripeEventReceived | null {
  try {
    const message = JSON.parse(payload) as StripeEventReceived | null;
    return message?.type === 'stripe.event-received' ? message : null;
  } catch {
    return null;
  }
}
