// Starts and stops a local Tessera server: `wrangler dev` and its workerd, configured by dev/development.vars.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { root } from './tools.ts';

export interface LocalServerOptions {
  port: number;
  /** Folder with all local state: D1, Durable Objects, R2. */
  stateFolder: string;
  /** Settings of this server; override dev/development.vars and .dev.vars. */
  vars?: Readonly<Record<string, string>>;
}

export interface LocalServer {
  /** Origin of the server. */
  url: string;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /** Prints the Worker's warnings and errors from now on. @returns the log so far */
  showLog(): string;
  /** Stops the server and all its child processes. */
  stop(): Promise<void>;
  /** Kills the process group immediately, like a crash. */
  kill(): Promise<void>;
}

/** The server cannot start. The message is shown to the user. */
export class StartError extends Error {}

const readyTimeoutMs = 90_000;

/** @throws {StartError} if the port or the state folder is in use */
export async function ensureNoConflicts({ port, stateFolder }: LocalServerOptions): Promise<void> {
  await ensureUnsharedState(stateFolder, `http://localhost:${port}`);
  await ensureFreePort(port);
}

/** @throws {StartError} if the port or the state folder is in use, or the server does not start */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  await ensureNoConflicts(options);
  const { port, stateFolder, vars = {} } = options;
  const url = `http://localhost:${port}`;
  const ownVars = varsFile(stateFolder);
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(ownVars, toEnvFile({ ...vars, BASE_URL: url }));

  let log = '';
  let isShown = false;
  const child = spawnServer(port, stateFolder, ownVars);
  const collect = (chunk: Buffer) => {
    if (isShown) process.stderr.write(chunk);
    else log += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);

  let hasEnded = false;
  const ended = new Promise<void>((settle) => {
    child.on('close', () => {
      hasEnded = true;
      settle();
    });
  });
  const stop = async () => {
    signalGroup(child, 'SIGTERM');
    await Promise.race([ended, sleep(3000, undefined, { ref: false })]);
    if (!hasEnded) signalGroup(child, 'SIGKILL');
    await ended;
    rmSync(ownVars, { force: true });
  };

  const kill = async () => {
    signalGroup(child, 'SIGKILL');
    await ended;
  };

  const deadline = Date.now() + readyTimeoutMs;
  while (!(await isHealthy(url))) {
    const reason = reasonToGiveUp(hasEnded, log, deadline);
    if (reason !== null) {
      await stop();
      throw new StartError(`${reason}. Server log:\n\n${log.trim()}`);
    }
    await sleep(150);
  }
  await recover(url);
  return {
    url,
    ended,
    kill,
    stop,
    showLog() {
      isShown = true;
      return log.trim();
    },
  };
}

function reasonToGiveUp(hasEnded: boolean, log: string, deadline: number): string | null {
  if (hasEnded) return 'The server ended before it was ready';
  if (/Build failed/.test(log)) return 'The Worker could not be built'; // wrangler waits for an edit instead of exiting.
  return Date.now() > deadline ? 'The server did not answer /api/health in time' : null;
}

/** Resends queue messages that were lost with the previous server: local queues are in memory only. */
async function recover(url: string): Promise<void> {
  const response = await fetch(`${url}/dev/recover`, { method: 'POST', headers: { origin: url } });
  if (response.ok) return;
  throw new StartError(`${url}/dev/recover answered ${response.status}: ${await response.text()}`);
}

/** Whether a Tessera server responds at this URL. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

/** Records which server uses the folder. Removed when that server stops; left behind if it is killed. */
function varsFile(stateFolder: string): string {
  return join(stateFolder, 'server.vars');
}

function toEnvFile(vars: Readonly<Record<string, string>>): string {
  return Object.entries(vars)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('');
}

/** Two servers on the same files would overwrite each other's data. */
async function ensureUnsharedState(stateFolder: string, url: string): Promise<void> {
  const ownVars = varsFile(stateFolder);
  const other = existsSync(ownVars) ? parseEnv(readFileSync(ownVars, 'utf8')).BASE_URL : undefined;
  if (other === undefined || other === url || !(await isHealthy(other))) return;
  throw new StartError(
    `Tessera is already running at ${other} with the data in ${stateFolder}. ` +
      'Stop it, or choose another folder: TESSERA_STATE=.wrangler/other-state',
  );
}

/** Waits briefly, because a server that was just killed may still have the port. */
async function ensureFreePort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (await isFree(port)) return;
    await sleep(200);
  }
  const holder = (await isHealthy(`http://localhost:${port}`))
    ? 'Tessera is already running on'
    : 'Another program is using';
  throw new StartError(`${holder} port ${port}. Stop it, or choose another port: PORT=${port + 1} npm start`);
}

/** Whether the local port is free. */
export async function isFree(port: number): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => settle(false));
  probe.listen(port, '127.0.0.1', () => probe.close(() => settle(true)));
  return promise;
}

function spawnServer(port: number, stateFolder: string, ownVars: string): ChildProcess {
  const envFiles = [join(root, 'dev/development.vars'), join(root, '.dev.vars'), ownVars].filter(existsSync);
  const args = [
    ...['dev', '--local', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
    ...['--persist-to', stateFolder, '--log-level', 'warn', '--show-interactive-dev-session=false'],
    ...envFiles.flatMap((file) => ['--env-file', file]),
  ];
  return spawn(process.execPath, [resolve(import.meta.dirname, 'process-group.ts'), ...args], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      X_LOCAL_OBSERVABILITY: 'false', // The trace store grows and slows every request.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false', // Use a fake request.cf instead of fetching one.
      WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'), // Isolates servers with different state folders.
      WRANGLER_LOG_PATH: join(stateFolder, 'logs'),
    },
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
