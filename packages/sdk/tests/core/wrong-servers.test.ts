// Whatever answers in the API's place: the client stays bounded, typed, and clear about it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTessera } from '../../index.ts';
import { answer, CLIENT, json, refusal, serve, silence } from '../served.ts';

const ada = { user: 'ada' };
const MAX_WAIT_MS = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const trickle = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"status":')),
    }),
  );
const endless = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    }),
  );

test.each([
  ['never answers', silence, 'timeout'],
  ['answers and stops in the middle', trickle, 'timeout'],
  ['refuses connections', () => new TypeError('fetch failed'), 'network'],
  [
    'answers with a page',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'server-error',
  ],
  ['answers with half of the JSON', () => new Response('{"status":"success","fea'), 'server-error'],
  ['answers with a list', () => json([1, 2]), 'server-error'],
  ['answers with nothing', () => new Response(null), 'server-error'],
  ['answers with another object', () => json({ ok: true }), 'server-error'],
  ['never ends', endless, 'server-error'],
  ['is broken', () => new Response('upstream', { status: 502 }), 'unavailable'],
  ['is away', () => refusal(503, 'unavailable'), 'unavailable'],
  ['limits calls', () => refusal(429, 'rate-limited', { 'retry-after': '30' }), 'rate-limited'],
  [
    'redirects',
    () => new Response(null, { status: 301, headers: { location: 'https://b.example' } }),
    'invalid-request',
  ],
  ['knows no such path', () => new Response('Not found', { status: 404 }), 'not-found'],
  ['refuses in a way of its own', () => refusal(418, 'teapot'), 'teapot'],
] as const)(
  'a server that %s leads to the fallback in time, and to an error with its type',
  async (_, reply, type) => {
    const { fetch } = serve(reply);
    const tessera = createTessera({ ...CLIENT, fetch, onEvent: () => {} });
    const startedAt = Date.now();
    const calls = [
      tessera.check(ada).catch((error: unknown) => error),
      tessera.can('reports', { on: { user: 'bob' }, fallback: true }),
      tessera.consume('reports.runs', { on: ada, fallback: 'deny' }),
    ] as const;
    const all = Promise.all(calls);
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
    const [error, can, consumed] = await all;
    expect(error).toMatchObject({ name: 'TesseraError', type, message: expect.stringMatching(/./) });
    expect(can).toBe(true);
    expect(consumed).toEqual({ allowed: false, counted: 'no', meter: null, source: 'fallback' });
    expect(Date.now() - startedAt).toBe(MAX_WAIT_MS);
  },
);

test.each([
  [
    () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } }),
    'POST https://tessera.example/api/v1/access-checks was not reached: ENOTFOUND',
  ],
  [silence, 'No answer within 1500 ms from POST https://tessera.example/api/v1/access-checks'],
  [
    () => new Response(null, { status: 301, headers: { location: 'https://b.example' } }),
    'POST https://tessera.example/api/v1/access-checks is not Tessera: 301, redirects to https://b.example',
  ],
  [
    () => new Response('Not found', { status: 404 }),
    'POST https://tessera.example/api/v1/access-checks is not Tessera: 404',
  ],
])('an error says which call failed, and why (%#)', async (reply, message) => {
  const tessera = createTessera({ ...CLIENT, fetch: serve(reply).fetch, onEvent: () => {} });
  const work = tessera.check(ada).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  expect(await work).toBe(message);
});

test('a runtime without streams is served: React Native', async () => {
  const reply = () => ({
    ok: true,
    status: 200,
    headers: new Headers(),
    text: async () => JSON.stringify(answer()),
  });
  const tessera = createTessera({ ...CLIENT, fetch: serve(reply as never).fetch });
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(true);
});

test('one failed try is repeated once', async () => {
  const { fetch, calls } = serve((_, index) => (index === 0 ? new TypeError('reset') : json(answer())));
  const work = createTessera({ ...CLIENT, fetch }).can('reports', { on: ada, fallback: false });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toBe(true);
  expect(calls).toHaveLength(2);
});

test('a server that limits calls is left alone for as long as it asks', async () => {
  const { fetch, calls } = serve((_, index) =>
    index === 0 ? refusal(429, 'rate-limited', { 'retry-after': '20' }) : json(answer()),
  );
  const tessera = createTessera({ ...CLIENT, fetch });
  const can = () => tessera.can('reports', { on: ada, fallback: false });
  expect(await can()).toBe(false);
  await vi.advanceTimersByTimeAsync(19_900);
  expect(await can()).toBe(false);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await can()).toBe(true);
});

test('a newer server is understood: more fields, states, warnings', async () => {
  const properties = {
    enabled: true,
    quota: { state: 'pooled', allowed: true, pool: 'eu' },
    closed: { state: 'suspended', allowed: false },
    list: ['a'],
    unset: null,
  };
  const features = { reports: { allowed: true, properties, hint: 'new' } };
  const body = {
    ...answer(),
    features,
    warnings: [{ message: 'New', code: 'new-code', field: 1 }],
    extra: {},
  };
  const access = await createTessera({ ...CLIENT, fetch: serve(() => json(body)).fetch }).check(ada);
  const gates = ['reports', 'reports.quota', 'reports.closed', 'reports.unset'];
  expect(gates.map((gate) => access.can(gate))).toEqual([true, true, false, false]);
  expect(access.get('reports.quota')).toEqual({ state: 'on', allowed: true });
  expect(access.warnings[0]?.code).toBe('new-code');
});

test('an older server is understood: no verdicts, no period of validity', async () => {
  const {
    asOf: _,
    validUntil: __,
    ...body
  } = answer({ features: { reports: { properties: { enabled: true } } } } as never) as Record<
    string,
    unknown
  >;
  const { fetch, calls } = serve(() => json(body));
  const tessera = createTessera({ ...CLIENT, fetch });
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(true);
  expect(await tessera.can('reports.enabled', { on: ada, fallback: false })).toBe(true);
  expect(calls).toHaveLength(2);
});

test('names that mean something to JavaScript are names only', async () => {
  const text = JSON.stringify(answer()).replace(
    '"features":{',
    '"features":{"__proto__":{"allowed":true,"properties":{"polluted":true}},',
  );
  const { fetch } = serve(() => new Response(text));
  const access = await createTessera({ ...CLIENT, fetch }).check(ada);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect([access.can('toString'), access.can('reports.constructor')]).toEqual([false, false]);
});
