/**
 * Polls Stripe for events that the webhook missed, or that were never sent because there is no webhook. Events newer
 * than the last seen one are stored as if they were received. A successful poll also clears the connection error, and
 * looks up the webhook's endpoint if it should have brought what was found.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { ALL_STRIPE_EVENTS } from '#contracts/console/stripe';
import { commit } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { clearConnectionError, setConnectionError } from '../integration/connection-error.ts';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { planRelease } from '../integration/plan-release.ts';
import { getStripeFailure, stripeFailureOf } from '../integration/stripe-failure.ts';
import { checkWebhook } from './check-webhook.ts';
import { storeEvents } from './store-events.ts';

const PAGE = 100;
/** Per poll. An integration that missed more events is synchronised in full instead. */
const MAX_PAGES = 20;
/** Before the integration was created: its sync may have begun with what was stored then. */
const BEFORE_CREATION_MS = 10 * 60_000;

export type PollResult = 'complete' | 'too-many' | 'failed';

/** @returns `too-many`: some events were skipped, and a full sync is needed */
export async function pollMissedEvents(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
): Promise<PollResult> {
  const { db, now } = ctx;
  const { id, lookedForEventsAt, lastSeenEventId } = integration;
  // Claims the poll: a concurrent run of the schedule finds it not due.
  const claimed = await db
    .update(stripeIntegration)
    .set({ lookedForEventsAt: now })
    .where(
      and(eq(stripeIntegration.id, id), sql`${stripeIntegration.lookedForEventsAt} IS ${lookedForEventsAt}`),
    )
    .returning({ id: stripeIntegration.id });
  if (claimed.length === 0) return 'complete';
  try {
    // Not within the call budget: one call in ten minutes, which a bulk change must not prevent.
    const stripe = await openIntegrationClient(ctx.settings, integration);
    const found = await readNewer(ctx, stripe, integration);
    const webhook = await checkWebhook(ctx, stripe, integration, found.missedCount > 0);
    await commit(db, [
      db
        .update(stripeIntegration)
        .set({
          lastSeenEventId: found.newestId ?? lastSeenEventId,
          // After too many events the next poll goes on from here; a full sync covers the overlap.
          pollFromEventId: found.isComplete ? lastSeenEventId : found.newestId,
        })
        .where(eq(stripeIntegration.id, id)),
      ...clearConnectionError(db, integration, now),
      ...webhook,
    ]);
    if (found.storedCount > 0 || integration.trouble !== null) {
      await planRelease(ctx, integration);
    }
    return found.isComplete ? 'complete' : 'too-many';
  } catch (error) {
    const failure = getStripeFailure(error);
    // A restricted key without permission to read events is fine: the webhook and the daily sync suffice.
    const isIgnorable = failure.kind === 'not-allowed' || failure.kind === 'invalid';
    const statements = isIgnorable ? [] : setConnectionError(db, integration, failure, now);
    await commit(db, statements);
    return 'failed';
  }
}

interface Found {
  readonly newestId: string | null;
  readonly isComplete: boolean;
  /** How many events were new. */
  readonly storedCount: number;
  /** How many of them happened after the connection. */
  readonly missedCount: number;
}

/**
 * Reads the events since the last poll but one: Stripe may list an event later than a newer one, and what is stored
 * already changes nothing.
 */
async function readNewer(
  ctx: WorkContext,
  stripe: StripeClient,
  integration: StripeIntegrationRow,
): Promise<Found> {
  const { pollFromEventId } = integration;
  if (pollFromEventId === null) return readBack(ctx, stripe, integration);
  let newestId = pollFromEventId;
  const count = { storedCount: 0, missedCount: 0 };
  for (let page = 0; page < MAX_PAGES; page++) {
    let listed: Stripe.ApiList<Stripe.Event>;
    try {
      listed = await list(stripe, { ending_before: newestId });
    } catch (error) {
      // Stripe lists events for thirty days; this one is older.
      if (stripeFailureOf(error)?.kind !== 'missing') throw error;
      return readBack(ctx, stripe, integration);
    }
    await store(ctx, integration, listed.data, count);
    newestId = listed.data[0]?.id ?? newestId;
    if (!listed.has_more) return { newestId, isComplete: true, ...count };
  }
  return { newestId, isComplete: false, ...count };
}

/** Reads from the newest event back to the integration's creation, where no seen event is known. */
async function readBack(
  ctx: WorkContext,
  stripe: StripeClient,
  integration: StripeIntegrationRow,
): Promise<Found> {
  const since = Math.floor((integration.createdAt - BEFORE_CREATION_MS) / 1000);
  let newestId: string | null = null;
  let oldestId: string | null = null;
  const count = { storedCount: 0, missedCount: 0 };
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await list(stripe, {
      created: { gte: since },
      ...(oldestId === null ? {} : { starting_after: oldestId }),
    });
    await store(ctx, integration, listed.data, count);
    newestId ??= listed.data[0]?.id ?? null;
    oldestId = listed.data.at(-1)?.id ?? null;
    if (!listed.has_more) return { newestId, isComplete: true, ...count };
  }
  return { newestId, isComplete: false, ...count };
}

function list(stripe: StripeClient, params: Stripe.EventListParams): Promise<Stripe.ApiList<Stripe.Event>> {
  return stripe.events.list({ types: [...ALL_STRIPE_EVENTS], limit: PAGE, ...params });
}

/** Call once the list has arrived: an object that was read after that instant includes what the events report. */
async function store(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
  events: readonly Stripe.Event[],
  count: { storedCount: number; missedCount: number },
): Promise<void> {
  const own = events.filter(({ livemode }) => livemode === integration.livemode);
  // What happened before the connection says nothing about it.
  const isFirst = own.some(({ created }) => created >= Math.floor(integration.createdAt / 1000));
  const stored = await storeEvents(ctx.db, integration, own, ctx.clock(), isFirst);
  count.storedCount += stored.length;
  if (isFirst) count.missedCount += stored.length;
}
