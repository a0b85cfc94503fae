/** Deletes a workflow. Versions that contain it keep it. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { workflow } from '#worker/db/schema/workflows';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getWorkflow } from './store.ts';

/** @throws {ApiError} not-found */
export async function deleteWorkflow(
  ctx: RequestContext,
  scope: MemberScope,
  workflowId: string,
): Promise<void> {
  const { db } = ctx;
  const { name, type } = await getWorkflow(db, scope, workflowId);
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowExists(workflow, scope.orgId, workflowId) }, [
    db.delete(workflow).where(and(eq(workflow.id, workflowId), eq(workflow.orgId, scope.orgId))),
    auditRow(ctx, scope, { action: 'workflow.deleted', targetId: workflowId, detail: { name, type } }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The workflow');
  change.announce();
}
