// Vitest's global setup of the project `worker`: the workflow runner in a process of its own, with its watchdog. A POST to the
// control URL kills it, and is answered when it has been started again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startWorkflowRunner } from '../dev/workflow-runner.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Host and port. */
    workflowRunnerAddress: string;
    workflowRunnerControlUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runner = await startWorkflowRunner();
  const control = createServer((_request, response) => {
    runner.kill().then(
      () => response.end('restarted'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => control.listen(0, '127.0.0.1', listening));
  const { port } = control.address() as AddressInfo;
  project.provide('workflowRunnerAddress', new URL(runner.url).host);
  project.provide('workflowRunnerControlUrl', `http://127.0.0.1:${port}`);
  return async () => {
    control.close();
    await runner.stop();
  };
}
