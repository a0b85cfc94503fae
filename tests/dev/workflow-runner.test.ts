// The local process that runs workflows is back after whatever ends it: nobody restarts `npm start` because of a customer's code.
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorkflowRunner, type WorkflowRunner } from '../../dev/workflow-runner/start-workflow-runner.ts';

let runner: WorkflowRunner;

beforeAll(async () => {
  runner = await startWorkflowRunner();
});

afterAll(() => runner.stop());

const isHealthy = () =>
  fetch(`${runner.vars.WORKFLOW_RUNNER_URL}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Listens at the runner's port as soon as it is free. */
async function takePort(): Promise<Server> {
  const port = Number(new URL(runner.vars.WORKFLOW_RUNNER_URL).port);
  for (;;) {
    const server = createServer((socket) => socket.destroy());
    const isListening = await new Promise<boolean>((settle) => {
      server.once('error', () => settle(false));
      server.listen(port, '127.0.0.1', () => settle(true));
    });
    if (isListening) return server;
    await sleep(1);
  }
}

test.each(['workerd', 'watchdog'] as const)('it answers again after its %s was killed', async (victim) => {
  await runner.kill(victim);
  expect(await isHealthy()).toBe(true);
});

test('it answers again when another program had its port while it restarted', async () => {
  const restarted = runner.kill('watchdog');
  const thief = await takePort();
  await expect.poll(isHealthy).toBe(false);
  await sleep(3_000); // Longer than a start takes, which fails meanwhile.
  expect(await isHealthy()).toBe(false);
  thief.close();
  await restarted;
  await expect.poll(isHealthy, { timeout: 30_000 }).toBe(true);
});
