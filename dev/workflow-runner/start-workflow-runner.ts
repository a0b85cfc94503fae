// Starts the local process that runs workflows: workerd enforces no limits locally, and customers' code that never ends must take down no
// access check. The main Worker calls it at WORKFLOW_RUNNER_URL instead of using its own loader.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';
import { bundleWorker } from '../build/bundle-worker.ts';
import { findFreePort } from '../tools/free-port.ts';
import { signalGroup } from '../tools/signal-group.ts';

const configPath = resolve(import.meta.dirname, 'wrangler.toml');

export interface RunnerOrder {
  readonly port: number;
  /** What callers must send: code may come from nobody else on this machine. */
  readonly secret: string;
  readonly bundlePath: string;
  readonly configPath: string;
}

/** `ready` comes after each start of workerd. */
export type RunnerMessage = { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly reason: string };

export interface WorkflowRunner {
  /** The main Worker's settings that name it. */
  readonly vars: { readonly WORKFLOW_RUNNER_URL: string; readonly WORKFLOW_RUNNER_SECRET: string };
  /** Kills workerd, or else the watchdog too, and waits until workerd has started again. */
  kill(victim?: 'workerd' | 'watchdog'): Promise<void>;
  stop(): Promise<void>;
}

/** Between the end of a watchdog and the next: what keeps it from starting may last. */
const AGAIN_AFTER_MS = 500;

/**
 * Once it has started, its watchdog is started again whenever it ends, until `stop`.
 *
 * @throws {Error} if the runner cannot be bundled or does not start
 */
export async function startWorkflowRunner(): Promise<WorkflowRunner> {
  const bundlePath = await bundleWorker(configPath);
  const port = await findFreePort();
  const secret = randomBytes(32).toString('base64url');
  const order: RunnerOrder = { port, secret, bundlePath, configPath };
  const events = new EventEmitter<{ ready: [] }>();
  let state: 'starting' | 'running' | 'stopped' = 'starting';
  let failure = 'it ended';
  let watchdog = forkWatchdog();

  function forkWatchdog(): ChildProcess {
    const child = fork(resolve(import.meta.dirname, 'serve-workflow-runner.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true, // A process group of its own: a killed watchdog leaves its workerd behind, which has the port.
    });
    child.on('message', (message: RunnerMessage) => {
      if (message.kind === 'failed') failure = message.reason;
      else events.emit('ready');
    });
    child.on('error', () => undefined); // A message to a process that has just ended: `exit` follows.
    child.once('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      setTimeout(() => {
        if (state === 'running') watchdog = forkWatchdog();
      }, AGAIN_AFTER_MS);
    });
    child.send(order);
    return child;
  }

  const ended = once(watchdog, 'exit');
  await Promise.race([
    once(events, 'ready'),
    ended.then(() => {
      throw new Error(`The workflow runner did not start: ${failure}`);
    }),
  ]);
  state = 'running';
  return {
    vars: { WORKFLOW_RUNNER_URL: `http://127.0.0.1:${port}`, WORKFLOW_RUNNER_SECRET: secret },
    async kill(victim = 'workerd') {
      const ready = once(events, 'ready');
      if (victim === 'watchdog') watchdog.kill('SIGKILL');
      else if (watchdog.connected) watchdog.send('kill');
      await ready;
    },
    async stop() {
      state = 'stopped';
      if (watchdog.exitCode !== null || watchdog.signalCode !== null) return;
      const ended = once(watchdog, 'exit');
      if (watchdog.connected) watchdog.disconnect();
      await ended;
    },
  };
}
