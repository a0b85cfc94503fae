/** Runs one workflow's code on an input that a person typed. Nothing is recorded or counted. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { RunReply, RunRequest, WorkflowInput } from '#contracts/internal/workflow-run';
import type { Env } from '#worker/env';
import { ApiError } from '#worker/http/api-error';
import { newId } from '#worker/platform/ids';
import { callRunner, type RunnerCall, RunnerError } from './call-runner.ts';

const BUDGET_MS = 220;
const TIMEOUT_MS = 3_000;

/** @throws {ApiError} unavailable without a runner */
export async function runOnce(
  env: Env,
  orgId: string,
  { id, name, compiled }: { readonly id: string; readonly name: string; readonly compiled: string },
  input: WorkflowInput,
  seed: string,
): Promise<WorkflowExecution> {
  const { feature, ...shared } = input;
  const body: RunRequest = {
    ...{ orgId, sandboxId: null, input: shared, seed, budgetMs: BUDGET_MS },
    code: [{ workflowId: id, compiled }],
    runs: [{ workflowId: id, feature }],
  };
  try {
    const call: RunnerCall = { runner: 'long', path: '/run', body, timeoutMs: TIMEOUT_MS };
    const reply = await callRunner<RunReply>(env, call);
    const outcome = reply.kind === 'done' ? reply.outcomes[0] : undefined;
    if (outcome === undefined) throw new RunnerError('The workflow runner returned no outcome');
    const { status, result, reason, logs, wallTime } = outcome;
    return {
      ...{ executionId: newId('exe', Date.now()), workflowId: id, workflowName: name },
      ...{ success: status === 'done', status, result, logs, wallTime, input, seed },
      diagnosticMessages: reason === null ? [] : [reason],
    };
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    throw new ApiError(
      'unavailable',
      'Could not run the code because the workflow runner is unavailable. Try again in a moment.',
    );
  }
}
