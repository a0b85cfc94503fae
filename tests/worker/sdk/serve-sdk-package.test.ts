// Packages of the client below /sdk: immutable, and kept from the first time on.
import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

const origin = 'http://localhost:4001';
const ask = (path: string, init?: RequestInit) =>
  exports.default.fetch(new Request(`${origin}${path}`, { redirect: 'manual', ...init }));
const keep = async (fileName: string, text: string) => {
  const response = await ask(`/dev/sdk/${fileName}`, { method: 'PUT', headers: { origin }, body: text });
  return ((await response.json()) as { isKept: boolean }).isKept;
};

test('a package is served as it was kept, for ever, also to who asks whether it changed', async () => {
  expect(await keep('tessera-sdk-0.0.1.tgz', 'first')).toBe(true);
  const response = await ask('/sdk/tessera-sdk-0.0.1.tgz');
  expect([response.status, await response.text()]).toEqual([200, 'first']);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-type')).toBe('application/gzip');
  const etag = response.headers.get('etag') ?? '';
  expect((await ask('/sdk/tessera-sdk-0.0.1.tgz', { headers: { 'if-none-match': etag } })).status).toBe(304);
  const head = await ask('/sdk/tessera-sdk-0.0.1.tgz', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
});

test('another package of the same version changes nothing, and old versions stay beside new ones', async () => {
  await keep('tessera-sdk-0.0.2.tgz', 'first');
  expect(await keep('tessera-sdk-0.0.2.tgz', 'other')).toBe(false);
  expect(await keep('tessera-sdk-0.0.2.tgz', 'first')).toBe(true);
  await keep('tessera-sdk-0.0.3.tgz', 'next');
  expect(await (await ask('/sdk/tessera-sdk-0.0.2.tgz')).text()).toBe('first');
});

test('latest redirects to the version of this release, and is not stored', async () => {
  const response = await ask('/sdk/latest');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toMatch(/^\/sdk\/tessera-sdk-\d+\.\d+\.\d+\.tgz$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test.each(['/sdk/tessera-sdk-9.9.9.tgz', '/sdk/', '/sdk/..%2fartifacts', '/sdk/tessera-sdk-0.0.1.tgz/x'])(
  '%s is 404',
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);

test('packages are read only', async () => {
  const response = await ask('/sdk/tessera-sdk-0.0.1.tgz', { method: 'PUT', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
