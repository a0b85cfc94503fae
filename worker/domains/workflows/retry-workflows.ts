/**
 * Scheduled: tries workflows again that were switched off an hour ago. What made them slow may be over, and a deployment may have
 * mended them; if not, the next kills switch them off again.
 */
import { and, eq, lte } from 'drizzle-orm';
import { MINUTE_MS } from '#engine/durations';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import type { WorkContext } from '#worker/http/request-context';
import { switchOn } from './enable-workflow.ts';

/** Per run. */
const MAX_WORKFLOWS = 20;
/** Until then a workflow that could not be switched on is left to the others. */
const PAUSE_MS = 10 * MINUTE_MS;

export async function retryWorkflows(ctx: WorkContext): Promise<void> {
  const { db, now } = ctx;
  const due = await db
    .select()
    .from(workflowDisablement)
    .where(lte(workflowDisablement.retryAt, now))
    .orderBy(workflowDisablement.retryAt)
    .limit(MAX_WORKFLOWS);
  for (const { orgId, environmentId, workflowId } of due) {
    const isIt = and(
      eq(workflowDisablement.environmentId, environmentId),
      eq(workflowDisablement.workflowId, workflowId),
    );
    try {
      const [live] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
      if (live === undefined) await db.delete(workflowDisablement).where(isIt);
      else await switchOn(ctx, { orgId, actor: null }, environmentId, workflowId);
    } catch (error) {
      ctx.log.warn('a workflow could not be tried again', { orgId, environmentId, workflowId, error });
      await db
        .update(workflowDisablement)
        .set({ retryAt: now + PAUSE_MS })
        .where(isIt);
    }
  }
}
