import assert from 'node:assert/strict';
import test from 'node:test';
import { createTessera } from 'tessera-sdk';
import { createFakeServer } from 'tessera-sdk/fake-server';
import { createFakeTessera } from 'tessera-sdk/testing';
import { exportReport } from './exports.ts';
import version from './tessera-version.json' with { type: 'json' };

function start() {
  const fake = createFakeServer(version);
  return { fake, tessera: createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch }) };
}

test('exports stop at the limit', async () => {
  const { fake, tessera } = start();
  fake.set('ada', { 'data-exports.exports': { limit: 1 } });
  await exportReport(tessera, 'ada');
  await assert.rejects(exportReport(tessera, 'ada'), /No exports left/);
  assert.equal(fake.used('ada', 'data-exports.exports'), 1);
});

test('exports go on during an outage', async () => {
  const { fake, tessera } = start();
  fake.fail('down', 3);
  await exportReport(tessera, 'ada');
  await tessera.flush();
  assert.equal(fake.used('ada', 'data-exports.exports'), 1);
});

test('without a server, you set the values', async () => {
  const tessera = createFakeTessera({ 'dashboards.maxDashboards': 25 });
  assert.equal(await tessera.get('dashboards.maxDashboards', { on: { user: 'ada' }, fallback: 3 }), 25);
});
