/** Calls the workflow runner. A missing runner or loader is named in the log once per isolate, and is an error to the caller. */
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';

/** A call that fails sooner never reached the runner's code. */
const STARTED_AFTER_MS = 20;
/** After such a failure, how long nobody calls the runner again: it is restarting. */
const PAUSE_MS = 250;

/** The runner cannot be reached, or did not answer in time. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
  /** Whether customers' code may have begun to run. */
  readonly hasStarted: boolean;

  constructor(message: string, hasStarted = false) {
    super(message);
    this.hasStarted = hasStarted;
  }
}

/** The global fetch, which must not be called as a method of another object. */
const LOCAL_RUNNER = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

/** What is missing, by the bindings that lack it: an isolate has one set of bindings. */
const logged = new WeakMap<Env, Set<string>>();
let pausedUntil = 0;

/** @throws {RunnerError} */
export async function callRunner<Reply>(
  env: Env,
  path: '/run' | '/check',
  body: object,
  timeoutMs: number,
): Promise<Reply> {
  const { workflowRunnerUrl } = settingsOf(env);
  const runner = workflowRunnerUrl === null ? env.WORKFLOW_RUNNER : LOCAL_RUNNER;
  if (runner === undefined) {
    throw logMissing(
      env,
      'The Worker has no binding WORKFLOW_RUNNER: deploy workflow-runner/wrangler.toml first',
    );
  }
  let text: string;
  let status: number;
  const startedAt = Date.now();
  if (startedAt < pausedUntil) throw new RunnerError('The workflow runner is restarting');
  try {
    const response = await runner.fetch(`${workflowRunnerUrl ?? 'http://workflow-runner'}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failedAt = Date.now();
    const hasStarted = failedAt - startedAt >= STARTED_AFTER_MS;
    if (!hasStarted) pausedUntil = failedAt + PAUSE_MS;
    log.warn('the workflow runner did not answer', { path, reason, waitedMs: failedAt - startedAt });
    throw new RunnerError(reason, hasStarted);
  }
  if (status === 200) return JSON.parse(text) as Reply;
  if (status === 501) throw logMissing(env, text);
  throw new RunnerError(`The workflow runner answered ${status}: ${text.slice(0, 200)}`);
}

function logMissing(env: Env, reason: string): RunnerError {
  const reasons = logged.get(env) ?? new Set();
  logged.set(env, reasons);
  if (!reasons.has(reason)) log.error('workflows cannot run', { reason });
  reasons.add(reason);
  return new RunnerError(reason);
}
