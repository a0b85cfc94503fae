/** Runs one workflow's code on an input: typed by a person, recorded with an execution, or of a test. Nothing is recorded or counted. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import { makeTrialCode } from '#worker/domains/workflow-code/make-loadable-code';
import {
  runTrial,
  TRIAL_TIMEOUT_MS,
  trialOwner,
} from '#worker/domains/workflow-code/sandbox/run-workflow-code';
import { RunnerError } from '#worker/domains/workflow-code/sandbox/runner-error';
import type { Env } from '#worker/env';
import { executionOf } from './execution-of.ts';

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
  const code = await makeTrialCode(env, { orgId }, { id, compiled });
  const runs = [{ workflowId: id, ...(feature === undefined ? {} : { feature }) }];
  const request = { owner: trialOwner(orgId), code, runs, input: shared, seed, timeoutMs: TRIAL_TIMEOUT_MS };
  const [outcome] = await runTrial(env, request);
  if (outcome === undefined) throw new RunnerError('No outcome');
  return executionOf(outcome, { name, input, seed, now: Date.now() });
}
