/** Calls the workflow runner. A missing runner is named in the log once per isolate, and is an error to the caller. */
import { type Env, settingsOf } from '#worker/env';
import { log } from '#worker/platform/log';

/** The runner cannot be reached, or did not answer in time. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
}

let isMissingLogged = false;

/** @throws {RunnerError} */
export async function callRunner<Reply>(
  env: Env,
  path: '/run' | '/check',
  body: object,
  timeoutMs: number,
): Promise<Reply> {
  const { workflowRunnerUrl } = settingsOf(env);
  const runner = workflowRunnerUrl === null ? env.WORKFLOW_RUNNER : { fetch };
  if (runner === undefined) {
    throw logMissing('The Worker has no binding WORKFLOW_RUNNER: deploy workflow-runner/wrangler.toml first');
  }
  let text: string;
  let status: number;
  try {
    const response = await runner.fetch(`${workflowRunnerUrl ?? 'http://workflow-runner'}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw new RunnerError(error instanceof Error ? error.message : String(error));
  }
  if (status === 200) return JSON.parse(text) as Reply;
  if (status === 501) throw logMissing(text);
  throw new RunnerError(`The workflow runner answered ${status}: ${text.slice(0, 200)}`);
}

function logMissing(reason: string): RunnerError {
  if (!isMissingLogged) log.error('workflows cannot run', { reason });
  isMissingLogged = true;
  return new RunnerError(reason);
}
