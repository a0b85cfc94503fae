// The route that answers browsers: who is asked for, what they see, and what they never see.
import { createServer } from 'node:http';
import { connect, createServer as createSecureless } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { warningOf } from '#contracts/public/warnings';
import { createBrowserTessera } from '../../browser.ts';
import { createHandler, type HandlerOptions, toNode } from '../../handler.ts';
import { createTessera } from '../../index.ts';
import { createFakeTessera } from '../../testing.ts';
import { answer, CLIENT, json, refusal, serve } from '../served.ts';

const values = { 'reports.rows': 5, sso: false, 'internal.margin': 3 };
const request = (init?: RequestInit) => new Request('https://app.example/entitlements', init);
const open = (options: Partial<HandlerOptions> = {}) =>
  createHandler(createFakeTessera(values), { identify: () => ({ user: 'ada' }), ...options });

test('answers a browser with what its user may do, and stores it nowhere', async () => {
  const response = await open({ features: ['reports', 'sso'] })(request());
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  const text = await response.text();
  expect(text).not.toContain('internal');
  const store = createBrowserTessera({
    from: { handler: 'https://app.example/' },
    fetch: async () => new Response(text),
  });
  const access = await store.load();
  expect([access.get('reports.rows'), access.can('reports'), access.can('sso')]).toEqual([5, true, false]);
});

test('what the filter keeps back is not in warnings and plans either', async () => {
  const warnings = [warningOf('workflow-failed', 'internal-pricing')];
  const { fetch } = serve(() => json(answer({ warnings } as never)));
  const handlerOf = (features?: string[]) =>
    createHandler(createTessera({ ...CLIENT, fetch }), {
      identify: () => ({ user: 'ada' }),
      ...(features && { features }),
    });
  const textOf = async (features?: string[]) => (await handlerOf(features)(request())).text();
  expect(await textOf(['sso'])).not.toMatch(/internal|team|reports/);
  expect(await textOf()).toMatch(/internal/);
});

test('asks for the identified subject with its context', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const handler = createHandler(createTessera({ ...CLIENT, fetch }), {
    identify: async (asked) => ({ user: asked.headers.get('x-user') ?? '' }),
    context: () => ({ country: 'de' }),
  });
  await handler(request({ headers: { 'x-user': 'ada' } }));
  expect(calls[0]?.body).toEqual({ userIdentifier: 'ada', context: { country: 'de' } });
});

test('nobody has no features, which is no error, and another method is a 405', async () => {
  const handler = open({ identify: () => null });
  const store = createBrowserTessera({
    from: { handler: 'https://app.example/' },
    fetch: () => handler(request()),
  });
  const access = await store.load();
  expect([access.features, access.can('reports')]).toEqual([{}, false]);
  const refused = await open()(request({ method: 'POST' }));
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test.each([
  ['the API is away', () => new TypeError('down'), 503],
  ['the key is wrong', () => refusal(401, 'unauthenticated'), 500],
] as const)('where %s, browsers learn no more than that', async (_, reply, status) => {
  const tessera = createTessera({ ...CLIENT, fetch: serve(reply).fetch, onEvent: () => {} });
  const response = await createHandler(tessera, { identify: () => ({ user: 'ada' }) })(request());
  expect(response.status).toBe(status);
  expect(await response.text()).not.toMatch(/down|key|req_/);
});

test('what identify throws is the application’s own', async () => {
  const handler = open({
    identify: () => {
      throw new Error('no session');
    },
  });
  await expect(handler(request())).rejects.toThrow('no session');
});

test('serves HTTP/2', async () => {
  const server = createSecureless(toNode(open()) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':path': '/entitlements' });
  const headers = new Promise<Record<string, unknown>>((resolve) => stream.on('response', resolve));
  stream.resume().end();
  expect((await headers)[':status']).toBe(200);
  session.close();
  await new Promise((resolve) => server.close(resolve));
});

test.each(['*', 'https://b.example/', ''])(
  'a request whose target is no path is refused: %o',
  async (url) => {
    const response = { statusCode: 0, setHeader: () => {}, end: () => {} };
    await toNode(open())({ url, headers: {} }, response);
    expect(response.statusCode).toBe(400);
  },
);

test('serves Node', async () => {
  const server = createServer(toNode(open()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/entitlements?a=1`);
  expect(await response.json()).toMatchObject({ v: 1, features: { reports: { properties: { rows: 5 } } } });
  await new Promise((resolve) => server.close(resolve));
});
