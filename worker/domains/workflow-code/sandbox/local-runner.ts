/**
 * Calls the process in which local servers run and read the code of workflows (dev/workflow-runner). It may be restarting, because
 * somebody's code never ended.
 */
import type { RunOutcome, RunRequest } from '#contracts/internal/workflow-run';
import { log } from '#runtime/log';
import type { ReadRequest } from './read-in-loader.ts';
import type { LoadRequest } from './run-in-loader.ts';
import { RunnerError } from './runner-error.ts';

/** A call that fails sooner never reached the process. */
const STARTED_AFTER_MS = 20;
/** After such a failure, how long nobody calls it again: it is restarting. */
const PAUSE_MS = 250;
/** How long what is repeated waits for the restart. */
const RESTART_PATIENCE_MS = 4_000;
const HEALTH_EVERY_MS = 100;

/** Where it listens, and what only its servers know: other programs of this machine may not have their code run there. */
export interface LocalRunner {
  readonly url: string;
  readonly secret: string;
}

let pausedUntil = 0;

/** Sends the code only if the process asks for it. @throws {RunnerError} */
export async function runInProcess(runner: LocalRunner, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { code, ...rest } = request;
  const name = `${request.owner}.${code.hash}`;
  const known = await post(runner, '/run', { ...rest, name }, request.timeoutMs);
  const response =
    known.status === 409 ? await post(runner, '/run', { ...request, name }, request.timeoutMs) : known;
  return JSON.parse(textOf(response)) as readonly RunOutcome[];
}

/** As readInLoader. @throws {RunnerError} */
export async function readInProcess(runner: LocalRunner, request: ReadRequest): Promise<string> {
  return textOf(await post(runner, '/read', request, request.timeoutMs));
}

/** As loadInLoader. @throws {RunnerError} */
export async function loadInProcess(runner: LocalRunner, request: LoadRequest): Promise<string | null> {
  return JSON.parse(textOf(await post(runner, '/load', request, request.timeoutMs))) as string | null;
}

/** Waits until it answers again, or for four seconds. @returns whether it does */
export async function untilHealthy({ url }: LocalRunner): Promise<boolean> {
  const patience = AbortSignal.timeout(RESTART_PATIENCE_MS);
  while (!patience.aborted) {
    const signal = AbortSignal.timeout(HEALTH_EVERY_MS * 5);
    const isHealthy = await fetch(`${url}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return true;
    await scheduler.wait(HEALTH_EVERY_MS);
  }
  return false;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function textOf({ status, text }: Answer): string {
  if (status === 200) return text;
  throw new RunnerError(`The workflow runner answered ${status}: ${text.slice(0, 200)}`);
}

async function post(
  { url, secret }: LocalRunner,
  path: string,
  body: object,
  timeoutMs: number,
): Promise<Answer> {
  const startedAt = Date.now();
  if (startedAt < pausedUntil) throw new RunnerError('The workflow runner is restarting');
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failedAt = Date.now();
    const hasStarted = failedAt - startedAt >= STARTED_AFTER_MS;
    if (!hasStarted) pausedUntil = failedAt + PAUSE_MS;
    log.warn('the workflow runner did not answer', { reason, waitedMs: failedAt - startedAt });
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new RunnerError(reason, { hasStarted, isLate });
  }
}
