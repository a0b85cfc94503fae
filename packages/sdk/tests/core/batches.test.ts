// Checks of many subjects: those of one tick go in one call, and each is answered as a call for it alone would be.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '../../../engine/tests/small-workspace.ts';
import { createFakeServer } from '../../fake-server.ts';
import { createTessera, type TesseraEvent, type TesseraOptions } from '../../index.ts';
import { answer, CLIENT, hearErrors, json, refusal, type SentCall, serve, silence } from '../served.ts';

const BATCH = '/api/v1/access-checks/batch';
interface Check {
  readonly userIdentifier: string;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const checksOf = ({ body }: SentCall) => body.checks as Check[];
const users = (count: number) => Array.from({ length: count }, (_, at) => ({ user: `user-${at}` }));
const refused = (errorType: string) => ({
  status: 'error',
  errorType,
  message: `It is ${errorType}`,
  requestId: 'req_item',
});

/** @param resultOf what is answered about one subject of a batch */
function open(resultOf: (check: Check, index: number) => object = () => answer(), options?: TesseraOptions) {
  const events: TesseraEvent[] = [];
  const served = serve((call, index) =>
    json(
      call.path === BATCH
        ? { status: 'success', results: checksOf(call).map((check) => resultOf(check, index)) }
        : answer(),
    ),
  );
  const onEvent = (event: TesseraEvent) => void events.push(event);
  const tessera = createTessera({ ...CLIENT, fetch: served.fetch, onEvent, ...options });
  return { tessera, calls: served.calls, events };
}

async function settled<Result>(work: Promise<Result>): Promise<Result> {
  await vi.advanceTimersByTimeAsync(5_000);
  return work;
}

test('checkMany asks about up to 100 subjects in one call, and answers in their order', async () => {
  const { tessera, calls } = open(({ userIdentifier }) =>
    answer({ customer: { isCustomer: false, plans: [userIdentifier] } }),
  );
  const subjects = users(250);
  const found = await settled(tessera.checkMany(subjects));
  expect(calls.map((call) => [call.path, checksOf(call).length])).toEqual([
    [BATCH, 100],
    [BATCH, 100],
    [BATCH, 50],
  ]);
  expect(found.map((access) => access?.plans)).toEqual(subjects.map(({ user }) => [user]));
  expect(found[7]).toMatchObject({ source: 'live', requestId: 'req_answer' });
});

test('what is cached is not asked again, and one subject that is left has a call of its own', async () => {
  const { tessera, calls } = open();
  await settled(tessera.checkMany(users(3)));
  const again = await settled(tessera.checkMany(users(4)));
  expect(again.map((access) => access?.source)).toEqual(['cache', 'cache', 'cache', 'live']);
  expect(calls.map(({ body }) => body)).toEqual([
    { checks: users(3).map(({ user }) => ({ userIdentifier: user })) },
    { userIdentifier: 'user-3' },
  ]);
});

test('reads of one tick go together, those of a subject once, and what takes usage alone', async () => {
  const { tessera, calls } = open();
  const token = { token: 'jwt' };
  const work = Promise.all([
    tessera.can('reports', { on: { user: 'ada' }, fallback: false }),
    tessera.get('reports.rows', { on: { user: 'ada' }, fallback: 0 }),
    tessera.can('reports', { on: token, fallback: false, context: { page: 1 } }),
    tessera.check({ anonymous: true }),
    tessera.consume('reports.runs', { on: { user: 'ada' }, fallback: 'deny' }),
  ]);
  expect((await settled(work)).slice(0, 3)).toEqual([true, 500, true]);
  expect(calls.map(({ path, body }) => [path, body.checks])).toContainEqual([
    BATCH,
    [{ userIdentifier: 'ada' }, { userJwt: 'jwt', context: { page: 1 } }, {}],
  ]);
  expect(calls).toHaveLength(2);
});

test('large checks make smaller batches, within what the server takes', async () => {
  const { tessera, calls } = open();
  const subjects = Array.from({ length: 40 }, (_, at) => ({ token: `${at}${'é'.repeat(8_000)}` }));
  await settled(tessera.checkMany(subjects));
  expect(calls.flatMap(checksOf)).toHaveLength(40);
  const bytes = calls.map(({ body }) => new TextEncoder().encode(JSON.stringify(body)).length);
  expect(Math.max(...bytes)).toBeLessThan(256 * 1024);
});

test('one that is refused fails alone, is said, and its stale answer is not used', async () => {
  const said = hearErrors();
  const { tessera } = open(
    ({ userIdentifier }) => (userIdentifier === 'user-1' ? refused('invalid-request') : answer()),
    { onEvent: undefined },
  );
  const found = await settled(tessera.checkMany(users(3)));
  expect(found.map((access) => access?.source ?? null)).toEqual(['live', null, 'live']);
  expect(said()).toEqual(['tessera-sdk: checkMany: It is invalid-request']);
  const can = ({ user }: { user: string }) => tessera.can('reports', { on: { user }, fallback: true });
  expect(await settled(Promise.all(users(3).map(can)))).toEqual([true, true, true]);
});

test('a subject without an id is a mistake, said once, and fails alone', async () => {
  const said = hearErrors();
  const { tessera, calls } = open(undefined, { onEvent: undefined });
  const found = await settled(tessera.checkMany([{ user: '' }, { user: 'ada' }, { user: '' }]));
  expect(found.map(Boolean)).toEqual([false, true, false]);
  expect(said()).toEqual(['tessera-sdk: checkMany: on needs a user, token or anonymous: true']);
  expect(calls).toHaveLength(1);
});

test('only what failed for a time is asked once more; then its stale answer, or nothing, is used', async () => {
  let isUp = true;
  const { tessera, calls, events } = open(({ userIdentifier }, index) => {
    if (userIdentifier === 'user-1' && index === 0) return refused('unavailable');
    return isUp || userIdentifier === 'user-0' ? answer() : refused('unavailable');
  });
  expect((await settled(tessera.checkMany(users(3)))).every(Boolean)).toBe(true);
  expect(calls.map(({ path }) => path)).toEqual([BATCH, '/api/v1/access-checks']);
  isUp = false;
  vi.advanceTimersByTime(61_000);
  const found = await settled(tessera.checkMany([...users(3), { user: 'new' }]));
  expect(found.map((access) => access?.source ?? null)).toEqual(['live', 'stale', 'stale', null]);
  expect(events.at(-1)).toMatchObject({ source: 'fallback', error: { type: 'unavailable' } });
  expect(calls.slice(2).map((call) => checksOf(call).length)).toEqual([4, 3]);
});

test('an outage of the API is tried by one call at a time, and everything falls back', async () => {
  const { fetch, calls } = serve(silence);
  const tessera = createTessera({ ...CLIENT, fetch, onEvent: () => {} });
  for (let times = 0; times < 2; times++)
    expect((await settled(tessera.checkMany(users(300)))).some(Boolean)).toBe(false);
  const tried = calls.length;
  expect((await settled(tessera.checkMany(users(300)))).some(Boolean)).toBe(false);
  expect(calls.length - tried).toBeLessThanOrEqual(1);
});

test.each([401, 403])('a key that is refused (%d) is asked about once for all of them', async (status) => {
  const said = hearErrors();
  const { fetch, calls } = serve(() => refusal(status, status === 401 ? 'unauthenticated' : 'forbidden'));
  const tessera = createTessera({ ...CLIENT, fetch });
  expect((await settled(tessera.checkMany(users(50)))).some(Boolean)).toBe(false);
  expect([calls.length, said().length]).toEqual([1, 1]);
});

test.each([
  ['has no batches', () => refusal(404, 'not-found')],
  ['cannot answer them together', () => new Response('{"status":"success","results":[')],
])('a server that %s is asked one by one, from then on', async (_, reply) => {
  const said = hearErrors();
  const { fetch, calls } = serve(({ path }) => (path === BATCH ? reply() : json(answer())));
  const tessera = createTessera({ ...CLIENT, fetch });
  expect((await settled(tessera.checkMany(users(3)))).every(Boolean)).toBe(true);
  expect((await settled(tessera.checkMany(users(6)))).every(Boolean)).toBe(true);
  expect(calls.map(({ path }) => path === BATCH)).toEqual([true, ...Array.from({ length: 6 }, () => false)]);
  expect(said()).toEqual([]);
});

test('a caller who gives up leaves others their answers', async () => {
  let release = (_: Response) => {};
  const { fetch, calls } = serve(() => new Promise((resolve) => (release = resolve)));
  const tessera = createTessera({ ...CLIENT, fetch, onEvent: () => {} });
  const controller = new AbortController();
  const impatient = tessera.checkMany(users(2), { signal: controller.signal });
  const patient = tessera.checkMany(users(2));
  await vi.advanceTimersByTimeAsync(0);
  controller.abort();
  expect(await impatient).toEqual([null, null]);
  release(json({ status: 'success', results: [answer(), answer()] }));
  expect((await patient).every(Boolean)).toBe(true);
  expect(calls).toHaveLength(1);
});

test('answers of a batch are weighed: the cache keeps what fits', async () => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p-${at}`, 'x'.repeat(100)]));
  const { tessera } = open(() => answer({ features: { reports: { allowed: true, properties } } as never }), {
    cache: { maxBytes: 200_000 },
  });
  await settled(tessera.checkMany(users(50)));
  await tessera.check({ user: 'last' });
  const kept = users(50).filter((on) => tessera.peek('reports', { on }));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(9);
});

test('each answer lasts as long as its own validity says', async () => {
  const { tessera, calls } = open(({ userIdentifier }) =>
    answer({}, userIdentifier === 'user-0' ? 60_000 : 1_000),
  );
  await settled(tessera.checkMany(users(2)));
  const found = await settled(tessera.checkMany(users(2)));
  expect(found.map((access) => access?.source)).toEqual(['cache', 'live']);
  expect(calls).toHaveLength(2);
});

test('the fake server answers 120 customers in two calls, each with their own', async () => {
  const fake = createFakeServer(compileArtifact(SMALL));
  fake.grant('user-3', 'pro');
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  const found = await settled(tessera.checkMany(users(120)));
  expect(found.filter((access) => access?.plans.includes('pro'))).toEqual([found[3]]);
  expect(fake.calls.map(({ path }) => path)).toEqual([BATCH, BATCH]);
});
