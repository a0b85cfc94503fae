/** Reads saved tests, and forgets their results when the code changes. */
import { and, asc, eq, getTableColumns } from 'drizzle-orm';
import type { WorkflowTest } from '#contracts/console/workflow-tests';
import type { Db, Statement } from '#worker/db/database';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { workflow } from '#worker/db/schema/workflows';
import type { Scope } from '#worker/http/request-context';
import { getWorkflow } from './store.ts';

/** With the code that its result is of. */
export interface StoredTest extends WorkflowTest {
  /** SHA-256 of the compiled code. */
  readonly codeHash: string | null;
}

const { orgId: _, inputHash: __, ...columns } = getTableColumns(workflowTest);

/** Until the test has run on the saved code. */
export const NO_RESULT = { status: null, message: null, result: null, codeHash: null, ranAt: null } as const;

/** Oldest first. Empty also for a workflow that does not exist. */
export function listTests(db: Db, { orgId }: Scope, workflowId: string): Promise<StoredTest[]> {
  return db.select(columns).from(workflowTest).where(isOf(orgId, workflowId)).orderBy(asc(workflowTest.id));
}

/** @throws {ApiError} not-found without the workflow */
export async function listTestsOf(db: Db, scope: Scope, workflowId: string): Promise<WorkflowTest[]> {
  const tests = await listTests(db, scope, workflowId);
  if (tests.length === 0) await getWorkflow(db, scope, workflowId);
  return tests.map(asTest);
}

export function asTest({ codeHash, ...test }: StoredTest): WorkflowTest {
  return test;
}

/** Ids of the workflows that have tests. */
export async function listTestedWorkflows(db: Db, { orgId }: Scope): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ id: workflow.id })
    .from(workflowTest)
    .innerJoin(workflow, eq(workflow.id, workflowTest.workflowId))
    .where(eq(workflowTest.orgId, orgId));
  return new Set(rows.map(({ id }) => id));
}

/** Commit it with the change of the compiled code. */
export function forgetResults(db: Db, { orgId }: Scope, workflowId: string): Statement {
  return db.update(workflowTest).set(NO_RESULT).where(isOf(orgId, workflowId));
}

function isOf(orgId: string, workflowId: string) {
  return and(eq(workflowTest.workflowId, workflowId), eq(workflowTest.orgId, orgId));
}
