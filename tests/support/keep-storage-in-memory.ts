// Every commit of SQLite waits for the disk, and in workerd all that its thread does waits with it. Linux has a file system in memory: where
// there is room, the tests' temporary files are there. The code under test is the same, and a killed process leaves the same files.
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Tests of all projects at once take a tenth of this. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;
const prefix = 'tessera-tests-';

/**
 * Names a folder in memory as the temporary one of this process and those that it starts. The folder goes when this process ends; one that
 * was killed leaves it to the next. Nothing changes where TMPDIR names such a folder already, or there is too little memory.
 */
export function keepStorageInMemory(): void {
  if (process.env.TMPDIR?.startsWith(join(memory, prefix)) || !hasRoom()) return;
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    if (!isRunning(Number(name.slice(prefix.length)))) remove(name);
  const own = `${prefix}${process.pid}`;
  mkdirSync(join(memory, own), { recursive: true });
  process.env.TMPDIR = join(memory, own);
  process.once('exit', () => remove(own));
}

function remove(name: string): void {
  // What another process writes there just now is removed by the next run.
  try {
    rmSync(join(memory, name), { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES;
  } catch {
    return false; // There is no such file system.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
