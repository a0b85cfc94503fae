// The folder with all local state, which one server at a time may use: two on the same files would overwrite each other's data.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type ProcessLock, takeLock } from '../tools/process-lock.mjs';
import { root } from '../tools/run-tool.ts';
import { StartError } from '../tools/start-error.ts';

/** TESSERA_STATE, relative to the root; `.wrangler/state` unless set. */
export const stateFolder = resolve(root, process.env.TESSERA_STATE || '.wrangler/state');

const nextStep = 'Stop it, or choose another folder: TESSERA_STATE=folder npm start';

/**
 * Taken before anything in the folder is read or written.
 *
 * @param url where this process will serve; '' if it serves nothing
 * @throws {StartError} if another process uses the folder
 */
export async function lockState(folder: string, url: string): Promise<ProcessLock> {
  const lock = await takeLock(folder, 'state', JSON.stringify({ url }));
  if (!lock.isHeld) throw new StartError(describeHolder(folder, lock.holder));
  await ensureNoFormerServer(folder);
  return lock;
}

function describeHolder(folder: string, { pid, note }: { pid: number; note: string }): string {
  const { url = '' } = note === '' ? {} : (JSON.parse(note) as { url?: string });
  return url === ''
    ? `Another process (${pid}) is using the data in ${folder}. ${nextStep}`
    : `Tessera is already running at ${url} with the data in ${folder} (process ${pid}). ${nextStep}`;
}

/** Earlier versions took no lock: while they ran, this file named their address. A crash left it behind. */
async function ensureNoFormerServer(folder: string): Promise<void> {
  const path = join(folder, 'server.vars');
  if (!existsSync(path)) return;
  const url = parseEnv(readFileSync(path, 'utf8')).BASE_URL;
  const isRunning = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isRunning)
    throw new StartError(`Tessera is already running at ${url} with the data in ${folder}. ${nextStep}`);
  rmSync(path, { force: true });
}
