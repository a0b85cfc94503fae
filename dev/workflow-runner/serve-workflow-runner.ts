// A process of its own: workerd with the workflow runner, and a watchdog. When the runner does not answer, because code of a
// workflow occupies its only thread, or when it has crashed, workerd is killed and started again. When that fails or takes too long,
// because the port is taken or memory is short, the whole process ends, and start-workflow-runner.ts starts it again.
import { setTimeout as sleep } from 'node:timers/promises';
import { startDirect } from '../start/direct-server.ts';
import { signalGroup } from '../tools/signal-group.ts';
import type { RunnerMessage, RunnerOrder } from './start-workflow-runner.ts';

const HEALTH_EVERY_MS = 250;
/** Longer than the wall time of a check's workflows, and than a busy machine takes to answer. */
const HEALTH_PATIENCE_MS = 2_000;
/** A restart that takes longer never ends. */
const RESTART_PATIENCE_MS = 15_000;

process.on('disconnect', () => signalGroup(process.pid, 'SIGKILL')); // With its workerd, whatever that does.

process.once('message', async (order: RunnerOrder) => {
  try {
    await serve(order);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.send?.({ kind: 'failed', reason } satisfies RunnerMessage, () => process.exit(1));
  }
});

async function serve({ port, secret, bundlePath, configPath }: RunnerOrder): Promise<void> {
  const server = await startDirect({
    port,
    bundlePath,
    configPath,
    vars: { WORKFLOW_RUNNER_SECRET: secret },
  });
  let isKilled = false;
  process.on('message', () => {
    isKilled = true;
  });
  send({ kind: 'ready' });
  for (;;) {
    await sleep(HEALTH_EVERY_MS);
    if (!isKilled && (await isHealthy(port))) continue;
    await Promise.race([server.restart(), tooLate()]);
    isKilled = false;
    send({ kind: 'ready' });
  }
}

/** @throws {Error} after the time that a restart may take */
async function tooLate(): Promise<never> {
  await sleep(RESTART_PATIENCE_MS);
  throw new Error(`workerd did not start again within ${RESTART_PATIENCE_MS / 1000} s`);
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
