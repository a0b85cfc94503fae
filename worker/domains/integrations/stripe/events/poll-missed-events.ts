/**
 * Polls Stripe for events that the webhook missed, or that were never sent because there is no webhook. Events newer
 * than the last seen one are stored as if they were received. A successful poll also clears the connection error.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { STRIPE_WEBHOOK_EVENTS } from '#contracts/console/stripe';
import { commit } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { sendMessage } from '#worker/queue/send-message';
import { clearConnectionError, setConnectionError } from '../integration/connection-error.ts';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { storeEvents } from './store-events.ts';

const PAGE = 100;
/** Per poll. An integration that missed more events is synchronised in full instead. */
const MAX_PAGES = 10;
const OVERLAP_MS = 10 * 60_000;

export type PollResult = 'complete' | 'too-many' | 'failed';

/** @returns `too-many`: some events were skipped, and a full sync is needed */
export async function pollMissedEvents(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
): Promise<PollResult> {
  const { db, now } = ctx;
  const { id, lookedForEventsAt } = integration;
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
    const stripe = await openIntegrationClient(ctx.settings, integration);
    const found = await readNewer(ctx, stripe, integration);
    await commit(db, [
      db
        .update(stripeIntegration)
        .set({ lastSeenEventId: found.newestId ?? integration.lastSeenEventId })
        .where(eq(stripeIntegration.id, id)),
      ...clearConnectionError(db, integration),
    ]);
    return found.isComplete ? 'complete' : 'too-many';
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    // A restricted key without permission to read events is fine: the webhook and the daily sync suffice.
    const isIgnorable = failure.kind === 'not-allowed' || failure.kind === 'invalid';
    const statements = isIgnorable ? [] : setConnectionError(db, id, failure, now);
    await commit(db, statements);
    return 'failed';
  }
}

interface Found {
  readonly newestId: string | null;
  readonly isComplete: boolean;
}

async function readNewer(
  ctx: WorkContext,
  stripe: StripeClient,
  integration: StripeIntegrationRow,
): Promise<Found> {
  const { lastSeenEventId, lookedForEventsAt, createdAt } = integration;
  const since = Math.floor(((lookedForEventsAt ?? createdAt) - OVERLAP_MS) / 1000);
  if (lastSeenEventId === null) return readBack(ctx, stripe, integration, since);
  let newestId = lastSeenEventId;
  for (let page = 0; page < MAX_PAGES; page++) {
    let listed: Stripe.ApiList<Stripe.Event>;
    try {
      listed = await list(stripe, { ending_before: newestId });
    } catch (error) {
      // Stripe lists events for thirty days; this one is older.
      if (stripeFailureOf(error)?.kind !== 'missing') throw error;
      return readBack(ctx, stripe, integration, since);
    }
    await store(ctx, integration, listed.data);
    newestId = listed.data[0]?.id ?? newestId;
    if (!listed.has_more) return { newestId, isComplete: true };
  }
  return { newestId, isComplete: false };
}

/** Reads from the newest event back to an instant, where no last seen event is known. @param since epoch seconds */
async function readBack(
  ctx: WorkContext,
  stripe: StripeClient,
  integration: StripeIntegrationRow,
  since: number,
): Promise<Found> {
  let newestId: string | null = null;
  let oldestId: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await list(stripe, {
      created: { gte: since },
      ...(oldestId === null ? {} : { starting_after: oldestId }),
    });
    await store(ctx, integration, listed.data);
    newestId ??= listed.data[0]?.id ?? null;
    oldestId = listed.data.at(-1)?.id ?? null;
    if (!listed.has_more) return { newestId, isComplete: true };
  }
  return { newestId, isComplete: false };
}

function list(stripe: StripeClient, params: Stripe.EventListParams): Promise<Stripe.ApiList<Stripe.Event>> {
  return stripe.events.list({ types: [...STRIPE_WEBHOOK_EVENTS], limit: PAGE, ...params });
}

async function store(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
  events: readonly Stripe.Event[],
): Promise<void> {
  const own = events.filter(({ livemode }) => livemode === integration.livemode);
  for (const message of await storeEvents(ctx.db, integration, own, ctx.now)) {
    await sendMessage(ctx.env, message);
  }
}
