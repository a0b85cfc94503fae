/** Runs the saved tests of all workflows of a version on the version's code, for those who are about to deploy it. Nothing is stored. */
import type { VersionTests } from '#contracts/console/workflow-tests';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { sha256Hex } from '#runtime/hash';
import { readVersionContent } from '#worker/domains/artifacts/read-version-content';
import { listTestedWorkflows, listTests } from '#worker/domains/workflows/reads';
import { runTests } from '#worker/domains/workflows/run-tests';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

/** Of all tests together. */
const BUDGET_MS = 20_000;

/** @throws {ApiError} not-found */
export async function runVersionTests(
  ctx: RequestContext,
  scope: Scope,
  artifactId: string,
): Promise<VersionTests> {
  const [content, tested] = await Promise.all([
    readVersionContent(ctx, scope, artifactId),
    listTestedWorkflows(ctx.db, scope),
  ]);
  if (content === null) throw notFound('The version');
  const until = ctx.clock() + BUDGET_MS;
  let passed = 0;
  const problems: VersionTests['problems'] = [];
  for (const workflow of content.workflows.filter(({ id }) => tested.has(id))) {
    const ended = await testsOf(ctx, scope, workflow, until);
    passed += ended.passed;
    problems.push(...ended.problems);
  }
  return { passed, problems };
}

/** A result that is stored of the same code is not computed again. */
async function testsOf(
  ctx: RequestContext,
  scope: Scope,
  { id: workflowId, name: workflowName, compiled }: ArtifactWorkflow,
  until: number,
): Promise<VersionTests> {
  const hash = await sha256Hex(compiled);
  const tests = await listTests(ctx.db, scope, workflowId);
  const due = tests.filter(({ codeHash, status }) => codeHash !== hash || status === 'not-run');
  const code = { id: workflowId, name: workflowName, compiled, hash };
  const outcomes = due.length === 0 ? [] : await runTests(ctx, scope, code, due, until);
  const outcomeOf = new Map(due.map(({ id }, index) => [id, outcomes[index]]));
  const problems = tests.flatMap((test): VersionTests['problems'] => {
    const { status, message, result } = outcomeOf.get(test.id) ?? test;
    if (status === 'passed' || status === null) return [];
    const expected = status === 'failed' ? test.expected : null;
    return [
      { testId: test.id, name: test.name, workflowId, workflowName, status, expected, message, result },
    ];
  });
  return { passed: tests.length - problems.length, problems };
}
