/** Whether an execution ended as a saved test expects. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { isSameJson } from './is-same-json.ts';

export interface TestOutcome {
  readonly status: 'passed' | 'failed' | 'not-run';
  /** Why the test did not pass. */
  readonly message: string | null;
  /** What the code returned. Null if it failed. */
  readonly result: unknown;
}

/** A run that did not begin, or was lost for reasons outside of the code, says nothing about it. */
export function judgeTest(
  { status, success, result, diagnosticMessages }: WorkflowExecution,
  expected: unknown,
): TestOutcome {
  const message = diagnosticMessages.join('\n') || 'The workflow failed';
  if (status === 'lost' || status === 'skipped') return notRun(message);
  if (!success) return { status: 'failed', message, result: null };
  return isSameJson(result, expected)
    ? { status: 'passed', message: null, result }
    : { status: 'failed', message: 'The result differs from what the test expects', result };
}

export function notRun(message: string): TestOutcome {
  return { status: 'not-run', message, result: null };
}
