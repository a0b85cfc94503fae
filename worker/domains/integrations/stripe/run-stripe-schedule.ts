/**
 * What the clock asks of Stripe integrations, a little of it every minute: a look for missed events, a daily sync of
 * those that were synced before, and removal of what is old.
 */
import { and, asc, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { SYNC_TYPES } from '#contracts/stripe';
import { commit } from '#worker/db/database';
import { stripeEvent, stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { newId } from '#worker/platform/ids';
import { isNotDeleted } from './is-not-deleted.ts';
import { lookForEvents } from './look-for-events.ts';
import { startSync } from './start-sync.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** While Stripe refuses or is away: whoever puts it right sees it soon. */
const LOOK_IN_TROUBLE_EVERY_MS = MINUTE_MS;
/** Longer than Stripe sends an event again, and than it lists it. */
const KEEP_EVENTS_MS = 35 * DAY_MS;
const MAX_LOOKS = 50;
const MAX_SYNCS = 5;
const MAX_SWEPT = 1_000;

/** One that fails does not keep the others. */
export async function runStripeSchedule(ctx: WorkContext): Promise<void> {
  for (const work of [lookForMissed, startDailySyncs, sweep]) {
    try {
      await work(ctx);
    } catch (error) {
      ctx.log.error('scheduled work for Stripe failed', { work: work.name, error });
    }
  }
}

async function lookForMissed(ctx: WorkContext): Promise<void> {
  const { db, now } = ctx;
  const { lookedForEventsAt, trouble } = stripeIntegration;
  const pause = sql`CASE WHEN ${trouble} IS NULL THEN ${LOOK_EVERY_MS} ELSE ${LOOK_IN_TROUBLE_EVERY_MS} END`;
  const due = await db
    .select()
    .from(stripeIntegration)
    .where(
      and(
        isNotDeleted,
        isNotNull(stripeIntegration.secretKey),
        or(isNull(lookedForEventsAt), sql`${lookedForEventsAt} + ${pause} <= ${now}`),
      ),
    )
    .orderBy(asc(lookedForEventsAt))
    .limit(MAX_LOOKS);
  const looks = await Promise.allSettled(
    due.map(async (integration) => {
      if ((await lookForEvents(ctx, integration)) !== 'too-many') return;
      await syncAll(ctx, integration.orgId, integration.id);
    }),
  );
  for (const look of looks) {
    if (look.status === 'rejected')
      ctx.log.error('missed events could not be looked for', { error: look.reason });
  }
}

/** What no event tells of, or only one that came too late, is in step again within a day. */
async function startDailySyncs(ctx: WorkContext): Promise<void> {
  const { db, now } = ctx;
  const jobs = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${stripeSyncJob} j WHERE j.integration_id = ${sql.raw('stripe_integration.id')} AND j.type = 'stripe-customer' AND ${condition})`;
  const due = await db
    .select({ id: stripeIntegration.id, orgId: stripeIntegration.orgId })
    .from(stripeIntegration)
    .where(
      and(
        isNotDeleted,
        isNull(stripeIntegration.trouble),
        jobs(sql`j.status = 'finished'`),
        sql`NOT ${jobs(sql`j.started_at > ${now - DAY_MS}`)}`,
      ),
    )
    .limit(MAX_SYNCS);
  for (const { id, orgId } of due) await syncAll(ctx, orgId, id);
}

async function syncAll(ctx: WorkContext, orgId: string, integrationId: string): Promise<void> {
  for (const type of SYNC_TYPES) {
    try {
      await startSync(ctx, { orgId }, null, integrationId, type);
    } catch (error) {
      // One is running already, or the integration was deleted at this moment.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

async function sweep({ db, now }: WorkContext): Promise<void> {
  const before = now - KEEP_EVENTS_MS;
  const oldEvents = sql`SELECT rowid FROM ${stripeEvent} WHERE received_at < ${before} LIMIT ${MAX_SWEPT}`;
  // Ids of jobs are in the order of time, so that the old ones are found by them. The newest of its kind stays.
  const hasNewer = sql`EXISTS (SELECT 1 FROM ${stripeSyncJob} n WHERE n.integration_id = j.integration_id AND n.type = j.type AND n.started_at > j.started_at)`;
  const oldJobs = sql`SELECT j.rowid FROM ${stripeSyncJob} j WHERE j.id < ${newId('sync', before)} AND j.status <> 'running' AND ${hasNewer} LIMIT ${MAX_SWEPT}`;
  await commit(db, [
    db.delete(stripeEvent).where(sql`rowid IN (${oldEvents})`),
    db.delete(stripeSyncJob).where(sql`rowid IN (${oldJobs})`),
  ]);
}
