// The documentation as text: public, with the server's own address, revalidated, and a 404 in text for what does not exist.
import { expect, test } from 'vitest';
import { inProduction, productionEnv } from '#tests/support/production';

/** The platform's files. */
const assets = {
  fetch: async (url: URL) =>
    url.pathname === '/docs/hono.md' || url.pathname === '/llms.txt'
      ? new Response('Call https://tessera.example/api/v1.\n')
      : url.pathname === '/'
        ? new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
        : new Response(null, { status: 404 }),
};
const bindings = productionEnv({ ASSETS: assets as never });
const ask = (path: string, init: RequestInit = {}) => inProduction(path, init, bindings);

test.each([
  ['/docs/hono.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('%s names the server’s own address, and is sent once', async (path, type) => {
  const answer = await ask(path);
  expect([answer.status, await answer.text()]).toEqual([200, `Call ${bindings.BASE_URL}/api/v1.\n`]);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const again = await ask(path, { headers: { 'if-none-match': `W/${etag}` } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  const head = await ask(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  const refused = await ask(path, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('the API reference describes every call, error and warning', async () => {
  const answer = await ask('/api-docs.md');
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  for (const part of [
    '`POST /api/v1/access-checks`',
    '- `usage-blocked` (429',
    '- `nothing-deployed`: ',
    bindings.BASE_URL,
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('undefined');
});

test.each(['/docs/nothing.md', '/docs/a/b.md', '/docs/.md'])('%s is a short text with 404', async (path) => {
  const answer = await ask(path, { headers: { 'sec-fetch-dest': 'document' } });
  expect([answer.status, await answer.text()]).toEqual([
    404,
    `There is no such page. ${bindings.BASE_URL}/llms.txt lists all of them.\n`,
  ]);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['/docs', 200],
  ['/docs/hono', 200],
  ['/docs/nothing', 404],
  ['/docs/hono/more', 404],
  ['/o/org_1/customers/ann@tests.txt', 200],
])('the page at %s is answered with %i', async (path, status) => {
  const answer = await ask(path);
  expect([answer.status, await answer.text()]).toEqual([status, '<!doctype html>']);
});

test.each(['/readme.md', '/llms-full.txt'])('%s, which no page has, is no page', async (path) => {
  const answer = await ask(path);
  expect([answer.status, await answer.text()]).toEqual([404, 'Not found']);
});
