/** Calls a workflow runner. A missing runner or loader is named in the log once per isolate, and is an error to the caller. */
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';
import type { RunnerName } from './runner-choice.ts';

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

interface Runner {
  readonly origin: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

export interface RunnerCall {
  /** Without a runner for long runs, the one for short runs executes all. */
  readonly runner: RunnerName;
  readonly path: '/run' | '/check';
  readonly body: object;
  readonly timeoutMs: number;
}

/** What is missing, by the bindings that lack it: an isolate has one set of bindings. */
const logged = new WeakMap<Env, Set<string>>();
/** By origin. */
const pausedUntil = new Map<string, number>();

/** @throws {RunnerError} */
export async function callRunner<Reply>(
  env: Env,
  { runner: name, path, body, timeoutMs }: RunnerCall,
): Promise<Reply> {
  const runner = runnerOf(env, name);
  if (runner === null) {
    throw logMissing(
      env,
      'The Worker has no binding WORKFLOW_RUNNER: deploy workflow-runner/wrangler.toml first',
    );
  }
  let text: string;
  let status: number;
  const startedAt = Date.now();
  if (startedAt < (pausedUntil.get(runner.origin) ?? 0)) {
    throw new RunnerError('The workflow runner is restarting');
  }
  try {
    const response = await runner.fetch(`${runner.origin}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failedAt = Date.now();
    const hasStarted = failedAt - startedAt >= STARTED_AFTER_MS;
    if (!hasStarted) pausedUntil.set(runner.origin, failedAt + PAUSE_MS);
    log.warn('the workflow runner did not answer', {
      ...{ runner: runner.origin, path, reason },
      waitedMs: failedAt - startedAt,
    });
    throw new RunnerError(reason, hasStarted);
  }
  if (status === 200) return JSON.parse(text) as Reply;
  if (status === 501) throw logMissing(env, text);
  throw new RunnerError(`The workflow runner answered ${status}: ${text.slice(0, 200)}`);
}

/** @returns null if there is none */
function runnerOf(env: Env, name: RunnerName): Runner | null {
  const { workflowRunnerUrl, longWorkflowRunnerUrl } = settingsOf(env);
  if (workflowRunnerUrl !== null) {
    const origin = name === 'long' ? (longWorkflowRunnerUrl ?? workflowRunnerUrl) : workflowRunnerUrl;
    // The global fetch must not be called as a method of another object.
    return { origin, fetch: (url, init) => fetch(url, init) };
  }
  const { WORKFLOW_RUNNER: short, LONG_WORKFLOW_RUNNER: long } = env;
  if (name === 'long' && long !== undefined) return behind(long, 'http://long-workflow-runner');
  return short === undefined ? null : behind(short, 'http://workflow-runner');
}

function behind(binding: Fetcher, origin: string): Runner {
  return { origin, fetch: (url, init) => binding.fetch(url, init) };
}

function logMissing(env: Env, reason: string): RunnerError {
  const reasons = logged.get(env) ?? new Set();
  logged.set(env, reasons);
  if (!reasons.has(reason)) log.error('workflows cannot run', { reason });
  reasons.add(reason);
  return new RunnerError(reason);
}
