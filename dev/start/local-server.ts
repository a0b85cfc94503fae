// Starts and stops a local Tessera server: `wrangler dev`, in a process group of its own (serve-tessera.ts). Whoever starts one on data
// that is kept holds the lock of its folder (state-folder.ts).
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../tools/run-tool.ts';
import { signalGroup } from '../tools/signal-group.ts';
import { StartError } from '../tools/start-error.ts';
import { patientFetch } from '../workspace/patient-fetch.ts';
import { localHost } from './ports.ts';

export interface LocalServerOptions {
  port: number;
  /** Folder with all local state: D1, Durable Objects, R2. */
  stateFolder: string;
  /** The bundled Worker (bundle-worker.ts), which saves the memory of a bundler. Null: wrangler bundles it, again after each change of its sources. */
  bundlePath: string | null;
  /** All settings. BASE_URL is the server's own address unless set. */
  vars: NodeJS.Dict<string>;
}

export interface LocalServer {
  /** Origin of the server on this machine. */
  url: string;
  pid: number;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /** What it has logged so far. */
  log(): string;
  /** Prints the Worker's warnings and errors from now on, until it is stopped. */
  showLog(): void;
  /** Stops the server and all its child processes. */
  stop(): Promise<void>;
  /** Kills the process group immediately, like a crash. */
  kill(): Promise<void>;
}

const READY_TIMEOUT_MS = 90_000;
const STOP_PATIENCE_MS = 3000;

/** The runtime reports its own bookkeeping of alarms, which asks nobody for anything. */
const isNoise = (line: string) => line.includes('NOSENTRY SQLite alarm handler canceled');

/** @throws {Error} with the end of the log if the server does not start */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port, stateFolder } = options;
  const url = `http://${await localHost()}:${port}`;
  const settings = settingsFile({ BASE_URL: url, ...options.vars });
  const child = fork(resolve(import.meta.dirname, 'serve-tessera.ts'), wranglerArguments(options, settings), {
    cwd: root,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true, // A process group of its own, to be ended at once.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      X_LOCAL_OBSERVABILITY: 'false', // The trace store grows and slows every request.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false', // Use a fake request.cf instead of fetching one.
      WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'), // Isolates servers with different state folders.
      WRANGLER_LOG_PATH: join(stateFolder, 'logs'),
    },
  });
  const log: string[] = [];
  let isShown = false;
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      if (isNoise(line)) return;
      if (isShown) process.stderr.write(`${line}\n`);
      else log.push(line);
    });
  }
  const logged = () => log.join('\n').trim();

  let hasEnded = false;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.on('close', () => {
    hasEnded = true;
    end();
  });
  const kill = async () => {
    signalGroup(child.pid, 'SIGKILL');
    await ended;
  };
  const stop = async () => {
    isShown = false; // What breaks by being stopped is no news.
    signalGroup(child.pid, 'SIGTERM');
    await Promise.race([ended, sleep(STOP_PATIENCE_MS, undefined, { ref: false })]);
    if (!hasEnded) await kill();
  };

  // wrangler says when it serves, so that the health of another server at this port is never taken for its own.
  const { promise: serving, resolve: serve } = Promise.withResolvers<number>();
  child.on('message', (message) => {
    const { event, port: served } = JSON.parse(String(message)) as { event: string; port: number };
    if (event === 'DEV_SERVER_READY') serve(served);
  });
  const served = await Promise.race([
    ...[serving, ended.then(() => null), sleep(READY_TIMEOUT_MS, undefined, { ref: false })],
  ]);
  const failure =
    served === port
      ? await waitUntilHealthy(url, () => hasEnded)
      : served === null
        ? 'The server ended before it was ready'
        : served === undefined
          ? 'The server was not ready in time'
          : `Another program has taken port ${port}`;
  if (failure !== null) {
    await stop();
    const end = logged().slice(-4000);
    throw new Error(end === '' ? failure : `${failure}\n\nThe server's log:\n\n${end}`);
  }
  await recover(url);
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    stop,
    kill,
    log: logged,
    showLog() {
      isShown = true;
    },
  };
}

function wranglerArguments(
  { port, stateFolder, bundlePath }: LocalServerOptions,
  settings: string,
): string[] {
  return [
    ...['dev', ...(bundlePath === null ? [] : [bundlePath, '--no-bundle'])],
    ...['--config', join(root, 'wrangler.toml'), '--env-file', settings],
    ...['--local', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
    ...['--persist-to', stateFolder, '--log-level', 'warn', '--show-interactive-dev-session=false'],
  ];
}

/** Read by wrangler alone, and deleted when this process ends. */
function settingsFile(vars: NodeJS.Dict<string>): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tessera-settings-')), 'settings.env');
  process.once('exit', () => rmSync(dirname(path), { recursive: true, force: true }));
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  writeFileSync(path, lines.join(''), { mode: 0o600 });
  return path;
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
  const response = await patientFetch(`${url}/dev/recover`, { method: 'POST', headers: { origin: url } });
  if (response.ok) return;
  throw new StartError(`${url}/dev/recover answered ${response.status}: ${await response.text()}`);
}
