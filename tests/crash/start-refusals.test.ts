// What `npm start` knows at once it says at once, in one sentence, before it builds or changes anything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOwnMigrations } from '../../dev/start/known-migrations.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { takeLock } from '../../dev/tools/process-lock.mjs';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let stateFolder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-start-'));
  stateFolder = join(folder, 'state');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @returns what it printed on standard error */
async function refusal(env: NodeJS.ProcessEnv, script = 'dev/start.ts', ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['dev/bootstrap.mjs', script, ...args], {
    cwd: root,
    env: { ...process.env, PORT: String(await findFreePort()), TESSERA_STATE: stateFolder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  return output.trim();
}

test('a folder that another process uses is refused, and stays as it is', async () => {
  const lock = await takeLock(stateFolder, 'state', JSON.stringify({ url: 'http://localhost:4999' }));
  expect(await refusal({})).toBe(
    `Tessera is already running at http://localhost:4999 with the data in ${stateFolder} (process ${process.pid}). ` +
      'Stop it, or choose another folder: TESSERA_STATE=folder npm start',
  );
  expect(readdirSync(stateFolder)).toHaveLength(1);
  if (lock.isHeld) lock.release();
});

test('data that a newer version has migrated is refused by start and by migrate', async () => {
  const own = await readOwnMigrations();
  mkdirSync(stateFolder);
  const newer = { ...own, ledger: [...(own.ledger ?? []), 'later'] };
  writeFileSync(join(stateFolder, 'migrations.json'), JSON.stringify(newer));
  const message = `The data in ${stateFolder} was last used by a newer version of Tessera. Update this one (git pull), or choose another folder: TESSERA_STATE=folder npm start`;
  expect(await refusal({})).toBe(message);
  expect(await refusal({}, 'dev/migrate.ts')).toBe(message);
  expect(existsSync(join(stateFolder, 'v3'))).toBe(false);
});

test('a port that cannot be used is refused', async () => {
  const other = createServer();
  other.listen(0, '::1');
  await once(other, 'listening');
  const address = other.address();
  const taken = typeof address === 'object' ? String(address?.port) : '';
  expect(await refusal({ PORT: '0' })).toBe('PORT must be a whole number from 1 to 65535, not "0"');
  expect(await refusal({ PORT: '6000' })).toMatch(/^Browsers refuse to open port 6000\. /);
  expect(await refusal({ PORT: taken })).toMatch(new RegExp(`^Another program is using port ${taken}\\. `));
  expect(await refusal({ STRIPE_EMULATOR_PORT: taken })).toMatch(/STRIPE_EMULATOR_PORT=\d+ npm start$/);
  expect(await refusal({ STRIPE_EMULATOR_PORT: 'x' })).toMatch(
    /^STRIPE_EMULATOR_PORT must be a whole number/,
  );
  other.close();
});

test('settings that are missing or not understood are refused', async () => {
  const vars = join(folder, 'own.vars');
  expect(await refusal({ TESSERA_VARS: vars })).toMatch(
    /^TESSERA_VARS names .*own\.vars, which does not exist/,
  );
  writeFileSync(vars, 'SIGNUP=open\n');
  expect(await refusal({ TESSERA_VARS: vars })).toBe(
    `${vars}, line 1: there is no setting SIGNUP. Did you mean SIGN_UP?`,
  );
});

test('tools say that no server answers, and which page was meant', async () => {
  const TESSERA_URL = `http://localhost:${await findFreePort()}`;
  const message = `No server answers at ${TESSERA_URL}. Start one with npm start, or name another: TESSERA_URL=http://localhost:4001`;
  expect(await refusal({ TESSERA_URL }, 'lab/traffic.ts')).toBe(message);
  expect(await refusal({ TESSERA_URL }, 'lab/loading.ts')).toBe(message);
  expect(await refusal({ TESSERA_URL }, 'lab/screenshots.ts')).toBe(message);
  expect(await refusal({}, 'dev/conformance.ts', TESSERA_URL)).toBe(message);
  expect(await refusal({ TESSERA_URL }, 'lab/screenshots.ts', 'plan-managed')).toBe(
    'There is no plan-managed. Did you mean plan-manage?',
  );
});
