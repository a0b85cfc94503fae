const { createTessera } = require('tessera-sdk');
const { createFakeServer } = require('tessera-sdk/fake-server');
const { exportReport } = require('./exports.cjs');
const version = require('./tessera-version.json');

test('exports stop at the limit', async () => {
  const fake = createFakeServer(version);
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  fake.set('ada', { 'data-exports.exports': { limit: 1 } });
  await exportReport(tessera, 'ada');
  await expect(exportReport(tessera, 'ada')).rejects.toThrow('No exports left');
  expect(fake.used('ada', 'data-exports.exports')).toBe(1);
});
