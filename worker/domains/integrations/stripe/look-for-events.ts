/**
 * Looks for events that Stripe did not get through, or that were never sent because there is no webhook: those that are
 * newer than the last one seen go the way of all that are received. It is as well how trouble with Stripe is found to be over.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { STRIPE_WEBHOOK_EVENTS } from '#contracts/stripe';
import { commit } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { sendMessage } from '#worker/queue/send-message';
import { clientOf } from './client-of.ts';
import type { StripeIntegrationRow } from './integration-store.ts';
import { storeEvents } from './store-events.ts';
import { stripeFailureOf } from './stripe-failure.ts';
import { troubleBegins, troubleEnds } from './trouble.ts';

const PAGE = 100;
/** Of one look: who has missed more than so many events is read anew (reconcile). */
const MAX_PAGES = 10;
const OVERLAP_MS = 10 * 60_000;

export type Look = 'complete' | 'too-many' | 'not-possible';

/** @returns `too-many`: some were left out, and everything is to be read anew */
export async function lookForEvents(ctx: WorkContext, integration: StripeIntegrationRow): Promise<Look> {
  const { db, now } = ctx;
  const { id, lookedForEventsAt } = integration;
  // Whoever is first has it: another cron finds it not due.
  const claimed = await db
    .update(stripeIntegration)
    .set({ lookedForEventsAt: now })
    .where(
      and(eq(stripeIntegration.id, id), sql`${stripeIntegration.lookedForEventsAt} IS ${lookedForEventsAt}`),
    )
    .returning({ id: stripeIntegration.id });
  if (claimed.length === 0) return 'complete';
  try {
    const stripe = await clientOf(ctx.settings, integration);
    const found = await readNewer(ctx, stripe, integration);
    await commit(db, [
      db
        .update(stripeIntegration)
        .set({ lastSeenEventId: found.newestId ?? integration.lastSeenEventId })
        .where(eq(stripeIntegration.id, id)),
      ...troubleEnds(db, integration),
    ]);
    return found.isComplete ? 'complete' : 'too-many';
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    // A restricted key need not be allowed to read events: the webhook and the daily sync do without.
    const isWithoutNeed = failure.kind === 'not-allowed' || failure.kind === 'invalid';
    const statements = isWithoutNeed ? [] : troubleBegins(db, id, failure, now);
    await commit(db, statements);
    return 'not-possible';
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
      // Stripe keeps events for thirty days, and this one is older.
      if (stripeFailureOf(error)?.kind !== 'missing') throw error;
      return readBack(ctx, stripe, integration, since);
    }
    await store(ctx, integration, listed.data);
    newestId = listed.data[0]?.id ?? newestId;
    if (!listed.has_more) return { newestId, isComplete: true };
  }
  return { newestId, isComplete: false };
}

/** From the newest back to an instant, as long as none is known to go on from. @param since epoch seconds */
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
