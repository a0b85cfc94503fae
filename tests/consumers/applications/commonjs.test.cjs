// A test of an application in CommonJS, in Jest with its defaults or in Node: with the package's server for tests, and with Tessera.
const assert = require('node:assert/strict');
const { createTessera, TesseraError } = require('tessera-sdk');
const { createHandler } = require('tessera-sdk/handler');
const { createFakeServer } = require('tessera-sdk/fake-server');
const version = require('./tessera-version.json');

const test = globalThis.test ?? require('node:test');
const on = { user: process.env.CUSTOMER };

test('usage stops at the limit of the version', async () => {
  const fake = createFakeServer(version);
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  fake.set(on.user, { 'data-exports.exports': { limit: 1 } });
  const take = async () => (await tessera.consume('data-exports.exports', { on, fallback: 'deny' })).allowed;
  assert.deepEqual([await take(), await take()], [true, false]);
});

test('the server answers, and a route passes it on', async () => {
  const tessera = createTessera();
  assert.equal(await tessera.get('dashboards.maxDashboards', { on, fallback: 1 }), 25);
  const response = await createHandler(tessera, { identify: () => on })(new Request('https://app.example/'));
  assert.equal((await response.json()).features.dashboards.allowed, true);
});

test('an error is recognised, whichever format of the package threw it', async () => {
  const thrown = await createTessera({ fetch: async () => Response.error() })
    .check(on)
    .catch((error) => error);
  assert.ok(thrown instanceof TesseraError);
  assert.ok(
    Object.assign(new Error('of the other format'), { name: 'TesseraError' }) instanceof TesseraError,
  );
  assert.ok(!(new Error('another') instanceof TesseraError));
});
