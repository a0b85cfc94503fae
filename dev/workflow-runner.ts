// Starts the two workflow runners for local work and tests: each is a process of its own, so that customers' code that gets around every
// guard takes down no access check. The main Worker calls them at the URLs in `vars` instead of through its service bindings.
import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import { findFreePort } from './free-port.ts';
import { root } from './tools.ts';

const configPath = resolve(root, 'workflow-runner/wrangler.toml');

/**
 * V8's settings. A regular expression that backtracks too often continues in the linear engine, and a workflow that fills the
 * memory ends the process before the machine suffers.
 */
const V8_FLAGS = [
  '--enable-experimental-regexp-engine-on-excessive-backtracks',
  '--regexp-backtracks-before-fallback=50000',
  '--max-old-space-size=512',
].join(' ');

export interface RunnerOrder {
  readonly port: number;
  readonly bundlePath: string;
  readonly configPath: string;
}

export type RunnerMessage =
  | { readonly kind: 'ready' | 'restarted' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Shared by the runners of this process. */
let bundling: Promise<string> | null = null;

export interface WorkflowRunner {
  readonly url: string;
  /** Kills workerd and waits until the watchdog has started it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkflowRunners {
  readonly short: WorkflowRunner;
  /** For long and unknown runs. */
  readonly long: WorkflowRunner;
  /** The main Worker's settings that name them. */
  readonly vars: { readonly WORKFLOW_RUNNER_URL: string; readonly LONG_WORKFLOW_RUNNER_URL: string };
  stop(): Promise<void>;
}

/** @throws {Error} if the runners cannot be bundled or one does not start */
export async function startWorkflowRunners(): Promise<WorkflowRunners> {
  const starting = [startWorkflowRunner(), startWorkflowRunner()] as const;
  try {
    const [short, long] = await Promise.all(starting);
    return {
      ...{ short, long },
      vars: { WORKFLOW_RUNNER_URL: short.url, LONG_WORKFLOW_RUNNER_URL: long.url },
      async stop() {
        await Promise.all([short.stop(), long.stop()]);
      },
    };
  } catch (error) {
    for (const each of starting) each.then((runner) => runner.stop()).catch(() => undefined);
    throw error;
  }
}

/** @throws {Error} if the runner cannot be bundled or does not start */
async function startWorkflowRunner(): Promise<WorkflowRunner> {
  bundling ??= bundleWorker(configPath);
  const bundlePath = await bundling;
  const port = await findFreePort();
  const child = fork(resolve(import.meta.dirname, 'serve-workflow-runner.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS },
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
  child.send({ port, bundlePath, configPath } satisfies RunnerOrder);
  await ready;
  return {
    url: `http://127.0.0.1:${port}`,
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
