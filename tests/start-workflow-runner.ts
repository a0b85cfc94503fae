// Vitest's global setup of the project `worker`: the two workflow runners, each in a process of its own with its watchdog. Test
// files share them. A test that needs some to kill gets another pair from the control URL: POST /start answers with the settings that
// name them, and POST /kill/short or /kill/long when the watchdog has started that one again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startWorkflowRunners, type WorkflowRunners } from '../dev/workflow-runner.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Host and port. */
    workflowRunnerAddress: string;
    longWorkflowRunnerAddress: string;
    workflowRunnerControlUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runners = await startWorkflowRunners();
  let spare: Promise<WorkflowRunners> | null = null;
  const startSpare = () => {
    spare ??= startWorkflowRunners();
    return spare;
  };
  const kill = async (name: 'short' | 'long') => {
    await (await startSpare())[name].kill();
    return 'restarted';
  };
  const control = createServer((request, response) => {
    const done =
      request.url === '/start'
        ? startSpare().then(({ vars }) => JSON.stringify(vars))
        : kill(request.url === '/kill/long' ? 'long' : 'short');
    done.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => control.listen(0, '127.0.0.1', listening));
  const { port } = control.address() as AddressInfo;
  project.provide('workflowRunnerAddress', new URL(runners.short.url).host);
  project.provide('longWorkflowRunnerAddress', new URL(runners.long.url).host);
  project.provide('workflowRunnerControlUrl', `http://127.0.0.1:${port}`);
  return async () => {
    control.close();
    await Promise.all([runners.stop(), spare?.then((each) => each.stop())]);
  };
}
