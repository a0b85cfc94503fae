// A lock ends with the process that holds it, and only then.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from '../../dev/tools/process-lock.mjs';

const lockModule = resolve(import.meta.dirname, '../../dev/tools/process-lock.mjs');
let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-lock-'));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that tries to take the lock. @returns what it found, once it knows; it keeps running */
async function contend(): Promise<{ child: ChildProcess; outcome: string }> {
  const script = `
    import { takeLock } from ${JSON.stringify(lockModule)};
    const lock = await takeLock(${JSON.stringify(folder)}, 'state', 'note of ' + process.pid);
    console.log(lock.isHeld ? 'held' : lock.holder.note);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [chunk] = await once(child.stdout, 'data');
  return { child, outcome: String(chunk).trim() };
}

test('of processes that start at once, exactly one holds the lock, and the others name it', async () => {
  const contenders = await Promise.all(Array.from({ length: 6 }, contend));
  const holders = contenders.filter(({ outcome }) => outcome === 'held');
  expect(holders).toHaveLength(1);
  const note = `note of ${holders[0]?.child.pid}`;
  expect(new Set(contenders.map(({ outcome }) => outcome))).toEqual(new Set(['held', note]));
});

test('the lock of a killed process is free at once', async () => {
  const { child } = await contend();
  expect(await takeLock(folder, 'state', 'own')).toMatchObject({ isHeld: false });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await takeLock(folder, 'state', 'own')).toMatchObject({ isHeld: true });
});

test('a killed process leaves the lock to the child that still writes', async () => {
  const { child: writer } = await contend();
  rmSync(folder, { recursive: true });
  const lock = await takeLock(folder, 'state', 'own');
  if (!lock.isHeld) throw new Error('The folder was new');
  lock.include(writer.pid ?? 0);
  const [own = ''] = readdirSync(folder).filter((name) => name.includes(`-${process.pid}-`));
  rmSync(join(folder, own)); // As if this process had ended.
  const waiting = takeLock(folder, 'state', 'own');
  expect(await Promise.race([waiting, new Promise((settle) => setTimeout(settle, 300, 'waits'))])).toBe(
    'waits',
  );
  writer.kill('SIGKILL');
  expect(await waiting).toMatchObject({ isHeld: true });
});

test('a process that was given the id of the holder later does not hold the lock', async () => {
  writeFileSync(join(folder, `state-${process.ppid}-1.lock`), 'a former process');
  expect(await takeLock(folder, 'state', 'own')).toMatchObject({ isHeld: true });
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a released lock leaves nothing behind', async () => {
  const lock = await takeLock(folder, 'state', 'own');
  if (lock.isHeld) lock.release();
  expect(readdirSync(folder)).toEqual([]);
});
