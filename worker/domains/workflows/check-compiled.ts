/** Checks compiled workflow code on the server before it is saved: what the browser compiled is not trusted. */
import {
  type CheckCodeReply,
  type CheckCodeRequest,
  type CodeProblem,
  MAX_COMPILED_LENGTH,
} from '#contracts/internal/workflow-run';
import type { Env } from '#worker/env';
import { ApiError } from '#worker/http/api-error';
import { log } from '#worker/platform/log';
import { callRunner, type RunnerCall, RunnerError } from './call-runner.ts';

const TIMEOUT_MS = 5_000;

/**
 * Whether the code parses, refers to nothing out of reach, starts in the runner and exports a function.
 * @returns no problems if the code can run
 * @throws {ApiError} unavailable without a runner
 */
export async function checkCompiled(
  env: Env,
  orgId: string,
  compiled: string,
): Promise<readonly CodeProblem[]> {
  if (compiled.length > MAX_COMPILED_LENGTH) {
    return [{ line: null, message: `The compiled code is larger than ${MAX_COMPILED_LENGTH / 1024} KB` }];
  }
  try {
    const body: CheckCodeRequest = { orgId, compiled };
    const call: RunnerCall = { runner: 'long', path: '/check', body, timeoutMs: TIMEOUT_MS };
    return (await callRunner<CheckCodeReply>(env, call)).problems;
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    log.warn('workflow code could not be checked', { error });
    throw new ApiError(
      'unavailable',
      'Could not check the code because the workflow runner is unavailable. Try again in a moment.',
    );
  }
}
