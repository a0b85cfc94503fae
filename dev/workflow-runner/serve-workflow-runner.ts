// A process of its own: workerd with the workflow runner, and a watchdog. When the runner does not answer, because code of a
// workflow occupies its only thread, or when it has crashed, workerd is killed and started again. Started by start-workflow-runner.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { startDirect } from '../start/direct-server.ts';
import type { RunnerMessage, RunnerOrder } from './start-workflow-runner.ts';

const HEALTH_EVERY_MS = 250;
/** Longer than the wall time of a check's workflows, and than a busy machine takes to answer. */
const HEALTH_PATIENCE_MS = 2_000;

process.on('disconnect', () => process.exit()); // workerd ends with its parent's pipes.

process.once('message', async (order: RunnerOrder) => {
  try {
    await serve(order);
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

async function serve({ port, secret, bundlePath, configPath }: RunnerOrder): Promise<void> {
  const server = await startDirect({
    port,
    bundlePath,
    configPath,
    vars: { WORKFLOW_RUNNER_SECRET: secret },
  });
  let restarting: Promise<unknown> | null = null;
  const restart = () => {
    restarting ??= server.restart().finally(() => {
      restarting = null;
      send({ kind: 'restarted' });
    });
    return restarting;
  };
  process.on('message', (message: RunnerOrder | 'kill') => {
    if (message === 'kill') void restart();
  });
  send({ kind: 'ready' });
  for (;;) {
    await sleep(HEALTH_EVERY_MS);
    if (!(await isHealthy(port))) await restart();
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_PATIENCE_MS);
    return (await fetch(`http://127.0.0.1:${port}/health`, { signal })).ok;
  } catch {
    return false;
  }
}

function send(message: RunnerMessage): void {
  process.send?.(message);
}
