/**
 * Scheduled work of Stripe integrations, bounded per run, each part in an invocation of its own: polling for missed events, a daily sync of every
 * integration that was synchronised before, the prices of public plans, and deletion of old rows.
 */

import { and, asc, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { SYNC_TYPES } from '#contracts/console/stripe';
import { DAY_MS, MINUTE_MS } from '#engine/durations';
import { firstIdAt } from '#runtime/ids';
import type { StripePollsDue, StripeSyncsDue } from '#runtime/messages';
import { sendMessages } from '#runtime/send-message';
import { limitTo } from '#worker/db/limit-to';
import { stripeEvent, stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import type { Schedule } from '#worker/queue/schedule';
import { pollMissedEvents } from './events/poll-missed-events.ts';
import { findIntegrationRow, isNotDeleted } from './integration/integration-store.ts';
import { renewPrices } from './prices/renew-prices.ts';
import { startSync } from './sync/start-sync.ts';

const POLL_INTERVAL_MS = 10 * MINUTE_MS;
/** During a connection error, so that its end shows soon; after failures the pauses grow (integration/connection-error.ts). */
const POLL_INTERVAL_IN_ERROR_MS = MINUTE_MS;
/** Longer than Stripe retries a delivery or lists an event. */
const EVENT_RETENTION_MS = 35 * DAY_MS;
/** What the queue may deliver to one invocation: max_batch_size of the catch-up queue in wrangler.toml. */
const MESSAGES_AT_ONCE = 10;
/** Within the limits of one invocation: a poll takes a call to Stripe and a few to D1. */
const POLLS_AT_ONCE = 50;
/** Per run: each integration gets its ten minutes. */
const MAX_POLLS_DUE = 10_000;
/** In one invocation as well: starting the syncs of an integration takes about a dozen statements of D1. */
const SYNCS_AT_ONCE = 20;
/** Per run, each minute: enough for 100,000 integrations a day. The queue of the syncs paces their work. */
const MAX_SYNCS_DUE = 100;
/** In one statement: some 100 ms of D1. */
const DELETED_AT_ONCE = 1_000;
/**
 * Per run. 10,000 organisations with 1,000 events a day each produce 7,000 a minute; a run takes what a minute of twice as many
 * does, and stops after the time below, so that it ends before the next one starts.
 */
const MAX_DELETED = 15_000;
const DELETION_MS = 30_000;

export const STRIPE_SCHEDULE: Schedule<WorkContext> = {
  'poll-missed-stripe-events': pollMissed,
  'start-daily-stripe-syncs': startDailySyncs,
  'delete-old-stripe-rows': deleteOldRows,
  'renew-stripe-prices': renewPrices,
};

/** Polls some integrations itself; the queue polls the others at the same time. */
async function pollMissed(ctx: WorkContext): Promise<void> {
  const due = await readDue(ctx, sql`TRUE`, MAX_POLLS_DUE);
  await pollAll(ctx, await handOver(ctx, 'stripe.polls-due', due, POLLS_AT_ONCE));
}

/**
 * Hands the integrations beyond the first `atOnce` to the queue, in messages of which one invocation gets `atOnce` integrations
 * at most. @returns the first ones
 */
async function handOver(
  { env }: WorkContext,
  type: (StripePollsDue | StripeSyncsDue)['type'],
  due: readonly string[],
  atOnce: number,
): Promise<readonly string[]> {
  const size = atOnce / MESSAGES_AT_ONCE;
  const messages: (StripePollsDue | StripeSyncsDue)[] = [];
  for (let first = atOnce; first < due.length; first += size) {
    messages.push({ type, integrationIds: due.slice(first, first + size) });
  }
  await sendMessages(env, type, messages);
  return due.slice(0, atOnce);
}

/** Consumer of stripe.polls-due. @returns a promise per message, in order */
export function pollDue(ctx: WorkContext, messages: readonly StripePollsDue[]): readonly Promise<unknown>[] {
  return messages.map(({ integrationIds }) => pollAll(ctx, integrationIds));
}

/** Integrations that are to be asked, the one that was asked longest ago first. */
async function readDue({ db, now }: WorkContext, condition: SQL, limit: number): Promise<string[]> {
  const { id, lookedForEventsAt, secretKey, trouble, retryAt } = stripeIntegration;
  const pause = sql`CASE WHEN ${trouble} IS NULL THEN ${POLL_INTERVAL_MS} ELSE ${POLL_INTERVAL_IN_ERROR_MS} END`;
  const rows = await db
    .select({ id })
    .from(stripeIntegration)
    .where(
      and(
        isNotDeleted,
        isNotNull(secretKey),
        or(isNull(lookedForEventsAt), sql`${lookedForEventsAt} + ${pause} <= ${now}`),
        or(isNull(retryAt), lte(retryAt, now)),
        condition,
      ),
    )
    .orderBy(asc(lookedForEventsAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

async function pollAll(ctx: WorkContext, integrationIds: readonly string[]): Promise<void> {
  // Read again: another run may have asked some of them meanwhile.
  const due = await readDue(ctx, isListed(integrationIds), integrationIds.length);
  const polls = await Promise.allSettled(
    due.map(async (id) => {
      const integration = await findIntegrationRow(ctx.db, id);
      if (integration === null || (await pollMissedEvents(ctx, integration)) !== 'too-many') return;
      await syncAll(ctx, integration.orgId, integration.id);
    }),
  );
  for (const poll of polls) {
    if (poll.status === 'rejected') ctx.log.error('polling for missed events failed', { error: poll.reason });
  }
}

function isListed(integrationIds: readonly string[]): SQL {
  return sql`${stripeIntegration.id} IN (SELECT value FROM json_each(${JSON.stringify(integrationIds)}))`;
}

/** Repairs within a day whatever events did not report, or reported too late. */
async function startDailySyncs(ctx: WorkContext): Promise<void> {
  const due = await readSyncsDue(ctx, sql`TRUE`, MAX_SYNCS_DUE);
  const ids = due.map(({ id }) => id);
  await startSyncs(ctx, await handOver(ctx, 'stripe.syncs-due', ids, SYNCS_AT_ONCE));
}

/** Consumer of stripe.syncs-due. */
export function startDueSyncs(ctx: WorkContext, { integrationIds }: StripeSyncsDue): Promise<void> {
  return startSyncs(ctx, integrationIds);
}

/** Those that were synchronised before, and not within a day; the one that has waited longest first. */
async function readSyncsDue({ db, now }: WorkContext, condition: SQL, limit: number) {
  const jobs = sql`${stripeSyncJob} j WHERE j.integration_id = ${sql.raw('stripe_integration.id')} AND j.type = 'stripe-customer'`;
  const lastAt = sql`(SELECT max(j.started_at) FROM ${jobs})`;
  return db
    .select({ id: stripeIntegration.id, orgId: stripeIntegration.orgId })
    .from(stripeIntegration)
    .where(
      and(
        condition,
        isNotDeleted,
        // An error of the whole account. One of a single object, which may be shown for long, does not prevent a sync.
        isNull(stripeIntegration.retryAt),
        sql`${lastAt} <= ${now - DAY_MS}`,
        sql`EXISTS (SELECT 1 FROM ${jobs} AND j.status = 'finished')`,
        sql`NOT EXISTS (SELECT 1 FROM ${jobs} AND j.status = 'running')`,
      ),
    )
    .orderBy(asc(lastAt))
    .limit(limit);
}

/** One that cannot be started does not stop the others. */
async function startSyncs(ctx: WorkContext, integrationIds: readonly string[]): Promise<void> {
  // Read again: another run may have started some of them meanwhile.
  for (const { id, orgId } of await readSyncsDue(ctx, isListed(integrationIds), integrationIds.length)) {
    try {
      await syncAll(ctx, orgId, id);
    } catch (error) {
      ctx.log.error('a daily sync could not be started', { orgId, integrationId: id, error });
    }
  }
}

async function syncAll(ctx: WorkContext, orgId: string, integrationId: string): Promise<void> {
  for (const type of SYNC_TYPES) {
    try {
      await startSync(ctx, { orgId, actor: null }, integrationId, type);
    } catch (error) {
      // A sync is already running, or the integration was just deleted.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** In chunks, as long as the last one was full. Another run meanwhile only deletes other rows. */
async function deleteOldRows({ db, now, clock, log }: WorkContext): Promise<void> {
  const before = now - EVENT_RETENTION_MS;
  const oldEvents = sql`SELECT rowid FROM ${stripeEvent} WHERE received_at < ${before} ${limitTo(DELETED_AT_ONCE)}`;
  // Job ids sort by time, so the primary key finds the old ones. The newest job of each type is kept.
  const hasNewer = sql`EXISTS (SELECT 1 FROM ${stripeSyncJob} n WHERE n.integration_id = j.integration_id
    AND n.type = j.type AND n.started_at > j.started_at)`;
  const oldJobs = sql`SELECT j.rowid FROM ${stripeSyncJob} j WHERE j.id < ${firstIdAt('sync', before)}
    AND j.status <> 'running' AND ${hasNewer} ${limitTo(DELETED_AT_ONCE)}`;
  const chunks = [
    () => db.delete(stripeEvent).where(sql`rowid IN (${oldEvents})`).run(),
    () => db.delete(stripeSyncJob).where(sql`rowid IN (${oldJobs})`).run(),
  ];
  const endAt = clock() + DELETION_MS;
  for (const deleteChunk of chunks) {
    let deleted = 0;
    let isFull = true;
    while (isFull && deleted < MAX_DELETED && clock() < endAt) {
      const { meta } = await deleteChunk();
      deleted += meta.changes;
      isFull = meta.changes >= DELETED_AT_ONCE;
    }
    if (isFull) log.warn('old Stripe rows remain: the next run goes on', { deleted });
  }
}
