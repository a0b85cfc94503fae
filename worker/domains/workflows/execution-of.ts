/** The execution of a run, as it is recorded and shown. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { RunOutcome } from '#contracts/internal/workflow-run';
import { newId } from '#runtime/ids';

/** @param run the workflow's name, what it received, and when */
export function executionOf(
  { workflowId, status, result, reason, logs, wallTime }: RunOutcome,
  run: { readonly name: string; readonly input: unknown; readonly seed: string; readonly now: number },
): WorkflowExecution {
  return {
    executionId: newId('exe', run.now),
    workflowId,
    workflowName: run.name,
    success: status === 'done',
    status,
    result,
    wallTime,
    logs: [...logs],
    diagnosticMessages: reason === null ? [] : [reason],
    input: run.input,
    seed: run.seed,
  };
}
