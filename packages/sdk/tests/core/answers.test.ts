// What a client answers from: one request for many, valid answers, stale ones in an outage, and the fallback.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { createTessera, type TesseraEvent } from '../../index.ts';
import { answer, CLIENT, hearErrors, json, refusal, serve, silence } from '../served.ts';

const ada = { user: 'ada' };

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime('2026-03-10T12:00:00Z');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets every wait of the client pass. */
async function settled<Result>(work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const watched = work.finally(() => {
    isSettled = true;
  });
  watched.catch(() => {});
  while (!isSettled) await vi.advanceTimersByTimeAsync(100);
  return watched;
}

test('creating a client starts nothing', () => {
  const { fetch, calls } = serve(silence);
  const random = vi.spyOn(crypto, 'randomUUID');
  createTessera({ ...CLIENT, fetch });
  expect([calls.length, vi.getTimerCount(), random.mock.calls.length]).toEqual([0, 0, 0]);
});

test('any number of callers of a subject share one request, and others have their own', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  const can = (user: string) => tessera.can('reports', { on: { user }, fallback: false });
  const adas = Promise.all(Array.from({ length: 50 }, () => can('ada')));
  await vi.advanceTimersByTimeAsync(0);
  expect([...(await adas), await can('bob')].every(Boolean)).toBe(true);
  expect(calls.map(({ body }) => body)).toEqual([{ userIdentifier: 'ada' }, { userIdentifier: 'bob' }]);
});

test('a user, a token with the same text, and an anonymous session have their own answers', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  const subjects = [{ token: 'ada' }, { user: 'ada' }, { anonymous: true }] as const;
  for (const on of subjects) {
    expect(tessera.peek('reports', { on })).toBeNull();
    await tessera.check(on);
  }
  expect(calls.map(({ body }) => body)).toEqual([{ userJwt: 'ada' }, { userIdentifier: 'ada' }, {}]);
});

test('an entity of a user has answers of its own, which say what it may use', async () => {
  const entity = { id: 'e1', limit: 5, used: 2, remaining: 3, allowed: true, resetsAt: null };
  const runs = { state: 'metered', allowed: true, limit: 10, used: 4, remaining: 6, resetsAt: null, entity };
  const features = {
    reports: { allowed: true, properties: { runs } },
  } as unknown as AccessCheckAnswer['features'];
  const { fetch, calls } = serve(() => json(answer({ features })));
  const tessera = createTessera({ ...CLIENT, fetch });
  await tessera.check(ada);
  const access = await tessera.check({ ...ada, entity: 'e1' });
  expect(calls.map(({ body }) => body)).toEqual([
    { userIdentifier: 'ada' },
    { userIdentifier: 'ada', entityId: 'e1' },
  ]);
  expect(access.get('reports.runs')).toMatchObject({ state: 'metered', entity });
});

test('an entity of a token’s user has answers of its own, too', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  const token = 'a.b.c';
  for (const entity of ['e1', 'e2', undefined, 'e1']) await tessera.check({ token, entity });
  expect(calls.map(({ body }) => body)).toEqual([
    { userJwt: token, entityId: 'e1' },
    { userJwt: token, entityId: 'e2' },
    { userJwt: token },
  ]);
});

test('reads switches, numbers, texts, meters and the verdict of a feature', async () => {
  const { fetch } = serve(() => json(answer()));
  const access = await createTessera({ ...CLIENT, fetch }).check(ada);
  expect(
    ['reports', 'reports.enabled', 'reports.runs', 'sso', 'sso.enabled', 'none', 'reports.none'].map(
      access.can,
    ),
  ).toEqual([true, true, true, false, false, false, false]);
  expect(
    ['reports.rows', 'reports.format', 'sso', 'none.rows', 'constructor', '__proto__.x'].map(access.get),
  ).toEqual([500, 'csv', false, undefined, undefined, undefined]);
  expect(access.get('reports.runs')).toEqual({
    state: 'metered',
    allowed: true,
    limit: 10,
    used: 4,
    remaining: 6,
    resetsAt: new Date(1_800_000_000_000),
  });
  expect(access).toMatchObject({
    source: 'live',
    plans: ['team'],
    requestId: 'req_answer',
    version: { number: 3 },
  });
});

test.each([0, -86_400_000, 86_400_000])(
  'an answer is used for as long as the server says, whatever its clock (%d ms ahead)',
  async (clockMs) => {
    const { fetch, calls } = serve(() => json(answer({}, 60_000, clockMs)));
    const tessera = createTessera({ ...CLIENT, fetch });
    await tessera.check(ada);
    vi.advanceTimersByTime(59_999);
    expect(tessera.peek('reports.rows', { on: ada })).toMatchObject({ source: 'cache', ageMs: 59_999 });
    expect(calls).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await tessera.check(ada)).toMatchObject({ source: 'live', ageMs: 0 });
    expect(calls).toHaveLength(2);
  },
);

test('an answer that is used near its end is renewed behind it, so that nobody waits', async () => {
  let isUp = true;
  const replies: ((response: Response) => void)[] = [];
  const { fetch, calls } = serve(() =>
    isUp ? new Promise((resolve) => replies.push(resolve)) : new TypeError('fetch failed'),
  );
  const waited: Promise<unknown>[] = [];
  const tessera = createTessera({ ...CLIENT, fetch, waitUntil: (work) => void waited.push(work) });
  const can = () => tessera.can('reports', { on: ada, fallback: false });
  const first = can();
  await vi.advanceTimersByTimeAsync(0);
  replies[0]?.(json(answer()));
  await first;
  vi.advanceTimersByTime(48_000);
  await can();
  expect(calls).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(await Promise.all([can(), can(), can()])).toEqual([true, true, true]);
  await vi.advanceTimersByTimeAsync(0);
  expect([calls.length, waited.length]).toEqual([2, 1]);
  replies[1]?.(json(answer()));
  await waited[0];
  vi.advanceTimersByTime(48_000);
  expect(tessera.peek('reports', { on: ada })).toMatchObject({ source: 'cache', ageMs: 48_000 });
  isUp = false;
  vi.advanceTimersByTime(1);
  expect(await can()).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(tessera.peek('reports', { on: ada })).toMatchObject({ source: 'cache' });
});

test('a clock that is set back lets no answer and no pause live longer', async () => {
  let isUp = true;
  const { fetch, calls } = serve(() => (isUp ? json(answer()) : refusal(503, 'unavailable')));
  const tessera = createTessera({ ...CLIENT, fetch });
  await tessera.check(ada);
  vi.setSystemTime(Date.now() - 7_200_000);
  vi.advanceTimersByTime(59_999);
  expect(tessera.peek('reports', { on: ada })).toMatchObject({ source: 'cache', ageMs: 59_999 });
  vi.advanceTimersByTime(1);
  expect(tessera.peek('reports', { on: ada })).toBeNull();
  isUp = false;
  const bob = () => settled(tessera.can('reports', { on: { user: 'bob' }, fallback: false }));
  await bob();
  await bob();
  vi.setSystemTime(Date.now() - 7_200_000);
  isUp = true;
  vi.advanceTimersByTime(31_000);
  const asked = calls.length;
  expect(await bob()).toBe(true);
  expect(calls).toHaveLength(asked + 1);
});

test('answers of contexts are kept apart, and equal contexts share one whatever their order', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  await tessera.check(ada, { context: { region: 'eu', seats: 3 } });
  await tessera.check(ada, { context: { seats: 3, region: 'eu' } });
  await tessera.check(ada, { context: { region: 'us', seats: 3 } });
  await tessera.check(ada);
  expect(calls.map(({ body }) => body.context)).toEqual([
    { region: 'eu', seats: 3 },
    { region: 'us', seats: 3 },
    undefined,
  ]);
});

test('an outage is answered by stale answers for an hour, which say so, and then by the fallback', async () => {
  let isUp = true;
  const { fetch } = serve(() => (isUp ? json(answer()) : new TypeError('fetch failed')));
  const tessera = createTessera({ ...CLIENT, fetch });
  await tessera.check(ada);
  isUp = false;
  vi.advanceTimersByTime(60_000 + 3_599_000);
  expect(await settled(tessera.check(ada))).toMatchObject({ source: 'stale', ageMs: expect.any(Number) });
  expect(await settled(tessera.can('reports', { on: ada, fallback: false }))).toBe(true);
  vi.advanceTimersByTime(2_000);
  await expect(settled(tessera.check(ada))).rejects.toMatchObject({ name: 'TesseraError', type: 'network' });
  expect(await settled(tessera.can('reports', { on: ada, fallback: false }))).toBe(false);
  expect(await settled(tessera.get('reports.rows', { on: ada, fallback: 7 }))).toBe(7);
});

test('a key that is revoked is no outage: nothing stale is used', async () => {
  let isUp = true;
  const { fetch } = serve(() => (isUp ? json(answer()) : refusal(401, 'unauthenticated')));
  const events: TesseraEvent[] = [];
  const tessera = createTessera({ ...CLIENT, fetch, onEvent: (event) => events.push(event) });
  await tessera.check(ada);
  isUp = false;
  vi.advanceTimersByTime(60_000);
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(false);
  expect(events.at(-1)).toMatchObject({
    type: 'answer',
    source: 'fallback',
    error: { type: 'unauthenticated', status: 401, requestId: 'req_refused' },
  });
});

test.each([401, 403])(
  'a key that is refused (%d) is not tried by each call, and is named once',
  async (status) => {
    let isRefused = false;
    const type = status === 401 ? 'unauthenticated' : 'forbidden';
    const { fetch, calls } = serve(() => (isRefused ? refusal(status, type) : json(answer())));
    const said = hearErrors();
    const tessera = createTessera({ ...CLIENT, fetch });
    const can = (user: string) => tessera.can('reports', { on: { user }, fallback: false });
    await can('ada');
    isRefused = true;
    for (let users = 0; users < 200; users++) expect(await can(`user-${users}`)).toBe(false);
    expect(calls).toHaveLength(2);
    expect(said()).toEqual([`tessera-sdk: It is ${type} (key …test)`]);
    expect(await can('ada')).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(await can('ada')).toBe(false);
    isRefused = false;
    vi.advanceTimersByTime(60_000);
    expect(await can('bob')).toBe(true);
  },
);

test('while the API is down callers do not wait for it, and it is tried again', async () => {
  let isUp = false;
  const { fetch, calls } = serve(() => (isUp ? json(answer()) : silence()));
  const tessera = createTessera({ ...CLIENT, fetch });
  const ask = (user: string) => settled(tessera.can('reports', { on: { user }, fallback: false }));
  for (const user of ['a', 'b']) await ask(user);
  const [tried, startedAt] = [calls.length, Date.now()];
  await ask('c');
  expect(calls).toHaveLength(tried);
  expect(Date.now() - startedAt).toBeLessThanOrEqual(100);
  isUp = true;
  vi.advanceTimersByTime(60_000);
  expect(await ask('d')).toBe(true);
  expect(await ask('e')).toBe(true);
});

test('a caller who gives up leaves others their request', async () => {
  let release = (_: Response) => {};
  const { fetch, calls } = serve(() => new Promise((resolve) => (release = resolve)));
  const tessera = createTessera({ ...CLIENT, fetch });
  const controller = new AbortController();
  const impatient = tessera.check(ada, { signal: controller.signal });
  const patient = tessera.check(ada);
  controller.abort();
  await expect(impatient).rejects.toMatchObject({ type: 'aborted' });
  release(json(answer()));
  expect(await patient).toMatchObject({ source: 'live' });
  expect(calls).toHaveLength(1);
});

test('peek reads what is cached, and nothing that is not valid while the API can be reached', async () => {
  let isUp = true;
  const { fetch } = serve(() => (isUp ? json(answer()) : new TypeError('fetch failed')));
  const tessera = createTessera({ ...CLIENT, fetch });
  const peek = () => tessera.peek('reports.rows', { on: ada });
  expect(peek()).toBeNull();
  await tessera.check(ada);
  vi.advanceTimersByTime(1_000);
  expect(peek()).toEqual({ value: 500, source: 'cache', ageMs: 1_000 });
  expect(tessera.peek('reports', { on: ada })?.value).toBe(true);
  expect(tessera.peek('reports.none', { on: { user: 'bob' } })).toBeNull();
  vi.advanceTimersByTime(59_000);
  expect(peek()).toBeNull();
  isUp = false;
  for (let tries = 0; tries < 3; tries++) await settled(tessera.can('reports', { on: ada, fallback: false }));
  expect(peek()).toMatchObject({ value: 500, source: 'stale' });
});

test('refresh forgets the answers of a subject, or all of them', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  const both = async () =>
    [await tessera.check(ada), await tessera.check({ user: 'bob' })].map(({ source }) => source);
  await both();
  tessera.refresh(ada);
  expect(await both()).toEqual(['live', 'cache']);
  tessera.refresh();
  expect(await both()).toEqual(['live', 'live']);
  expect(calls).toHaveLength(5);
});

test('a user without an id is refused, never taken for an anonymous session', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const events: TesseraEvent[] = [];
  const tessera = createTessera({ ...CLIENT, fetch, onEvent: (event) => events.push(event) });
  for (const on of [{ user: '' }, { user: undefined }, {}] as unknown as { user: string }[]) {
    await expect(tessera.check(on)).rejects.toMatchObject({ type: 'invalid-request' });
    expect(await tessera.can('reports', { on, fallback: false })).toBe(false);
    expect(() => tessera.count('reports.runs', { on })).toThrow('on needs a user');
  }
  expect(calls).toHaveLength(0);
  await tessera.check({ anonymous: true });
  expect(calls[0]?.body).toEqual({});
});

test('each call says how many answers came from the cache since the last one', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  for (let times = 0; times < 4; times++) await tessera.can('reports', { on: ada, fallback: false });
  tessera.peek('reports.rows', { on: ada });
  await tessera.check({ user: 'bob' });
  await tessera.check({ user: 'eve' });
  expect(calls.map(({ headers }) => headers.get('tessera-answered'))).toEqual([null, '4', null]);
});

test('calls at the same time report answers from the cache once', async () => {
  const { fetch, calls } = serve((_, index) => (index === 1 ? new TypeError('reset') : json(answer())));
  const tessera = createTessera({ ...CLIENT, fetch });
  await tessera.check(ada);
  for (let times = 0; times < 100; times++) await tessera.can('reports', { on: ada, fallback: false });
  const others = Array.from({ length: 10 }, (_, index) => tessera.check({ user: `user-${index}` }));
  await settled(Promise.all(others));
  const reported = calls.slice(2).map(({ headers }) => Number(headers.get('tessera-answered') ?? 0));
  expect(reported.reduce((sum, count) => sum + count)).toBe(100);
});

test('a path that does not exist is denied alike everywhere, whatever the fallback, and is said once', async () => {
  const { fetch } = serve(() => json(answer()));
  const said = hearErrors();
  const tessera = createTessera({ ...CLIENT, fetch });
  for (const gate of ['reportz', 'reports.rowz', 'reportz']) {
    expect(await tessera.can(gate, { on: ada, fallback: true })).toBe(false);
    expect((await tessera.check(ada)).can(gate)).toBe(false);
    expect(tessera.peek(gate, { on: ada })).toBeNull();
  }
  expect(await tessera.get('reports.rowz', { on: ada, fallback: 7 })).toBe(7);
  expect(said()).toEqual([
    'tessera-sdk: The deployed version 3 has no reportz',
    'tessera-sdk: The deployed version 3 has no reports.rowz',
  ]);
});

test('the source is the fallback whenever it was returned', async () => {
  const { fetch } = serve(() => json(answer()));
  const events: TesseraEvent[] = [];
  const tessera = createTessera({ ...CLIENT, fetch, onEvent: (event) => events.push(event) });
  const sources = () =>
    events.splice(0).map((event) => (event.type === 'answer' ? event.source : event.type));
  expect(await tessera.get('reports.rows', { on: ada, fallback: 'none' })).toBe('none');
  expect(sources()).toEqual(['mistake', 'fallback']);
  expect(await tessera.get('reports.rows', { on: ada, fallback: 1 })).toBe(500);
  expect(await tessera.get('reports.rowz', { on: ada, fallback: 1 })).toBe(1);
  expect(await tessera.can('reports', { on: { user: '' }, fallback: true })).toBe(true);
  expect(sources()).toEqual(['cache', 'mistake', 'fallback', 'mistake', 'fallback']);
});

test.each([
  [{ url: 'tessera.example', key: 'k' }, 'tessera.example lacks https://'],
  [{ ...CLIENT, key: 'tsr_pub_1234' }, '…1234 is no secret key'],
])('a wrong address or key is said when the client is made: %o', (options, message) => {
  const said = hearErrors();
  createTessera(options);
  expect(said()).toEqual([`tessera-sdk: ${message}`]);
});

test.each(['', '/', '//', '/api/v1', '/api/v1/'])('an address may end with %j', async (end) => {
  const { fetch, calls } = serve(() => json(answer()));
  await createTessera({ ...CLIENT, url: `${CLIENT.url}${end}`, fetch }).check(ada);
  expect(calls.map(({ path }) => path)).toEqual(['/api/v1/access-checks']);
});

test('an address that was never reached is said once, with the cause', async () => {
  const refused = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const said = hearErrors();
  const tessera = createTessera({ ...CLIENT, fetch: serve(refused).fetch });
  for (let tries = 0; tries < 4; tries++) {
    await settled(tessera.can('reports', { on: ada, fallback: true }));
    vi.advanceTimersByTime(60_000);
  }
  expect(said()).toEqual([
    'tessera-sdk: POST https://tessera.example/api/v1/access-checks was not reached: ECONNREFUSED',
  ]);
});

test('a value of another type than the fallback is not returned', async () => {
  const said = hearErrors();
  const { fetch } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  expect(await tessera.get('reports.rows', { on: ada, fallback: 'none' })).toBe('none');
  expect(await tessera.get('reports.rows', { on: ada, fallback: 1 })).toBe(500);
  expect(said()).toEqual(['tessera-sdk: reports.rows is a number, its fallback a string']);
});

test('without a cache every call asks, and nothing stale is used', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch, cache: false });
  await tessera.check(ada);
  expect(await tessera.check(ada)).toMatchObject({ source: 'live' });
  expect(calls).toHaveLength(2);
});

test('a client without a key or an address answers with the fallback, and says once what is missing', async () => {
  const said = hearErrors();
  const tessera = createTessera({ url: 'https://tessera.example', fetch: serve(silence).fetch });
  expect(await tessera.can('reports', { on: ada, fallback: true })).toBe(true);
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(false);
  expect(said()).toEqual(['tessera-sdk: Set TESSERA_KEY or the option key']);
  await expect(createTessera({ key: 'k', onEvent: () => {} }).check(ada)).rejects.toThrow('Set TESSERA_URL');
});

test('a key that the environment has only after the client was made is used', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ fetch, onEvent: () => {} });
  vi.stubEnv('TESSERA_URL', CLIENT.url);
  vi.stubEnv('TESSERA_KEY', 'tsr_sec_late');
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(true);
  vi.unstubAllEnvs();
  tessera.refresh();
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(true);
  expect(calls.map(({ headers }) => headers.get('authorization'))).toEqual(
    Array.from({ length: 2 }, () => 'Bearer tsr_sec_late'),
  );
});

test('the cache is bounded by memory: of large answers it keeps fewer, those that were asked last', async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`property-${at}`, 'x'.repeat(100)]),
  );
  const features = { reports: { allowed: true, properties: wide } } as never;
  const { fetch } = serve(() => json(answer({ features })));
  const tessera = createTessera({ ...CLIENT, fetch, cache: { maxBytes: 200_000 } });
  const on = (at: number) => ({ user: `user-${at}` });
  for (let at = 0; at < 100; at++) await tessera.check(on(at));
  const kept = Array.from({ length: 100 }, (_, at) => tessera.peek('reports', { on: on(at) })).map(Boolean);
  expect(kept.filter(Boolean)).toHaveLength(kept.length - kept.indexOf(true));
  expect(kept.filter(Boolean).length).toBeGreaterThanOrEqual(6);
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(9);
  tessera.refresh();
  await Promise.all([tessera.check(on(0)), tessera.refresh(on(0))]);
  for (let at = 1; at < 7; at++) await tessera.check(on(at));
  expect(tessera.peek('reports', { on: on(0) })).toBeNull();
  expect(tessera.peek('reports', { on: on(1) })).not.toBeNull();
});

test('a subject’s contexts are counted too, and the most recent ones stay', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch, cache: { maxBytes: 150_000 } });
  for (let page = 0; page < 25; page++) {
    for (const user of ['ada', 'bob', 'eve']) await tessera.check({ user }, { context: { page } });
  }
  const asked = calls.length;
  const kept = (user: string, page: number) =>
    tessera.peek('reports', { on: { user }, context: { page } }) !== null;
  expect([kept('eve', 24), kept('eve', 5), kept('eve', 4)]).toEqual([true, true, false]);
  expect([kept('bob', 24), calls.length]).toEqual([true, asked]);
});
