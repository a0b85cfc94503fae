/**
 * Takes a sync job some pages further. A page is applied in one transaction with where the job then stands and the
 * message that goes on from there, so that after a crash it goes on where it was; where Stripe asks for a pause or cannot
 * be reached the message comes again later, and the job says so.
 */
import { and, eq, sql } from 'drizzle-orm';
import { commitIf } from '#worker/db/commit-if';
import { commit, type Db, openDatabase } from '#worker/db/database';
import { stripeSyncJob } from '#worker/db/schema/stripe';
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';
import type { StripeSyncAdvanced } from '#worker/queue/messages';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { announceCustomers } from './announce-customers.ts';
import { clientOf } from './client-of.ts';
import { findIntegrationRow, type SyncJobRow } from './integration-store.ts';
import { passesByItself, type StripeFailure, stripeFailureOf, wordsOf } from './stripe-failure.ts';
import type { StripeSource } from './stripe-source.ts';
import { syncPage } from './sync-page.ts';
import { troubleBegins, troubleEnds } from './trouble.ts';

/** Of one message: its calls stay well below what one invocation may make, and its time below a minute's. */
const MAX_PAGES = 20;
const MAX_STRETCH_MS = 20_000;
/** Names of customers that ledgers are asked about: each may be in another object, in every environment and location. */
const MAX_TOLD = 500;
const MAX_PAUSE_MS = 5 * 60_000;
/** A queue may keep a message back a little less long than it was asked to. */
const EARLY_MS = 1_000;

/** @param clock epoch milliseconds */
export async function advanceSync(env: Env, message: StripeSyncAdvanced, clock: () => number): Promise<void> {
  const db = openDatabase(env.DB);
  const startedAt = clock();
  const [job] = await db.select().from(stripeSyncJob).where(eq(stripeSyncJob.id, message.jobId));
  if (job === undefined || job.status !== 'running') {
    await commit(db, [outboxDone(db, message.outboxId)]);
    return;
  }
  // Somebody else is further, or it is not time yet: a message of then is on its way or in the outbox.
  if (job.pages !== message.page || (job.waitsUntil ?? 0) > startedAt + EARLY_MS) return;
  const integration = await findIntegrationRow(db, job.integrationId);
  if (integration === null) {
    await end(db, job, message, clock(), 'The integration was deleted');
    return;
  }

  const source = { env, db, integration, stripe: await clientOf(settingsOf(env), integration), clock };
  let standing: Standing | null = { job, message, told: 0 };
  for (let pages = 0; standing !== null; pages++) {
    const isEnough = pages === MAX_PAGES || standing.told >= MAX_TOLD;
    if (isEnough || clock() - startedAt > MAX_STRETCH_MS) {
      await sendMessage(env, standing.message);
      return;
    }
    standing = await advanceOnePage(source, standing);
  }
}

interface Standing {
  readonly job: SyncJobRow;
  readonly message: StripeSyncAdvanced;
  /** Names that ledgers were asked about in this stretch. */
  readonly told: number;
}

/** @returns null where there is nothing more to be done now */
async function advanceOnePage(
  source: StripeSource,
  { job, message, told }: Standing,
): Promise<Standing | null> {
  const { env, db, integration, clock } = source;
  try {
    const page = await syncPage(source, job);
    const now = clock();
    const isLast = page.next === null;
    const after: SyncJobRow = {
      ...job,
      ...page.next,
      createdBefore: job.createdBefore,
      pages: job.pages + 1,
      processed: job.processed + page.processed,
      failed: job.failed + page.failed,
      ...{ error: null, waitsUntil: null },
      ...(isLast ? { status: 'finished', finishedAt: now } : {}),
    };
    const next: StripeSyncAdvanced = { ...message, page: after.pages, attempts: 0 };
    const unmet = await commitIf(db, { isHere: isAtPage(job) }, [
      ...page.statements,
      db.update(stripeSyncJob).set(after).where(eq(stripeSyncJob.id, job.id)),
      isLast ? outboxDone(db, message.outboxId) : outboxProgress(db, next, now),
      ...troubleEnds(db, integration),
    ]);
    if (unmet !== null) return null;
    const toldNow = await announceCustomers(env, db, page.outboxIds);
    return isLast ? null : { job: after, message: next, told: told + toldNow };
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    if (passesByItself(failure)) await wait(source, job, message, failure);
    else await end(db, job, message, clock(), wordsOf(failure), failure);
    return null;
  }
}

/** Nobody else has taken the job further, and it was not ended. */
function isAtPage({ id, pages }: SyncJobRow) {
  const isIt = and(
    eq(stripeSyncJob.id, id),
    eq(stripeSyncJob.status, 'running'),
    eq(stripeSyncJob.pages, pages),
  );
  return sql`EXISTS (SELECT 1 FROM ${stripeSyncJob} WHERE ${isIt})`;
}

async function wait(
  { env, db, clock }: StripeSource,
  job: SyncJobRow,
  message: StripeSyncAdvanced,
  failure: StripeFailure,
): Promise<void> {
  const now = clock();
  const attempts = message.attempts + 1;
  const growing = Math.min(2 ** attempts * 1000, MAX_PAUSE_MS);
  const asked = failure.kind === 'busy' ? failure.retryAfterMs : null;
  const pauseMs = asked ?? growing;
  const next: StripeSyncAdvanced = { ...message, attempts };
  log.info('a sync has to wait for Stripe', { kind: failure.kind, attempts, pauseMs, jobId: job.id });
  const unmet = await commitIf(db, { isHere: isAtPage(job) }, [
    db
      .update(stripeSyncJob)
      .set({ error: wordsOf(failure), waitsUntil: now + pauseMs })
      .where(eq(stripeSyncJob.id, job.id)),
    outboxProgress(db, next, now + pauseMs),
    ...troubleBegins(db, job.integrationId, failure, now),
  ]);
  if (unmet === null) await sendMessage(env, next, Math.ceil(pauseMs / 1000));
}

async function end(
  db: Db,
  job: SyncJobRow,
  message: StripeSyncAdvanced,
  now: number,
  error: string,
  failure?: StripeFailure,
): Promise<void> {
  await commitIf(db, { isHere: isAtPage(job) }, [
    db
      .update(stripeSyncJob)
      .set({ status: 'failed', error, waitsUntil: null, finishedAt: now })
      .where(eq(stripeSyncJob.id, job.id)),
    outboxDone(db, message.outboxId),
    ...(failure === undefined ? [] : troubleBegins(db, job.integrationId, failure, now)),
  ]);
}
