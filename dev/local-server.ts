// Starts and ends what serves Tessera on this machine: `wrangler dev` and the workerd below it, with the values of
// dev/development.vars.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { root } from './tools.ts';

export interface LocalServerOptions {
  port: number;
  /** Where D1, the objects, R2 and the rest keep what they hold. */
  stateFolder: string;
  /** Settings of this server only; they go before those of dev/development.vars and .dev.vars. */
  vars?: Readonly<Record<string, string>>;
}

export interface LocalServer {
  /** Its origin, as the browser sees it. */
  url: string;
  /** Settles when the server is no longer there, whatever the reason. */
  ended: Promise<void>;
  /** Shows what the Worker logs from now on (warnings and errors only), and answers what it logged before. */
  showLog(): string;
  /** Ends the server and everything that it started. */
  stop(): Promise<void>;
  /** Ends it all as a crash does: at once, with nothing left to say. */
  kill(): Promise<void>;
}

/** A start that could not succeed; the message is for whoever typed the command. */
export class StartError extends Error {}

const readyTimeoutMs = 90_000;

/** @throws {StartError} when the port, or the data of the folder, is in use already. */
export async function refuseConflicts({ port, stateFolder }: LocalServerOptions): Promise<void> {
  await refuseSharedState(stateFolder, `http://localhost:${port}`);
  await refuseTakenPort(port);
}

/** @throws {StartError} when the port or the state folder is taken, or the server did not come up. */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  await refuseConflicts(options);
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
      throw new StartError(`${reason}. It said:\n\n${log.trim()}`);
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
  if (/Build failed/.test(log)) return 'The Worker could not be built'; // wrangler would wait for an edit.
  return Date.now() > deadline ? 'The server did not answer /api/health in time' : null;
}

/** Messages that were in the local queue when the server last ended were in memory only: they are sent again. */
async function recover(url: string): Promise<void> {
  const response = await fetch(`${url}/dev/recover`, { method: 'POST', headers: { origin: url } });
  if (response.ok) return;
  throw new StartError(`${url}/dev/recover answered ${response.status}: ${await response.text()}`);
}

/** True when a Tessera answers there. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

/** Says which server uses the folder; removed when that server ends, left behind when it is killed. */
function varsFile(stateFolder: string): string {
  return join(stateFolder, 'server.vars');
}

function toEnvFile(vars: Readonly<Record<string, string>>): string {
  return Object.entries(vars)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('');
}

/** Two servers on the same files would overwrite each other's data. */
async function refuseSharedState(stateFolder: string, url: string): Promise<void> {
  const ownVars = varsFile(stateFolder);
  const other = existsSync(ownVars) ? parseEnv(readFileSync(ownVars, 'utf8')).BASE_URL : undefined;
  if (other === undefined || other === url || !(await isHealthy(other))) return;
  throw new StartError(
    `Tessera already runs at ${other} with the data in ${stateFolder}. ` +
      'Stop it, or choose another folder: TESSERA_STATE=.wrangler/other-state',
  );
}

/** Waits a little for a server that was just killed to let go of the port. */
async function refuseTakenPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (await isFree(port)) return;
    await sleep(200);
  }
  const holder = (await isHealthy(`http://localhost:${port}`))
    ? 'Tessera already runs'
    : 'Another program listens';
  throw new StartError(
    `${holder} on port ${port}. Stop it, or choose another port: PORT=${port + 1} npm start`,
  );
}

/** Whether nothing listens on that port of this machine. */
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
      X_LOCAL_OBSERVABILITY: 'false', // Its store of traces grows and slows every request.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false', // request.cf is made up locally; nothing is asked of the internet.
      WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'), // Servers with other state know nothing of each other.
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
    // ESRCH: the group is gone already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
