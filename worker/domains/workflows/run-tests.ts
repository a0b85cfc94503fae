/** Runs saved tests one after the other on a workflow's code. Nothing is recorded or stored. */
import type { WorkflowTest } from '#contracts/console/workflow-tests';
import { MAX_TEST_BYTES } from '#contracts/console/workflow-tests';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import { judgeTest, notRun, type TestOutcome } from '#engine/workflows/judge-test';
import { ApiError } from '#worker/http/api-error';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { limitTrialCode } from './limit-trial-runs.ts';
import { runOnce } from './run-once.ts';

export interface TestedCode {
  readonly id: string;
  readonly name: string;
  readonly compiled: string;
  /** SHA-256 of `compiled`. */
  readonly hash: string;
}

/**
 * A test that cannot run is not a failure.
 * @param until epoch milliseconds; tests that have not begun by then do not run
 * @returns the outcomes in the order of the tests
 */
export async function runTests(
  ctx: WorkContext,
  scope: Scope,
  { hash, ...code }: TestedCode,
  tests: readonly WorkflowTest[],
  until: number,
): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  try {
    await limitTrialCode(ctx, scope, hash);
    for (const { input, seed, expected } of tests) {
      if (ctx.clock() >= until) break;
      // Checked when the test was added.
      const execution = await runOnce(ctx.env, scope.orgId, code, input as WorkflowInput, seed);
      outcomes.push(boundedOutcome(judgeTest(execution, expected)));
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    return tests.map((_, index) => outcomes[index] ?? notRun(message));
  }
  return tests.map((_, index) => outcomes[index] ?? notRun('The tests together took too long'));
}

function boundedOutcome(outcome: TestOutcome): TestOutcome {
  const { byteLength } = new TextEncoder().encode(JSON.stringify(outcome.result) ?? '');
  if (byteLength <= MAX_TEST_BYTES) return outcome;
  return { ...outcome, message: 'The result is too large to show', result: null };
}
