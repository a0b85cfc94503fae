/** Starts a sync job, which reads all customers or products of an integration; the queue advances it. */
import { and, eq, sql } from 'drizzle-orm';
import type { SyncJob, SyncType } from '#contracts/console/stripe';
import type { StripeSyncAdvanced } from '#runtime/messages';
import { rowExists } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { ApiError, notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { asSyncJob, isNotDeleted, type SyncJobRow } from '../integration/integration-store.ts';
import { MAX_PAGE_SIZE } from './sync-page.ts';

/**
 * @throws {ApiError} not-found; conflict with the running job as `current`
 */
export async function startSync(
  ctx: WorkContext,
  scope: ActorScope,
  integrationId: string,
  type: SyncType,
): Promise<SyncJob> {
  const { db, now } = ctx;
  const { orgId, actor } = scope;
  const job: SyncJobRow = {
    id: ctx.newId('sync'),
    orgId,
    integrationId,
    type,
    status: 'running',
    // Includes this second: objects created later in it arrive by webhook or by polling.
    createdBefore: Math.floor(now / 1000) + 1,
    cursor: null,
    cursorCreated: null,
    cursorPeers: null,
    pages: 0,
    pageSize: MAX_PAGE_SIZE,
    processed: 0,
    failed: 0,
    error: null,
    startedAt: now,
    startedByUserId: actor?.userId ?? null,
    finishedAt: null,
    waitsUntil: null,
  };
  const message: StripeSyncAdvanced = {
    type: 'stripe.sync-advanced',
    outboxId: ctx.newId('out'),
    orgId,
    jobId: job.id,
    page: 0,
    attempts: 0,
  };
  await change(ctx, scope, {
    when: {
      exists: [
        rowExists(stripeIntegration, orgId, integrationId, isNotDeleted),
        () => notFound('The integration'),
      ],
    },
    unique: { stripe_sync_job: () => alreadyRunning(db, job) },
    write: [db.insert(stripeSyncJob).values(job)],
    audit: {
      action: 'stripe-integration.sync-started',
      targetId: integrationId,
      detail: { jobId: job.id, type },
    },
    publish: [{ messages: [message] }],
  });
  return asSyncJob(job);
}

async function alreadyRunning(db: Db, { orgId, integrationId, type }: SyncJobRow): Promise<ApiError> {
  const [running] = await db
    .select()
    .from(stripeSyncJob)
    .where(
      and(
        eq(stripeSyncJob.orgId, orgId),
        eq(stripeSyncJob.integrationId, integrationId),
        eq(stripeSyncJob.type, type),
        sql`${stripeSyncJob.status} = 'running'`,
      ),
    );
  return new ApiError(
    'conflict',
    `A sync of ${type === 'stripe-customer' ? 'customers' : 'products'} is already running`,
    running === undefined ? {} : { current: asSyncJob(running) },
  );
}
