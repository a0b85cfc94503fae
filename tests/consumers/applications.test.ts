// Applications that need no registry, as `npm run soak -- applications` installs them: against the package's server for tests.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSdk } from '#lab/fakes/install-sdk';
import { type ListeningFake, listenFake } from '#lab/fakes/listen-fake';
import { documentedVersion } from '#lab/fixtures/documented-version';
import { createFakeServer } from '../../packages/sdk/fake-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-applications-'));
const fake = createFakeServer(documentedVersion());
let api: ListeningFake;

beforeAll(async () => {
  await installSdk(folder, ['vite', 'react']);
  cpSync(join(import.meta.dirname, 'applications'), folder, { recursive: true });
  writeFileSync(join(folder, 'tessera-version.json'), JSON.stringify(documentedVersion()));
  api = await listenFake(() => fake);
});
afterAll(() => {
  api?.server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns what it wrote. @throws where it ends with a failure */
async function run(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    TESSERA_URL: api.url,
    TESSERA_KEY: fake.secretKey,
    TESSERA_PUBLIC_KEY: fake.publicKey,
    CUSTOMER: `${args.at(-1)}@customers.example`,
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  expect(stderr).toBe('');
  return stdout;
}

test.each(['node.mjs', 'vite.mjs'])('%s gets its answer', async (file) => {
  await run(file);
});

/** Node loads the module where it is required; older tools, and Node without that ability, load CommonJS. */
test.each(['--experimental-require-module', '--no-experimental-require-module'])(
  'CommonJS in Node with %s: every entry is required, and works',
  async (option) => {
    const said = await run(option, '--test', '--test-reporter=tap', 'commonjs.test.cjs');
    expect(said).toContain('# pass 3\n# fail 0\n');
  },
);

test('every entry loads where there is neither fetch nor an encoder of texts: in Jest with jsdom', async () => {
  const names = "'', '/browser', '/react', '/handler', '/testing'";
  const script = `
    for (const name of ['fetch', 'Request', 'Response', 'Headers', 'TextEncoder', 'TextDecoder', 'crypto']) delete globalThis[name];
    for (const name of [${names}]) require('tessera-sdk' + name);
    const { createBrowserTessera } = require('tessera-sdk/browser');
    const { accessJson } = require('tessera-sdk/testing');
    const { access } = createBrowserTessera({ from: { handler: '/' }, bootstrap: accessJson({ 'reports.rows': 5 }) }).getState();
    console.log(access.get('reports.rows'));`;
  expect(await run('--no-experimental-require-module', '-e', script)).toBe('5\n');
});

test('a module and CommonJS in one application know each other’s errors', async () => {
  const script = `
    const { TesseraError } = require('tessera-sdk');
    import('tessera-sdk').then(async (module) => {
      const thrown = await module.createTessera({ url: '', key: '', onEvent() {} }).check({ anonymous: true }).catch((error) => error);
      console.log(TesseraError === module.TesseraError, thrown instanceof TesseraError);
    });`;
  expect(await run('--no-experimental-require-module', '-e', script)).toBe('false true\n');
  expect(await run('-e', script)).toBe('true true\n');
});
