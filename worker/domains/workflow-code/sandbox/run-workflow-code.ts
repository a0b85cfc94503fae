/**
 * Where code of workflows runs and is read: in dynamic workers of this Worker's loader, or, for local servers, in the process that
 * WORKFLOW_RUNNER_URL names, because workerd enforces no limits locally. A missing loader is named in the log once per isolate.
 */
import type { RunOutcome, RunRequest } from '#contracts/internal/workflow-run';
import { log } from '#runtime/log';
import { type Env, settingsOf } from '#worker/env';
import { loadInProcess, readInProcess, runInProcess, untilHealthy } from './local-runner.ts';
import { type ReadRequest, readInLoader } from './read-in-loader.ts';
import { type LoadRequest, loadInLoader, runInLoader } from './run-in-loader.ts';
import { RunnerError } from './runner-error.ts';

/** For code that a person tries, milliseconds: it may have to be loaded. */
export const TRIAL_TIMEOUT_MS = 2_000;

const logged = new WeakSet<Env>();

/** @throws {RunnerError} */
export async function runWorkflowCode(env: Env, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { workflowRunner } = settingsOf(env);
  return workflowRunner === null
    ? runInLoader(loaderOf(env), request)
    : runInProcess(workflowRunner, request);
}

/** Owner of the code that people of this organisation try. */
export const trialOwner = (orgId: string) => `try.${orgId}`;

/**
 * Code that a person tries. Repeats, once and alone, what was lost with the local process: somebody else's code may have stopped it.
 * @throws {RunnerError} if it did not begin
 */
export async function runTrial(env: Env, request: RunRequest): Promise<readonly RunOutcome[]> {
  const stopped = ({ isLate }: RunnerError) =>
    request.runs.map(({ workflowId }): RunOutcome => {
      const reason = isLate ? UNFINISHED : STOPPED_RUNNER;
      return { workflowId, status: 'killed', result: null, logs: [], wallTime: TRIAL_TIMEOUT_MS, reason };
    });
  return twice(env, () => runWorkflowCode(env, request), stopped);
}

const UNFINISHED = `The workflow did not finish within ${TRIAL_TIMEOUT_MS / 1000} s`;
const STOPPED_RUNNER = 'The workflow stopped the local runner, probably because it ran out of memory';

/**
 * What the code reader says of compiled code, which is to be read like any input.
 * @returns null if reading takes more than the reader may use
 * @throws {RunnerError} if it could not be tried
 */
export async function readCompiledCode(env: Env, request: ReadRequest): Promise<string | null> {
  const { workflowRunner } = settingsOf(env);
  const attempt = () =>
    workflowRunner === null
      ? broken(() => readInLoader(loaderOf(env), request))
      : readInProcess(workflowRunner, request);
  return twice<string | null>(env, attempt, () => null);
}

/** What V8 says of code that it does not accept. */
export interface Refusal {
  readonly reason: string;
  /** V8 said nothing: the code was not loaded in time. */
  readonly isLost: boolean;
}

/**
 * Whether V8 accepts code, without evaluating it.
 * @returns null if it does
 * @throws {RunnerError} if it could not be tried
 */
export async function refusalOf(env: Env, request: LoadRequest): Promise<Refusal | null> {
  const { workflowRunner } = settingsOf(env);
  const attempt = async () => {
    const reason = await (workflowRunner === null
      ? broken(() => loadInLoader(loaderOf(env), request))
      : loadInProcess(workflowRunner, request));
    return reason === null ? null : { reason, isLost: false };
  };
  return twice(env, attempt, () => ({ reason: 'The code takes too long to load', isLost: true }));
}

/** @throws {RunnerError} */
function loaderOf(env: Env): WorkerLoader {
  if (env.LOADER !== undefined) return env.LOADER;
  if (!logged.has(env)) log.error('workflows cannot run', { reason: 'The Worker has no binding LOADER' });
  logged.add(env);
  throw new RunnerError('The Worker has no binding LOADER');
}

/** Turns the end of a dynamic worker into a RunnerError. */
async function broken<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunnerError) throw error;
    throw new RunnerError(error instanceof Error ? error.message : String(error), { hasStarted: true });
  }
}

/**
 * Repeats, once and alone, what was lost: code of others may have stopped the local process. What is lost twice is the cause itself.
 * @param lost the result then
 * @throws {RunnerError} if it never began
 */
async function twice<Result>(
  env: Env,
  attempt: () => Promise<Result>,
  lost: (error: RunnerError) => Result,
): Promise<Result> {
  const { workflowRunner } = settingsOf(env);
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    if (workflowRunner === null && !error.hasStarted) throw error;
  }
  const isHealthy = workflowRunner === null || (await untilHealthy(workflowRunner));
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    // It answered a moment ago, so it ended because of this.
    if (isHealthy || error.hasStarted) return lost(error);
    throw error;
  }
}
