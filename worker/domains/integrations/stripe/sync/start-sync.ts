/** Starts a sync job, which reads all customers or products of an integration; the queue advances it. */
import { and, eq, sql } from 'drizzle-orm';
import type { SyncJob, SyncType } from '#contracts/console/stripe';
import type { StripeSyncAdvanced } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { isUniqueViolation } from '#worker/db/database';
import { stripeIntegration, stripeSyncJob } from '#worker/db/schema/stripe';
import { ApiError, notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { outboxRow } from '#worker/queue/outbox';
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
  try {
    const unmet = await commitIf(
      db,
      { exists: rowExists(stripeIntegration, orgId, integrationId, isNotDeleted) },
      [
        db.insert(stripeSyncJob).values(job),
        outboxRow(db, message, now),
        auditRow(ctx, scope, {
          action: 'stripe-integration.sync-started',
          targetId: integrationId,
          detail: { jobId: job.id, type },
        }),
      ],
    );
    if (unmet !== null) throw notFound('The integration');
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
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
    throw new ApiError(
      'conflict',
      `A sync of ${type === 'stripe-customer' ? 'customers' : 'products'} is already running`,
      running === undefined ? {} : { current: asSyncJob(running) },
    );
  }
  ctx.waitUntil(sendMessage(ctx.env, message));
  return asSyncJob(job);
}
