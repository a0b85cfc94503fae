// The example for Workers: bundled as its reader would, run in workerd, and answered by the package's server for tests.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoFeatures } from '../../dev/demo/demo-features.ts';
import { type DirectServer, startDirect } from '../../dev/start/direct-server.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { captureTool, root } from '../../dev/tools/run-tool.ts';
import { compileArtifact } from '../../packages/engine/artifacts/compile-artifact.ts';
import { SYSTEM_PROPERTY } from '../../packages/engine/values/system-property.ts';
import { createFakeServer, type FakeServer } from '../../packages/sdk/testing.ts';
import { installSdk } from './install-sdk.ts';
import { type ListeningFake, listenFake } from './listen-fake.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-example-'));
const port = await findFreePort();
let tarball: Buffer;
let fake: FakeServer;
let worker: DirectServer;
let api: ListeningFake;

beforeAll(async () => {
  fake = createFakeServer(demoVersion());
  tarball = await installSdk(folder, ['hono']);
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

/** The features of the demo, and a plan for everybody that has all of them with two exports. */
function demoVersion() {
  const exports = { limit: 2, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const properties = demoFeatures.flatMap(({ slug, properties: own = [] }) => [
    { ...SYSTEM_PROPERTY, id: `${slug}.enabled`, featureId: slug, value: true },
    ...own.map(({ propertyKey: key, type, name }) => ({
      id: `${slug}.${key}`,
      featureId: slug,
      key,
      name,
      type,
      description: null,
      value: key === 'exports' ? { state: 'metered' as const, meter: exports } : defaultOf(type),
      bounds: null,
      conflictResolution: 'higher' as const,
      isSystem: false,
    })),
  ]);
  const features = demoFeatures.map(({ slug, name }) => ({
    id: slug,
    slug: slug as string,
    name,
    description: null,
  }));
  const nothing = { plans: [], planValues: [], planProducts: [], workflows: [] };
  return compileArtifact({ features, properties, ...nothing, limitOrder: 'rate' });
}

function defaultOf(type: string) {
  if (type === 'meterable') return { state: 'on' as const };
  return type === 'number' ? 1 : type === 'boolean' ? true : 'some';
}

const get = (path: string, headers: Record<string, string> = { 'x-customer': 'ada@customers.example' }) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });

test('its lockfile has the package that the server serves', () => {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
  const hash = createHash('sha512').update(tarball).digest('base64');
  expect(packages['node_modules/tessera-sdk']?.integrity).toBe(`sha512-${hash}`);
});

test('exports are taken from the limit until none is left', async () => {
  expect((await get('/export', {})).status).toBe(401);
  expect(await (await get('/export')).json()).toMatchObject({ left: 1 });
  expect(await (await get('/export')).json()).toMatchObject({ left: 0 });
  expect((await get('/export')).status).toBe(402);
  expect(fake.used('ada@customers.example', 'data-exports.exports')).toBe(2);
});

test('its own pages learn what their user can do', async () => {
  expect((await get('/entitlements', {})).status).toBe(401);
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
