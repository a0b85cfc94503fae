// The examples as somebody starts from them: copied, installed from their lock files, built and run. The package's server for tests is
// the API, and the package comes from an address, as an application gets it. Needs a registry.
import { strict as assert } from 'node:assert';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { creditsVersion } from '#lab/fakes/credits-version';
import { demoVersion } from '#lab/fakes/demo-version';
import { listenFake } from '#lab/fakes/listen-fake';
import { createFakeServer, type FakeServer } from '#sdk/fake-server';
import { buildSdk } from '../../dev/sdk/build-sdk.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { npmPath, runNpm } from '../../dev/tools/run-npm.ts';
import { root } from '../../dev/tools/run-tool.ts';
import { withProcess } from './with-process.ts';

/** Where the examples expect Tessera. */
const EXPECTED = 'http://localhost:4001';
const CUSTOMER = 'chidi.okafor@lanternworks.example';

interface Example {
  readonly name: string;
  /** Its own port, which its scripts name. */
  readonly port: string;
  /** Where its README puts the key. */
  readonly secrets: string;
  /** Null: it needs no build. */
  readonly builds: readonly string[] | null;
  readonly version?: typeof demoVersion;
  readonly check: (url: string, fake: FakeServer) => Promise<void>;
}

const examples: readonly Example[] = [
  {
    name: 'hono-worker',
    port: '8788',
    secrets: '.dev.vars',
    builds: ['exec', 'wrangler', '--', 'deploy', '--dry-run'],
    check: checkHono,
  },
  { name: 'next', port: '3000', secrets: '.env.local', builds: ['run', 'build'], check: checkNext },
  { name: 'ai', port: '8789', secrets: '.env', builds: null, version: creditsVersion, check: checkAi },
];

export async function runExamples(): Promise<boolean> {
  const { fileName, tarball } = await buildSdk();
  const shop = createServer((request, response) => {
    if (request.url === `/sdk/${fileName}`) response.end(tarball);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening));
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  try {
    for (const example of examples) await runExample(example, shopUrl);
    return true;
  } finally {
    shop.close();
    shop.closeAllConnections();
  }
}

async function runExample(
  { name, port, secrets, builds, version = demoVersion, check }: Example,
  shopUrl: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `tessera-example-${name}-`));
  const fake = createFakeServer(version());
  const api = await listenFake(() => fake);
  try {
    const isOwn = (path: string) => !/(^|[\\/])(node_modules|\.next|\.wrangler)$/.test(path);
    cpSync(join(root, 'examples', name), folder, { recursive: true, filter: isOwn });
    const ownPort = String(await findFreePort());
    for (const file of ['package.json', 'package-lock.json']) {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll(EXPECTED, shopUrl);
      writeFileSync(join(folder, file), text.replaceAll(`--port ${port}`, `--port ${ownPort}`));
    }
    writeFileSync(join(folder, secrets), `TESSERA_KEY=${fake.secretKey}\nTESSERA_URL=${api.url}\n`);
    console.log(`${name}: installing`);
    await runNpm(['ci'], folder);
    if (builds !== null) {
      console.log(`${name}: building`);
      await runNpm(builds, folder);
    }
    const url = `http://127.0.0.1:${ownPort}`;
    await withProcess([npmPath(), 'start'], { cwd: folder }, url, () => check(url, fake));
    console.log(`${name}: ok`);
  } finally {
    api.server.close();
    api.server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkHono(url: string, fake: FakeServer): Promise<void> {
  const get = (path: string) => fetch(`${url}${path}`, { headers: { 'x-customer': CUSTOMER } });
  await checkExports(() => get('/export'), fake);
  await checkEntitlements(await get('/entitlements'));
  assert.equal((await get('/reports')).status, 200);
  await countedOnce(fake);
}

async function checkNext(url: string, fake: FakeServer): Promise<void> {
  const headers = { cookie: `customer=${CUSTOMER}` };
  assert.match(await (await fetch(url)).text(), /Sign in/);
  const nobody = (await (await fetch(`${url}/entitlements`)).json()) as { features: object };
  assert.deepEqual(nobody.features, {});
  const page = await (await fetch(url, { headers })).text();
  assert.match(page, /Your plan has API access/);
  assert.match(page, /2 left|2(<!-- -->)? left/, 'The first render has no answers');
  await checkEntitlements(await fetch(`${url}/entitlements`, { headers }));
  await checkExports(() => fetch(`${url}/exports`, { method: 'POST', headers }), fake);
  await countedOnce(fake);
}

/** With the AI SDK itself: replies that are paid, one whose reader leaves, and the limit. */
async function checkAi(url: string, fake: FakeServer): Promise<void> {
  const credits = () => fake.used(CUSTOMER, 'ai-calls.credits');
  const settled = () => fake.calls.filter(({ path }) => path.endsWith('/settle')).length;
  const ask = (prompt: string, signal: AbortSignal | null = null) =>
    fetch(`${url}/?prompt=${encodeURIComponent(prompt)}`, { headers: { 'x-customer': CUSTOMER }, signal });
  assert.match(await (await ask('Hello there')).text(), /there Hello/);
  const paid = credits();
  assert.ok(paid > 0, 'The reply was not paid');
  const long = 'tell me '.repeat(100);
  const reading = new AbortController();
  await (await ask(long, reading.signal)).body?.getReader().read();
  reading.abort();
  for (let tries = 0; settled() < 2 && tries < 100; tries++) await sleep(100);
  assert.ok(credits() > paid && credits() < paid + 30, `Left early, it took ${credits() - paid}`);
  fake.set(CUSTOMER, { 'ai-calls.credits': { limit: credits() + 3 } });
  assert.equal((await ask(long)).status, 402);
}

async function checkExports(take: () => Promise<Response>, fake: FakeServer): Promise<void> {
  const statuses = [(await take()).status, (await take()).status, (await take()).status];
  assert.deepEqual(statuses, [200, 200, 402]);
  assert.equal(fake.used(CUSTOMER, 'data-exports.exports'), 2);
}

async function checkEntitlements(response: Response): Promise<void> {
  const { features } = (await response.json()) as { features: Record<string, { allowed: boolean }> };
  assert.equal(features['api-access']?.allowed, true);
}

/** What was counted during one request is sent after its response. */
async function countedOnce(fake: FakeServer): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (fake.used(CUSTOMER, 'api-access.requests') === 1) return;
    await sleep(100);
  }
  assert.fail(`Counted ${fake.used(CUSTOMER, 'api-access.requests')} requests, not 1`);
}
