// Vitest's global setup of the project `worker`: the process that runs hostile workflows, with its watchdog. Harmless ones run in the
// Worker's own loader, as in production. POST to the control URL kills its workerd, and answers when the watchdog has started it again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startWorkflowRunner } from '../dev/workflow-runner/start-workflow-runner.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    workflowRunnerUrl: string;
    workflowRunnerSecret: string;
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
  project.provide('workflowRunnerUrl', runner.vars.WORKFLOW_RUNNER_URL);
  project.provide('workflowRunnerSecret', runner.vars.WORKFLOW_RUNNER_SECRET);
  project.provide('workflowRunnerControlUrl', `http://127.0.0.1:${port}`);
  return async () => {
    control.close();
    await runner.stop();
  };
}
