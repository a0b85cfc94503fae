/** Runs one workflow's code on an input: typed by a person, recorded with an execution, or of a test. Nothing is recorded or counted. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import { makeLoadableCode } from '#worker/domains/workflow-code/make-loadable-code';
import type { Env } from '#worker/env';
import { ApiError } from '#worker/http/api-error';
import { executionOf } from './execution-of.ts';
import { RunnerError, runTrial, TRIAL_TIMEOUT_MS, trialOwner } from './sandbox/run-workflow-code.ts';

/** @throws {ApiError} unavailable if workflows cannot run */
export async function runOnce(
  env: Env,
  orgId: string,
  { id, name, compiled }: { readonly id: string; readonly name: string; readonly compiled: string },
  input: WorkflowInput,
  seed: string,
): Promise<WorkflowExecution> {
  // Tests that an earlier release stored have no context.
  const { feature, ...shared } = { ...input, context: input.context ?? {} };
  const code = await makeLoadableCode([{ id, compiled }]);
  const runs = [{ workflowId: id, ...(feature === undefined ? {} : { feature }) }];
  const request = { owner: trialOwner(orgId), code, runs, input: shared, seed, timeoutMs: TRIAL_TIMEOUT_MS };
  try {
    const [outcome] = await runTrial(env, request);
    if (outcome === undefined) throw new RunnerError('No outcome');
    return executionOf(outcome, { name, input, seed, now: Date.now() });
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    throw new ApiError(
      'unavailable',
      'Could not run the code because workflows are unavailable. Try again in a moment.',
    );
  }
}
