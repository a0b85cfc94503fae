/**
 * Where workflows run: in the loader of this Worker, or, for local servers, in the process that WORKFLOW_RUNNER_URL names, because
 * workerd enforces no limits locally. A missing loader is named in the log once per isolate.
 */
import type { RunOutcome, RunRequest } from '#contracts/internal/workflow-run';
import { log } from '#runtime/log';
import { type Env, settingsOf } from '#worker/env';
import { runInLoader } from './run-in-loader.ts';

/** A call that fails sooner never reached the process. */
const STARTED_AFTER_MS = 20;
/** After such a failure, how long nobody calls it again: it is restarting. */
const PAUSE_MS = 250;
/** How long a run that is repeated waits for the restart. */
const RESTART_PATIENCE_MS = 4_000;
const HEALTH_EVERY_MS = 100;
/** For code that a person tries, milliseconds: it may have to be loaded. */
export const TRIAL_TIMEOUT_MS = 2_000;

/** Workflows cannot run now, whatever their code does. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
  /** Whether customers' code may have begun to run. */
  readonly hasStarted: boolean;

  constructor(message: string, hasStarted = false) {
    super(message);
    this.hasStarted = hasStarted;
  }
}

const logged = new WeakSet<Env>();
let pausedUntil = 0;

/** @throws {RunnerError} */
export async function runWorkflowCode(env: Env, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { workflowRunnerUrl } = settingsOf(env);
  if (workflowRunnerUrl !== null) return runInProcess(workflowRunnerUrl, request);
  if (env.LOADER !== undefined) return runInLoader(env.LOADER, request);
  if (!logged.has(env)) log.error('workflows cannot run', { reason: 'The Worker has no binding LOADER' });
  logged.add(env);
  throw new RunnerError('The Worker has no binding LOADER');
}

/** Owner of the code that people of this organisation try. */
export const trialOwner = (orgId: string) => `try.${orgId}`;

/**
 * Code that a person tries. Repeats, once and alone, what was lost with the local process: somebody else's code may have stopped it.
 * @throws {RunnerError} if it did not begin
 */
export async function runTrial(env: Env, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { workflowRunnerUrl } = settingsOf(env);
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await runWorkflowCode(env, request);
    } catch (error) {
      if (!(error instanceof RunnerError) || workflowRunnerUrl === null) throw error;
      if (isRepeated && !error.hasStarted) throw error;
      if (isRepeated) return request.runs.map(({ workflowId }) => unfinished(workflowId));
      await untilHealthy(workflowRunnerUrl);
    }
  }
}

function unfinished(workflowId: string): RunOutcome {
  return {
    workflowId,
    status: 'killed',
    result: null,
    logs: [],
    wallTime: TRIAL_TIMEOUT_MS,
    reason: `The workflow did not finish within ${TRIAL_TIMEOUT_MS / 1000} s`,
  };
}

/** Sends the code only if the process asks for it. @throws {RunnerError} */
async function runInProcess(origin: string, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { code, ...rest } = request;
  const name = `${request.owner}.${code.hash}`;
  const known = await post(origin, { ...rest, name }, request.timeoutMs);
  const response = known.status === 409 ? await post(origin, { ...request, name }, request.timeoutMs) : known;
  if (response.status === 200) return JSON.parse(response.text) as readonly RunOutcome[];
  throw new RunnerError(`The workflow runner answered ${response.status}: ${response.text.slice(0, 200)}`);
}

async function post(
  origin: string,
  body: object,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const startedAt = Date.now();
  if (startedAt < pausedUntil) throw new RunnerError('The workflow runner is restarting');
  try {
    const response = await fetch(`${origin}/run`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failedAt = Date.now();
    const hasStarted = failedAt - startedAt >= STARTED_AFTER_MS;
    if (!hasStarted) pausedUntil = failedAt + PAUSE_MS;
    log.warn('the workflow runner did not answer', { reason, waitedMs: failedAt - startedAt });
    throw new RunnerError(reason, hasStarted);
  }
}

async function untilHealthy(origin: string): Promise<void> {
  const patience = AbortSignal.timeout(RESTART_PATIENCE_MS);
  while (!patience.aborted) {
    const signal = AbortSignal.timeout(HEALTH_EVERY_MS * 5);
    const isHealthy = await fetch(`${origin}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await scheduler.wait(HEALTH_EVERY_MS);
  }
}
