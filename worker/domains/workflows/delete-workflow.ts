/** Deletes a workflow. Versions that contain it keep it. */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { workflow } from '#worker/db/schema/workflows';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getWorkflow } from './store.ts';

/** @throws {ApiError} not-found */
export async function deleteWorkflow(
  ctx: RequestContext,
  scope: MemberScope,
  workflowId: string,
): Promise<void> {
  const { db } = ctx;
  const { name, type } = await getWorkflow(db, scope, workflowId);
  await change(ctx, scope, {
    when: { exists: [rowExists(workflow, scope.orgId, workflowId), () => notFound('The workflow')] },
    write: [db.delete(workflow).where(and(eq(workflow.id, workflowId), eq(workflow.orgId, scope.orgId)))],
    audit: { action: 'workflow.deleted', targetId: workflowId, detail: { name, type } },
    publish: [workspaceOf(scope)],
  });
}
