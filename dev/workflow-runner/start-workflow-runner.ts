// Starts the local process that runs workflows: workerd enforces no limits locally, and customers' code that never ends must take down no
// access check. The main Worker calls it at WORKFLOW_RUNNER_URL instead of using its own loader.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { bundleWorker } from '../build/bundle-worker.ts';
import { findFreePort } from '../tools/free-port.ts';

const configPath = resolve(import.meta.dirname, 'wrangler.toml');

export interface RunnerOrder {
  readonly port: number;
  /** What callers must send: code may come from nobody else on this machine. */
  readonly secret: string;
  readonly bundlePath: string;
  readonly configPath: string;
}

export type RunnerMessage =
  | { readonly kind: 'ready' | 'restarted' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface WorkflowRunner {
  /** The main Worker's settings that name it. */
  readonly vars: { readonly WORKFLOW_RUNNER_URL: string; readonly WORKFLOW_RUNNER_SECRET: string };
  /** Kills workerd and waits until the watchdog has started it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws {Error} if the runner cannot be bundled or does not start */
export async function startWorkflowRunner(): Promise<WorkflowRunner> {
  const bundlePath = await bundleWorker(configPath);
  const port = await findFreePort();
  const secret = randomBytes(32).toString('base64url');
  const child = fork(resolve(import.meta.dirname, 'serve-workflow-runner.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<void>((settle) => child.once('exit', () => settle()));
  const broken = ended.then((): never => {
    throw new Error('The workflow runner ended');
  });
  broken.catch(() => undefined); // It may end while nobody waits for a message.
  const next = (kind: RunnerMessage['kind']) => {
    const { promise, resolve: settle, reject } = Promise.withResolvers<void>();
    const listen = (message: RunnerMessage) => {
      if (message.kind === 'failed')
        reject(new Error(`The workflow runner did not start: ${message.reason}`));
      else if (message.kind === kind) settle();
      else return;
      child.off('message', listen);
    };
    child.on('message', listen);
    return Promise.race([promise, broken]);
  };
  const ready = next('ready');
  child.send({ port, secret, bundlePath, configPath } satisfies RunnerOrder);
  await ready;
  return {
    vars: { WORKFLOW_RUNNER_URL: `http://127.0.0.1:${port}`, WORKFLOW_RUNNER_SECRET: secret },
    async kill() {
      const restarted = next('restarted');
      child.send('kill');
      await restarted;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
