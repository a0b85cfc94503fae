// What a client answers from: one request for many, valid answers, stale ones in an outage, and the fallback.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTessera, type TesseraEvent } from '../../index.ts';
import { answer, CLIENT, json, refusal, serve, silence } from '../served.ts';

const ada = { user: 'ada' };

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime('2026-03-10T12:00:00Z');
});
afterEach(() => void vi.useRealTimers());

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
  const answers = await Promise.all([...Array.from({ length: 50 }, () => can('ada')), can('bob')]);
  expect(answers.every(Boolean)).toBe(true);
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
    expect(await tessera.check(ada)).toMatchObject({ source: 'cache', ageMs: 59_999 });
    expect(calls).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await tessera.check(ada)).toMatchObject({ source: 'live', ageMs: 0 });
    expect(calls).toHaveLength(2);
  },
);

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
  expect(tessera.peek('none.rows', { on: ada })).toBeNull();
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

test('a value of another type than the fallback is not returned', async () => {
  const { fetch } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch });
  expect(await tessera.get('reports.rows', { on: ada, fallback: 'none' })).toBe('none');
  expect(await tessera.get('reports.rows', { on: ada, fallback: 1 })).toBe(500);
});

test('without a cache every call asks, and nothing stale is used', async () => {
  const { fetch, calls } = serve(() => json(answer()));
  const tessera = createTessera({ ...CLIENT, fetch, cache: false });
  await tessera.check(ada);
  expect(await tessera.check(ada)).toMatchObject({ source: 'live' });
  expect(calls).toHaveLength(2);
});

test('a client without a key or an address answers with the fallback, and says once what is missing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const tessera = createTessera({ url: 'https://tessera.example', fetch: serve(silence).fetch });
  expect(await tessera.can('reports', { on: ada, fallback: true })).toBe(true);
  expect(await tessera.can('reports', { on: ada, fallback: false })).toBe(false);
  expect(said.mock.calls).toEqual([['tessera-sdk: Set TESSERA_KEY or the option key']]);
  await expect(createTessera({ key: 'k', onEvent: () => {} }).check(ada)).rejects.toThrow('Set TESSERA_URL');
  said.mockRestore();
});
