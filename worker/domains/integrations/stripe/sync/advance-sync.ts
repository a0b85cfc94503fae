/**
 * Consumer of stripe.sync-advanced: advances a sync job by some pages. Each page commits atomically with the job's
 * position and the message for the next page, so a crash resumes at the same page. If Stripe is rate limiting or
 * unreachable, the message is delayed and the job shows why.
 */
import { and, eq, sql } from 'drizzle-orm';
import { pauseAfter } from '#engine/back-off';
import type { StripeSyncAdvanced } from '#runtime/messages';
import { EARLY_DELIVERY_MS, sendMessage } from '#runtime/send-message';
import { commitIf } from '#worker/db/commit-if';
import { commit } from '#worker/db/database';
import { stripeSyncJob } from '#worker/db/schema/stripe';
import { ledgerCallsOf } from '#worker/domains/customer-facts/ledger-calls';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import {
  clearConnectionError,
  hasSameKey,
  setConnectionError,
  showConnectionError,
} from '../integration/connection-error.ts';
import {
  findIntegrationRow,
  type StripeIntegrationRow,
  type SyncJobRow,
} from '../integration/integration-store.ts';
import { openPacedClient } from '../integration/open-integration-client.ts';
import { planRelease } from '../integration/plan-release.ts';
import {
  describeFailure,
  getStripeFailure,
  isTransient,
  type StripeFailure,
} from '../integration/stripe-failure.ts';
import { pushStoredCustomers } from './push-customers.ts';
import type { StripeSource } from './stripe-source.ts';
import { MAX_PAGE_SIZE, syncPage } from './sync-page.ts';

/** Per message: stays well below the subrequest limit and below a minute. */
const MAX_PAGES = 20;
const MAX_DURATION_MS = 20_000;
const PAUSES_MS = { first: 2_000, longest: 5 * 60_000 };

export async function advanceSync(ctx: WorkContext, message: StripeSyncAdvanced): Promise<void> {
  const { db, clock, now: startedAt } = ctx;
  const [job] = await db.select().from(stripeSyncJob).where(eq(stripeSyncJob.id, message.jobId));
  if (job === undefined || job.status !== 'running') {
    await commit(db, [outboxDone(db, message.outboxId)]);
    return;
  }
  // Another consumer is further, or it is too early: that state's message is in the queue or in the outbox.
  if (job.pages !== message.page || (job.waitsUntil ?? 0) > startedAt + EARLY_DELIVERY_MS) return;
  const integration = await findIntegrationRow(db, job.integrationId);
  if (integration === null) {
    await fail(ctx, job, message, 'The integration was deleted');
    return;
  }

  const source = { ctx, integration, stripe: await openPacedClient(ctx, integration) };
  const calls = ledgerCallsOf(ctx);
  let progress: Progress | null = { job, message };
  for (let pages = 0; progress !== null; pages++) {
    // What did not fit is pushed by a message of its own.
    const isEnough = pages === MAX_PAGES || calls.isUsedUp;
    if (isEnough || clock() - startedAt > MAX_DURATION_MS) {
      await sendMessage(ctx.env, progress.message);
      return;
    }
    progress = await advanceOnePage(source, progress);
  }
}

interface Progress {
  readonly job: SyncJobRow;
  readonly message: StripeSyncAdvanced;
}

/** @returns null if this message has no more work */
async function advanceOnePage(source: StripeSource, { job, message }: Progress): Promise<Progress | null> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  try {
    const page = await syncPage(source, job);
    const now = clock();
    const isLast = page.next === null;
    const after: SyncJobRow = {
      ...job,
      ...page.next,
      createdBefore: job.createdBefore,
      pages: job.pages + 1,
      pageSize: Math.min(job.pageSize * 2, MAX_PAGE_SIZE),
      processed: job.processed + page.processed,
      failed: job.failed + page.failed,
      error: null,
      waitsUntil: null,
      ...(isLast ? { status: 'finished', finishedAt: now } : {}),
    };
    const next: StripeSyncAdvanced = { ...message, page: after.pages, attempts: 0 };
    const unmet = await commitIf(db, { isUnchanged: isAtPage(job) }, [
      ...page.statements,
      db.update(stripeSyncJob).set(after).where(eq(stripeSyncJob.id, job.id)),
      isLast ? outboxDone(db, message.outboxId) : outboxProgress(db, next, now),
      ...clearConnectionError(db, integration, now),
    ]);
    if (unmet !== null) return null;
    if (integration.trouble !== null) await planRelease(ctx, integration);
    await pushStoredCustomers(ctx, page.outboxIds);
    return isLast ? null : { job: after, message: next };
  } catch (error) {
    const failure = getStripeFailure(error);
    if (isTransient(failure)) await postpone(source, job, message, failure);
    else await fail(ctx, job, message, describeFailure(failure), { integration, failure });
    return null;
  }
}

/** Condition: the job is running and at the page at which it was read. */
function isAtPage({ id, pages }: SyncJobRow) {
  const isIt = and(
    eq(stripeSyncJob.id, id),
    eq(stripeSyncJob.status, 'running'),
    eq(stripeSyncJob.pages, pages),
  );
  return sql`EXISTS (SELECT 1 FROM ${stripeSyncJob} WHERE ${isIt})`;
}

async function postpone(
  { ctx: { env, db, clock, log }, integration }: StripeSource,
  job: SyncJobRow,
  message: StripeSyncAdvanced,
  failure: StripeFailure,
): Promise<void> {
  const now = clock();
  const attempts = message.attempts + 1;
  const requestedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : null;
  const pauseMs = requestedMs ?? pauseAfter(attempts, PAUSES_MS);
  const next: StripeSyncAdvanced = { ...message, attempts };
  log.info('Stripe sync postponed', { kind: failure.kind, attempts, pauseMs, jobId: job.id });
  const unmet = await commitIf(db, { isUnchanged: isAtPage(job) }, [
    db
      .update(stripeSyncJob)
      .set({
        error: describeFailure(failure),
        waitsUntil: now + pauseMs,
        pageSize: pageSizeAfter(job, failure),
      })
      .where(eq(stripeSyncJob.id, job.id)),
    outboxProgress(db, next, now + pauseMs),
    ...showConnectionError(db, integration, failure, now),
  ]);
  if (unmet === null) await sendMessage(env, next, Math.ceil(pauseMs / 1000));
}

/** The page may have been too heavy for Stripe to list in time, e.g. for customers with many subscriptions. */
function pageSizeAfter({ pageSize }: SyncJobRow, { kind }: StripeFailure): number {
  return kind === 'unavailable' ? Math.max(Math.floor(pageSize / 2), 1) : pageSize;
}

/** A job whose key was replaced meanwhile continues with the new one. */
async function fail(
  { env, db, clock }: WorkContext,
  job: SyncJobRow,
  message: StripeSyncAdvanced,
  error: string,
  cause?: { readonly integration: StripeIntegrationRow; readonly failure: StripeFailure },
): Promise<void> {
  const now = clock();
  const hasKey = cause === undefined ? sql`TRUE` : hasSameKey(cause.integration);
  const unmet = await commitIf(db, { isUnchanged: isAtPage(job), hasKey }, [
    db
      .update(stripeSyncJob)
      .set({ status: 'failed', error, waitsUntil: null, finishedAt: now })
      .where(eq(stripeSyncJob.id, job.id)),
    outboxDone(db, message.outboxId),
    ...(cause === undefined ? [] : setConnectionError(db, cause.integration, cause.failure, now)),
  ]);
  if (unmet === 'hasKey') await sendMessage(env, message);
}
