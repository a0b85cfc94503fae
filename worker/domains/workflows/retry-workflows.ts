/**
 * Scheduled: tries workflows again that were switched off an hour ago. What made them slow may be over, and a deployment may have
 * mended them; if not, the next kills switch them off again.
 */
import { lte } from 'drizzle-orm';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import type { WorkContext } from '#worker/http/request-context';
import { enableWorkflow } from './enable-workflow.ts';

/** Per run. */
const MAX_WORKFLOWS = 20;

export async function retryWorkflows(ctx: WorkContext): Promise<void> {
  const { orgId, environmentId, workflowId, retryAt } = workflowDisablement;
  const due = await ctx.db
    .select({ orgId, environmentId, workflowId })
    .from(workflowDisablement)
    .where(lte(retryAt, ctx.now))
    .orderBy(retryAt)
    .limit(MAX_WORKFLOWS);
  for (const row of due) {
    await enableWorkflow(ctx, { orgId: row.orgId, actor: null }, row.environmentId, row.workflowId);
  }
}
