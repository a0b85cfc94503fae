/** Adds a test to a workflow. A workflow has one test for an input and seed: the same again changes the expected result. */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type addWorkflowTestSchema,
  MAX_WORKFLOW_TESTS,
  type WorkflowTest,
} from '#contracts/console/workflow-tests';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { sha256Hex } from '#runtime/hash';
import { rowExists } from '#worker/db/commit-if';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { workflow } from '#worker/db/schema/workflows';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { runSavedTests } from './run-saved-tests.ts';
import { asTest, listTests, NO_RESULT } from './test-store.ts';

/**
 * Idempotent. The test runs on the saved code after the answer.
 * @throws {ApiError} not-found; conflict when the workflow has too many tests
 */
export async function addTest(
  ctx: RequestContext,
  scope: MemberScope,
  workflowId: string,
  { name, input, seed, expected }: z.output<typeof addWorkflowTestSchema>,
): Promise<WorkflowTest> {
  const { db, now } = ctx;
  const { orgId, actor } = scope;
  const inputHash = await sha256Hex(canonicalJson({ input, seed }));
  const isIt = and(eq(workflowTest.workflowId, workflowId), eq(workflowTest.inputHash, inputHash));
  const [existing] = await db.select({ id: workflowTest.id }).from(workflowTest).where(isIt);
  const id = existing?.id ?? ctx.newId('test');
  const others = and(eq(workflowTest.workflowId, workflowId), ne(workflowTest.inputHash, inputHash));
  const count = sql`(SELECT count(*) FROM ${workflowTest} WHERE ${others})`;
  const tooMany = `A workflow can have at most ${MAX_WORKFLOW_TESTS} tests`;
  const isThere = sql`EXISTS (SELECT 1 FROM ${workflowTest} WHERE ${isIt})`;
  const { unmet } = await change(ctx, scope, {
    when: {
      exists: [rowExists(workflow, orgId, workflowId), () => notFound('The workflow')],
      isBelowLimit: [sql`${count} < ${MAX_WORKFLOW_TESTS}`, () => new ApiError('conflict', tooMany)],
      isAsRead: existing === undefined ? sql`NOT ${isThere}` : isThere,
    },
    write: [
      db
        .insert(workflowTest)
        .values({
          id,
          orgId,
          workflowId,
          name,
          input,
          seed,
          inputHash,
          expected,
          createdAt: now,
          createdByUserId: actor.userId,
        })
        .onConflictDoUpdate({
          target: [workflowTest.workflowId, workflowTest.inputHash],
          set: { ...NO_RESULT, expected },
          setWhere: sql`${workflowTest.expected} IS NOT excluded.expected`,
        }),
    ],
    audit: {
      action: existing === undefined ? 'workflow-test.added' : 'workflow-test.changed',
      targetId: id,
      detail: { workflowId, name },
      onlyIf: sql`changes() > 0`,
    },
    publish: [],
  });
  // Somebody else has added or removed the test meanwhile.
  if (unmet !== null) return addTest(ctx, scope, workflowId, { name, input, seed, expected });
  ctx.waitUntil(runSavedTests(ctx, scope, workflowId, { id }));
  const added = (await listTests(db, scope, workflowId)).find((test) => test.id === id);
  if (added === undefined) throw notFound('The test');
  return asTest(added);
}
