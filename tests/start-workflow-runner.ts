// Vitest's global setup of the project `worker`: the workflow runner in a process of its own, with its watchdog. Test files share
// it. A test that needs one to kill gets another from the control URL: POST /start answers with its URL, and POST /kill when
// its watchdog has started it again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startWorkflowRunner, type WorkflowRunner } from '../dev/workflow-runner.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Host and port. */
    workflowRunnerAddress: string;
    workflowRunnerControlUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runner = await startWorkflowRunner();
  let spare: Promise<WorkflowRunner> | null = null;
  const startSpare = () => {
    spare ??= startWorkflowRunner();
    return spare;
  };
  const control = createServer((request, response) => {
    const done =
      request.url === '/start'
        ? startSpare().then(({ url }) => url)
        : startSpare().then(async ({ kill }) => {
            await kill();
            return 'restarted';
          });
    done.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => control.listen(0, '127.0.0.1', listening));
  const { port } = control.address() as AddressInfo;
  project.provide('workflowRunnerAddress', new URL(runner.url).host);
  project.provide('workflowRunnerControlUrl', `http://127.0.0.1:${port}`);
  return async () => {
    control.close();
    await Promise.all([runner.stop(), spare?.then((each) => each.stop())]);
  };
}
