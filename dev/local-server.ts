// Starts and stops a local Tessera server, which is a process of its own (serve-tessera.ts). Whoever starts one on data that is kept
// holds the lock of its folder (state-folder.ts).
import { fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localHost } from './ports.ts';
import type { TesseraMessage, TesseraOrder } from './serve-tessera.ts';
import { StartError } from './start-error.ts';
import { root } from './tools.ts';

export interface LocalServerOptions {
  port: number;
  /** Folder with all local state: D1, Durable Objects, R2. */
  stateFolder: string;
  /** The bundled Worker (bundle-worker.ts). */
  bundlePath: string;
  /** All settings. BASE_URL is the server's own address unless set. */
  vars: NodeJS.Dict<string>;
}

export interface LocalServer {
  /** Origin of the server on this machine. */
  url: string;
  pid: number;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /** Prints the Worker's warnings and errors from now on. @returns the log so far */
  showLog(): string;
  /** Serves what is at `bundlePath` now. */
  reload(): Promise<void>;
  /** Stops the server and all its child processes. */
  stop(): Promise<void>;
  /** Kills the process group immediately, like a crash. */
  kill(): Promise<void>;
}

const READY_TIMEOUT_MS = 90_000;
const STOP_PATIENCE_MS = 3000;

/** @throws {Error} with the end of the log if the server does not start */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port, stateFolder, bundlePath } = options;
  const url = `http://${await localHost()}:${port}`;
  const child = fork(resolve(import.meta.dirname, 'serve-tessera.ts'), {
    cwd: root,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true, // A process group of its own, to be killed at once.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  let isShown = false;
  const collect = (chunk: Buffer) => {
    if (isShown) process.stderr.write(chunk);
    else log += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);

  let hasEnded = false;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.on('close', () => {
    hasEnded = true;
    end();
  });
  const kill = async () => {
    killGroup(child.pid);
    await ended;
  };
  const stop = async () => {
    if (child.connected) child.send('stop');
    await Promise.race([ended, sleep(STOP_PATIENCE_MS, undefined, { ref: false })]);
    if (!hasEnded) await kill();
  };
  const next = async (kind: TesseraMessage['kind']) => {
    const { promise, resolve: settle } = Promise.withResolvers<string | null>();
    const listen = (message: TesseraMessage) => {
      if (message.kind !== kind && message.kind !== 'failed') return;
      child.off('message', listen);
      settle(message.kind === 'failed' ? message.reason : null);
    };
    child.on('message', listen);
    return Promise.race([promise, ended.then(() => 'The server ended')]);
  };
  const refuse = async (reason: string): Promise<never> => {
    await stop();
    throw new Error(
      log.trim() === '' ? reason : `${reason}\n\nThe server's log:\n\n${log.trim().slice(-4000)}`,
    );
  };

  const ready = next('ready');
  const vars = { BASE_URL: url, ...options.vars };
  const order: TesseraOrder = {
    ...{ port, bundlePath, vars },
    configPath: join(root, 'wrangler.toml'),
    persistTo: join(stateFolder, 'v3'), // As wrangler names it, which migrates D1.
  };
  child.send(order);
  const failure = (await ready) ?? (await waitUntilHealthy(url, () => hasEnded));
  if (failure !== null) return refuse(failure);
  await recover(url);
  return {
    ...{ url, pid: child.pid ?? 0, ended, stop, kill },
    async reload() {
      const reloaded = next('reloaded');
      child.send('reload');
      await reloaded;
    },
    showLog() {
      isShown = true;
      return log.trim();
    },
  };
}

/** The server listens on its port, so that no other can answer. @returns why it does not serve, or null */
async function waitUntilHealthy(url: string, hasEnded: () => boolean): Promise<string | null> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (hasEnded()) return 'The server ended before it was ready';
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(
      () => null,
    );
    if (response?.ok) return null;
    if (response?.status === 500) return ((await response.json()) as { message: string }).message;
    await sleep(150);
  }
  return 'The server did not answer /api/health in time';
}

/** Resends queue messages that were lost with the previous server: local queues are in memory only. */
async function recover(url: string): Promise<void> {
  const response = await fetch(`${url}/dev/recover`, { method: 'POST', headers: { origin: url } });
  if (response.ok) return;
  throw new StartError(`${url}/dev/recover answered ${response.status}: ${await response.text()}`);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    // Windows has no groups; workerd ends with its parent's pipes.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
