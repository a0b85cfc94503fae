/** Deletes a test of a workflow. */
import { and, eq, sql } from 'drizzle-orm';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

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
  const exists = sql`EXISTS (SELECT 1 FROM ${workflowTest} WHERE ${isIt})`;
  await change(ctx, scope, {
    when: { exists: [exists, () => notFound('The test')] },
    write: [db.delete(workflowTest).where(isIt)],
    audit: { action: 'workflow-test.deleted', targetId: testId, detail: { workflowId } },
    publish: [],
  });
}
