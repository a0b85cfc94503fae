// The package as an application uses it, for runtimes that no test runs in (lab/soak/run-runtimes.ts): with the server at TESSERA_URL, with
// its own server for tests, and with none. CUSTOMER has used nothing yet.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createFakeServer } from '../../packages/sdk/fake-server.ts';
import { createHandler } from '../../packages/sdk/handler.ts';
import { createTessera, type Tessera } from '../../packages/sdk/index.ts';

const { CUSTOMER: user = '', SILENT_URL, CLOSED_URL } = process.env;
const on = { user };
const GATE = 'reports';
const METER = 'reports.runs';

async function tryOutServer(tessera: Tessera): Promise<void> {
  assert.equal(tessera.peek(GATE, { on }), null);
  const access = await tessera.check(on);
  assert.deepEqual([access.source, access.get('reports.rows')], ['live', 25]);
  assert.equal(await tessera.can(GATE, { on, fallback: false }), true);
  const peeked = tessera.peek(GATE, { on });
  assert.deepEqual([peeked?.value, peeked?.source], [true, 'cache']);

  const { allowed, counted } = await tessera.consume(METER, { on, by: 2, fallback: 'deny' });
  assert.deepEqual([allowed, counted], [true, 'now']);
  tessera.count(METER, { on, by: 3 });
  await tessera.flush();
  tessera.refresh(on);
  const meter = await tessera.get(METER, { on, fallback: { state: 'off', allowed: false } });
  assert.deepEqual(meter, { ...(meter as object), used: 5, remaining: 5 });
  assert.equal((await tessera.consume(METER, { on, by: 6, fallback: 'allow' })).allowed, false);

  const handle = createHandler(tessera, { identify: async () => on });
  const response = await handle(new Request('https://app.example/entitlements'));
  const { features } = (await response.json()) as { features: Record<string, { allowed: boolean }> };
  assert.deepEqual([response.status, features[GATE]?.allowed], [200, true]);
  await tessera.close();
}

/** Every wait ends, and the fallback decides. What nobody awaits does not keep the process alive. */
async function tryOutNoServer(url: string | undefined): Promise<void> {
  const tessera = createTessera({ url, timeoutMs: 300 });
  assert.equal(await tessera.can(GATE, { on, fallback: true }), true);
  assert.equal(await tessera.get('reports.rows', { on, fallback: 7 }), 7);
  const { allowed, source } = await tessera.consume(METER, { on, fallback: 'deny' });
  assert.deepEqual([allowed, source], [false, 'fallback']);
  await assert.rejects(tessera.check(on), { name: 'TesseraError' });
  tessera.count(METER, { on });
  await assert.rejects(tessera.flush({ timeoutMs: 500 }), { name: 'TesseraError', type: 'timeout' });
}

async function tryOutFakeServer(): Promise<void> {
  const fake = createFakeServer(JSON.parse(readFileSync('tessera-version.json', 'utf8')));
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  await tryOutServer(tessera);
  fake.fail('lost');
  tessera.count(METER, { on });
  await tessera.flush();
  assert.equal(fake.used(user, METER), 6);
}

await tryOutServer(createTessera());
await tryOutFakeServer();
for (const url of [SILENT_URL, CLOSED_URL]) await tryOutNoServer(url);
console.log('ok');
