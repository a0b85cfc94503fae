// What the Worker answers for a path that is neither the API's nor a file's: the console's page, but never in place of a file.
import { expect, test } from 'vitest';
import { inProduction, productionEnv } from '#tests/support/production';

const LOADS = {
  plan: {
    files: ['assets/plan.js', 'assets/plan.css'],
    calls: ['/api/o/organisation-place/p/id-place?a=1&b=2'],
  },
  billing: { files: [], calls: [], head: { title: 'Plan & Billing', subtitle: 'Usage.' } },
  customer: { files: [], calls: [], head: { title: 'id-place', subtitle: '' } },
};

/** The platform's files: index.html, and what its pages load first. */
const assets = {
  fetch: async (url: URL, init: RequestInit = {}) =>
    url.pathname === '/first-loads.json'
      ? Response.json(LOADS)
      : url.pathname === '/'
        ? new Response(init.method === 'HEAD' ? null : '<!doctype html>', {
            headers: {
              'content-type': 'text/html',
              'x-validator': String(new Headers(init.headers).get('if-none-match')),
            },
          })
        : new Response(null, { status: 404 }),
};
const open = (path: string, init: RequestInit = {}) =>
  inProduction(path, init, productionEnv({ ASSETS: assets as never }));

test.each([
  ['a page', '/o/org_1/plans/pro', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
  ['the page of a customer whose email looks like a file', '/o/org_1/customers/ann@tests.js', {}],
  ['the page about the API', '/api-docs', { 'sec-fetch-dest': 'document' }],
  ['a page within a frame, which the page itself refuses', '/signin', { 'sec-fetch-dest': 'iframe' }],
])('%s is the console, revalidated with the validator that the browser has', async (_, path, headers) => {
  const answer = await open(path, { headers: { ...headers, 'if-none-match': '"page"' } });
  expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>']);
  expect(answer.headers.get('x-validator')).toBe('"page"');
  expect((await open(path, { method: 'HEAD', headers })).status).toBe(200);
});

test.each([
  ['a script of another release', '/assets/console-0a1b2c3d.js', {}],
  ['one that is opened as a page', '/assets/console-0a1b2c3d.js', { 'sec-fetch-dest': 'document' }],
  ['a script elsewhere', '/apply-theme-2.js', { 'sec-fetch-dest': 'script' }],
  ['an image', '/logo.png', { 'sec-fetch-dest': 'image' }],
  ['what a script fetches', '/o/org_1/plans', { 'sec-fetch-dest': 'empty' }],
  ['what programs look for', '/.well-known/security.txt', {}],
  ['one that is opened in a browser', '/.well-known/security.txt', { 'sec-fetch-dest': 'document' }],
  ['an unknown path of the API', '/api/nothing', { 'sec-fetch-dest': 'document' }],
])('%s that does not exist is a 404 that nobody caches', async (_, path, headers) => {
  const answer = await open(path, { headers });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(answer.headers.get('content-type')).not.toContain('html');
});

test.each([
  ['a path without a page', '/wp-login.php'],
  ['a section that no organisation has', '/o/org_1/teams'],
])('%s is a 404 with the console, which nobody caches', async (_, path) => {
  const headers = { 'sec-fetch-dest': 'document', 'if-none-match': '"page"' };
  const answer = await open(path, { headers });
  expect([answer.status, await answer.text()]).toEqual([404, '<!doctype html>']);
  expect(answer.headers.get('content-type')).toBe('text/html');
  expect(answer.headers.get('x-validator')).toBe('null');
  expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  expect((await open(path, { method: 'HEAD', headers })).status).toBe(404);
});

test('a form that is sent to a page is refused', async () => {
  expect((await open('/o/org_1/plans', { method: 'POST', body: 'a=b' })).status).toBe(404);
});

const SESSION = '__Secure-better-auth.session_token=abc.def';
const signedIn = { 'sec-fetch-dest': 'document', cookie: `theme=dark; ${SESSION}` };
const whole: typeof assets = {
  fetch: async (url, init) =>
    url.pathname === '/'
      ? new Response('<!doctype html><html><head><title>T</title></head><div id="root">…</div></html>', {
          headers: { 'content-type': 'text/html', etag: '"page"' },
        })
      : assets.fetch(url, init),
};
const openWhole = (path: string, headers: HeadersInit) =>
  inProduction(path, { headers }, productionEnv({ ASSETS: whole as never }));

test('with a session, a page names its files and first calls, and is not revalidated', async () => {
  const answer = await openWhole('/o/org_1/plans/a%22%26b/manage', {
    ...signedIn,
    'if-none-match': '"page"',
  });
  expect(await answer.text()).toBe(
    '<!doctype html><html data-first-calls="/api/o/org_1/p/a%22%26b?a=1&amp;b=2"><head><title>T</title>' +
      '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/plan.js">' +
      '<link rel="preload" as="style" fetchpriority="low" crossorigin href="/assets/plan.css"></head><div id="root">…</div></html>',
  );
  expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([
    null,
    'private, max-age=0, must-revalidate',
  ]);
});

test.each([
  ['without a session', '/o/org_1/plans/pro', { 'sec-fetch-dest': 'document' }],
  ['with an empty one', '/o/org_1/plans/pro', { cookie: 'better-auth.session_token=; a=b' }],
  ['that the build does not list', '/signin', signedIn],
  ['that does not exist', '/o/org_1/teams', signedIn],
])('a page %s is as it is', async (_, path, headers) => {
  expect(await (await openWhole(path, headers)).text()).not.toContain('plan.js');
});

test.each([
  ['its title', 'billing', 'expanded', '<b>Plan &amp; Billing</b><p>Usage.</p>'],
  [
    'a sidebar as the user left it',
    'billing',
    'collapsed',
    '<b>Plan &amp; Billing</b>',
    'sidebar_state=false',
  ],
  ['the identifier in its path', 'customers/a~2Fb%3Ci%3E', 'expanded', '<b>a/b&lt;i&gt;</b><p></p>'],
])('until its code has arrived, a page shows %s', async (_, page, sidebar, heading, cookie = 'a=b') => {
  const answer = await openWhole(`/o/org_1/${page}`, { cookie: `${cookie}; ${SESSION}` });
  const [, root = ''] = (await answer.text()).split('<div id="root">');
  expect(root).toContain(
    `<div class="first-head" data-sidebar="${sidebar}" aria-hidden="true"><div>${heading}`,
  );
  expect(root).toContain('…</div>');
});
