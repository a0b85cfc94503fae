/** Runs a workflow's tests on its saved code and stores the results. */
import { and, eq, sql } from 'drizzle-orm';
import type { WorkflowTest } from '#contracts/console/workflow-tests';
import type { TestOutcome } from '#engine/workflows/judge-test';
import { sha256Hex } from '#runtime/hash';
import { rowExists } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { workflow } from '#worker/db/schema/workflows';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { runTests } from './run-tests.ts';
import { getWorkflow } from './store.ts';
import { asTest, listTests, type StoredTest } from './test-store.ts';

/** Work after a response may take 30 s. */
const BUDGET_MS = 20_000;

/**
 * Results of code or expectations that were replaced meanwhile are dropped: whoever replaced them runs the tests again.
 * @param which those without a result on the saved code, of these only the one with this id, or all
 * @returns the tests with their results
 * @throws {ApiError} not-found
 */
export async function runSavedTests(
  ctx: WorkContext,
  scope: Scope,
  workflowId: string,
  which: 'due' | 'all' | { readonly id: string } = 'due',
): Promise<WorkflowTest[]> {
  const { db } = ctx;
  const [{ name, compiled }, tests] = await Promise.all([
    getWorkflow(db, scope, workflowId),
    listTests(db, scope, workflowId),
  ]);
  const chosen = tests.filter(
    ({ id, status }) => which === 'all' || (status === null && (which === 'due' || which.id === id)),
  );
  if (compiled === null || chosen.length === 0) return tests.map(asTest);
  const hash = await sha256Hex(compiled);
  const code = { id: workflowId, name, compiled, hash };
  const outcomes = await runTests(ctx, scope, code, chosen, ctx.clock() + BUDGET_MS);
  await change(
    ctx,
    { ...scope, actor: null },
    {
      when: { isSaved: rowExists(workflow, scope.orgId, workflowId, eq(workflow.compiled, compiled)) },
      write: outcomes.flatMap((outcome, index) => {
        const test = chosen[index];
        return test === undefined ? [] : [storeResult(ctx, test, hash, outcome)];
      }),
      audit: null,
      publish: [],
    },
  );
  return (await listTests(db, scope, workflowId)).map(asTest);
}

function storeResult(
  { db, clock }: WorkContext,
  { id, expected }: StoredTest,
  codeHash: string,
  { status, message, result }: TestOutcome,
): Statement {
  const expectation = expected === null ? null : JSON.stringify(expected);
  return db
    .update(workflowTest)
    .set({ status, message, result, codeHash, ranAt: clock() })
    .where(
      and(
        eq(workflowTest.id, id),
        sql`${workflowTest.expected} IS ${expectation}`,
        // The code's earlier result is as true as it was.
        status === 'not-run' ? sql`coalesce(${workflowTest.status}, 'not-run') = 'not-run'` : undefined,
      ),
    );
}
