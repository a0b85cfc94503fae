// The example for Workers: bundled as its reader would, run in workerd, and answered by the package's server for tests.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoVersion } from '#lab/fakes/demo-version';
import { installSdk } from '#lab/fakes/install-sdk';
import { type ListeningFake, listenFake } from '#lab/fakes/listen-fake';
import { type DirectServer, startDirect } from '../../dev/start/direct-server.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { captureTool, root } from '../../dev/tools/run-tool.ts';
import { createFakeServer, type FakeServer } from '../../packages/sdk/fake-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-example-'));
const port = await findFreePort();
let fake: FakeServer;
let worker: DirectServer;
let api: ListeningFake;

beforeAll(async () => {
  fake = createFakeServer(demoVersion());
  await installSdk(folder, ['hono']);
  cpSync(join(root, 'examples/hono-worker'), folder, { recursive: true });
  const bundled = await captureTool('wrangler', ['deploy', '--dry-run', '--outdir', 'out'], { cwd: folder });
  expect(bundled.output).toContain('--dry-run: exiting now');
  api = await listenFake(() => fake);
  worker = await startDirect({
    port,
    bundlePath: join(folder, 'out/index.js'),
    configPath: join(folder, 'wrangler.jsonc'),
    vars: {
      TESSERA_URL: api.url,
      TESSERA_KEY: fake.secretKey,
    },
  });
});
afterAll(async () => {
  await worker?.miniflare.dispose();
  api?.server.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = { 'x-customer': 'ada@customers.example' }) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });

test('exports are taken from the limit until none is left', async () => {
  expect((await get('/export', {})).status).toBe(401);
  expect(await (await get('/export')).json()).toMatchObject({ left: 1 });
  expect(await (await get('/export')).json()).toMatchObject({ left: 0 });
  expect((await get('/export')).status).toBe(402);
  expect(fake.used('ada@customers.example', 'data-exports.exports')).toBe(2);
});

test('its own pages learn what their user can do', async () => {
  expect(await (await get('/entitlements', {})).json()).toHaveProperty(['features'], {});
  expect(await (await get('/entitlements')).json()).toMatchObject({
    v: 1,
    features: { 'api-access': { properties: { requestsPerSecond: 1 } } },
  });
});

test('in an outage customers export, and it is counted once the API is back', async () => {
  const headers = { 'x-customer': 'bea@customers.example' };
  fake.fail('down', 3);
  expect((await get('/export', headers)).status).toBe(200);
  await expect
    .poll(() => fake.used('bea@customers.example', 'data-exports.exports'), { timeout: 30_000 })
    .toBe(1);
});
