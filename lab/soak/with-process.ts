// A server of its own for a part of the soak: started, waited for, and ended with everything that it started.
import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { root } from '../../dev/tools/run-tool.ts';
import { signalGroup } from '../../dev/tools/signal-group.ts';

/** A first start builds the console. */
const START_MS = 300_000;

/**
 * @param args of Node
 * @param url answers once the server is there
 * @throws {Error} with what the process said, if it ends before it answers
 */
export async function withProcess<Result>(
  args: readonly string[],
  options: SpawnOptions,
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => void output.push(String(chunk)));
  let hasEnded = false;
  const ended = new Promise<void>((settle) => {
    child.once('close', () => {
      hasEnded = true;
      settle();
    });
  });
  const end = () => {
    if (!hasEnded) signalGroup(child.pid, 'SIGTERM');
  };
  // If the soak itself is ended.
  process.once('exit', end);
  try {
    const givesUpAt = Date.now() + START_MS;
    while (!(await answers(url))) {
      if (hasEnded || Date.now() > givesUpAt) throw new Error(`${url} did not answer:\n${output.join('')}`);
      await sleep(200);
    }
    return await work();
  } finally {
    process.off('exit', end);
    end();
    await ended;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false;
  }
}

/** `npm start` on empty data. */
export async function withTessera<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const state = mkdtempSync(join(tmpdir(), 'tessera-soak-'));
  const env = { ...process.env, PORT: String(port), TESSERA_STATE: state };
  try {
    const start = [join(root, 'dev/bootstrap.mjs'), 'dev/start.ts'];
    return await withProcess(start, { cwd: root, env }, `${url}/api/health`, () => work(url));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
