/** Deletes a test of a workflow. */
import { and, eq, sql } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';

/** @throws {ApiError} not-found */
export async function deleteTest(
  ctx: RequestContext,
  scope: MemberScope,
  workflowId: string,
  testId: string,
): Promise<void> {
  const { db } = ctx;
  const isIt = and(
    eq(workflowTest.id, testId),
    eq(workflowTest.workflowId, workflowId),
    eq(workflowTest.orgId, scope.orgId),
  );
  const unmet = await commitIf(db, { exists: sql`EXISTS (SELECT 1 FROM ${workflowTest} WHERE ${isIt})` }, [
    db.delete(workflowTest).where(isIt),
    auditRow(ctx, scope, { action: 'workflow-test.deleted', targetId: testId, detail: { workflowId } }),
  ]);
  if (unmet !== null) throw notFound('The test');
}
