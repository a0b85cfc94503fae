/**
 * Deletes due organisations step by step, in slices. The progress is stored after each part, and each part can be repeated, so
 * a run may end anywhere; the next one goes on. See worker/domains/organisation-deletion/README.md, "Deleting an organisation".
 */
import { and, asc, eq, lte } from 'drizzle-orm';
import { pauseAfter } from '#engine/back-off';
import { MINUTE_MS } from '#engine/durations';
import { DELETION_STEPS, organisationDeletion } from '#worker/db/schema/organisation-deletions';
import type { WorkContext } from '#worker/http/request-context';
import { performStep } from './deletion-steps.ts';
import type { Deletion } from './progress.ts';
import { startDeletion } from './start-deletion.ts';

/** Per run. */
const MAX_ORGANISATIONS = 10;
const SLICE_MS = 15_000;
/** Keeps a slice far below the platform's number of calls per invocation. */
const MAX_PARTS = 12;
/** Other runs leave an organisation alone for this long: longer than a part takes. */
const BUSY_MS = 5 * MINUTE_MS;
const PAUSES_MS = { first: MINUTE_MS, longest: 60 * MINUTE_MS };

/** A failure of one organisation does not stop the others; it is tried again after a growing pause. */
export async function runDeletionSchedule(ctx: WorkContext): Promise<void> {
  const { db, clock, log } = ctx;
  const { orgId, dueAt, busyUntil } = organisationDeletion;
  const due = await db
    .select({ orgId })
    .from(organisationDeletion)
    .where(and(lte(dueAt, ctx.now), lte(busyUntil, ctx.now)))
    .orderBy(asc(busyUntil))
    .limit(MAX_ORGANISATIONS);
  for (const { orgId: id } of due) {
    const deletion = await take(ctx, id);
    if (deletion === null) continue;
    try {
      await advance(ctx, deletion);
    } catch (error) {
      const failures = deletion.failures + 1;
      await change(ctx, id, { failures, busyUntil: clock() + pauseAfter(failures, PAUSES_MS) });
      log.error('an organisation could not be deleted', { orgId: id, error });
    }
  }
}

/** @returns null if another run has taken it, or it was cancelled */
async function take({ db, clock }: WorkContext, orgId: string): Promise<Deletion | null> {
  const now = clock();
  const [row] = await db
    .update(organisationDeletion)
    .set({ busyUntil: now + BUSY_MS })
    .where(and(eq(organisationDeletion.orgId, orgId), lte(organisationDeletion.busyUntil, now)))
    .returning();
  return row ?? null;
}

async function advance(ctx: WorkContext, deletion: Deletion): Promise<void> {
  const { clock } = ctx;
  const { orgId } = deletion;
  const endAt = clock() + SLICE_MS;
  if (deletion.startedAt === null) {
    // The messages of the start are on their way: the next run goes on.
    if (await startDeletion(ctx, orgId)) await change(ctx, orgId, { busyUntil: clock(), failures: 0 });
    return;
  }
  let { step, position } = deletion;
  for (let parts = 0; parts < MAX_PARTS && clock() < endAt; parts++) {
    const progress = await performStep(ctx, { ...deletion, step, position });
    if (progress.kind === 'wait') break;
    const next = DELETION_STEPS[DELETION_STEPS.indexOf(step) + 1];
    if (progress.kind === 'done' && next === undefined) return;
    if (progress.kind === 'done' && next !== undefined) step = next;
    position = progress.kind === 'done' ? 0 : progress.position;
    await change(ctx, orgId, { step, position, failures: 0, busyUntil: clock() + BUSY_MS });
  }
  await change(ctx, orgId, { busyUntil: clock() });
}

async function change({ db }: WorkContext, orgId: string, values: Partial<Deletion>): Promise<void> {
  await db.update(organisationDeletion).set(values).where(eq(organisationDeletion.orgId, orgId));
}
