// Usage on its way to the server: nothing lost in silence, nothing counted twice, in order, and at the time when it happened.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CountedUpdate, createTessera, type TesseraEvent, type TesseraOptions } from '../../index.ts';
import {
  answer,
  CLIENT,
  json,
  METER,
  refusal,
  type SentCall,
  type Served,
  serve,
  silence,
} from '../served.ts';

const ada = { user: 'ada' };
const BATCH = '/api/v1/counter-updates/batch';
const NOW = '2026-03-31T23:59:30.000Z';

type Sent = {
  idempotencyKey: string;
  by?: number;
  userIdentifier: string;
  ageMs: number;
  resourceId?: string;
  enforce?: boolean;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
});
afterEach(() => void vi.useRealTimers());

const updatesOf = ({ body }: SentCall) => body.updates as Sent[];
const happenedAt = ({ ageMs }: Sent) => Date.now() - ageMs;
const success = {
  status: 'success',
  accepted: true,
  replayed: false,
  applied: 1,
  allowed: true,
  warnings: [],
};
const counted = (call: SentCall) =>
  json({ status: 'success', requestId: 'req_b', results: updatesOf(call).map(() => success) });

/** A client beside the server that it counts at. */
function open(reply: Parameters<typeof serve>[0], options: TesseraOptions = {}) {
  const served: Served = serve(reply);
  const events: TesseraEvent[] = [];
  const onEvent = (event: TesseraEvent) => events.push(event);
  return {
    tessera: createTessera({ ...CLIENT, fetch: served.fetch, onEvent, ...options }),
    events,
    ...served,
  };
}

test('counts are sent together, in order, with keys that were made when they were counted', async () => {
  const { tessera, calls } = open(counted);
  const keys = [1, 2, 3].map((by) => tessera.count('reports.runs', { on: ada, by }));
  expect([calls.length, new Set(keys).size]).toEqual([0, 3]);
  await vi.advanceTimersByTimeAsync(300);
  expect(calls).toHaveLength(1);
  expect(updatesOf(calls[0]!)).toEqual(
    [1, 2, 3].map((by, index) => ({
      userIdentifier: 'ada',
      feature: 'reports',
      property: 'runs',
      by,
      idempotencyKey: keys[index],
      ageMs: 250,
    })),
  );
});

test('a release that is false is not sent, since only a resource is released', async () => {
  const { tessera, calls } = open(counted);
  tessera.count('reports.runs', { on: ada, release: false });
  await tessera.flush();
  expect(updatesOf(calls[0]!)[0]).not.toHaveProperty('release');
});

test('a batch has at most a hundred updates, and the next one waits for it', async () => {
  let underWay = 0;
  let most = 0;
  const { tessera, calls } = open(async (call) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 50));
    underWay -= 1;
    return counted(call);
  });
  for (let by = 0; by < 250; by++) tessera.count('reports.runs', { on: ada, by });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([calls.map((call) => updatesOf(call).length), most]).toEqual([[100, 100, 50], 1]);
  expect(calls.flatMap(updatesOf).map(({ by }) => by)).toEqual(Array.from({ length: 250 }, (_, by) => by));
});

test('large updates make smaller batches, within what the server takes', async () => {
  const { tessera, calls } = open(counted);
  for (let times = 0; times < 60; times++)
    tessera.count('reports.runs', { on: { token: 'x'.repeat(8_000) } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls.flatMap(updatesOf)).toHaveLength(60);
  expect(Math.max(...calls.map(({ body }) => JSON.stringify(body).length))).toBeLessThan(256 * 1024);
});

test.each([
  ['the network fails', () => new TypeError('reset')],
  ['the server is silent', silence],
  ['it answers 408', () => refusal(408, 'timeout')],
  ['it answers 429', () => refusal(429, 'rate-limited', { 'retry-after': '2' })],
  ['it answers 503', () => refusal(503, 'unavailable')],
  ['it answers with a page', () => new Response('<html>')],
  ['it answers with too few results', () => json({ status: 'success', results: [] })],
] as const)('where %s, the same updates are sent again with the same keys and times', async (_, reply) => {
  const times: number[][] = [];
  const { tessera, calls, events } = open((call, index) => {
    times.push(updatesOf(call).map(happenedAt));
    return index < 3 ? reply() : counted(call);
  });
  tessera.count('reports.runs', { on: ada });
  tessera.count('reports.runs', { on: { user: 'bob' }, by: 2 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(calls).toHaveLength(4);
  const withoutAges = (call: SentCall) => updatesOf(call).map(({ ageMs: _age, ...update }) => update);
  for (const call of calls) expect(withoutAges(call)).toEqual(withoutAges(calls[0]!));
  expect(times).toEqual(times.map(() => [Date.parse(NOW), Date.parse(NOW)]));
  await tessera.flush();
  expect(events.map(({ type }) => type)).toEqual(['retry', 'retry', 'retry']);
});

test('a server that asks for a pause gets it', async () => {
  const { tessera, calls } = open((call, index) =>
    index === 0 ? refusal(429, 'rate-limited', { 'retry-after': '40' }) : counted(call),
  );
  tessera.count('reports.runs', { on: ada });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(calls).toHaveLength(2);
});

test('of a batch, only what failed for a time is sent again; what is refused is handed over', async () => {
  const undelivered: CountedUpdate[] = [];
  const results = [
    success,
    { status: 'error', errorType: 'unavailable' },
    { status: 'error', errorType: 'invalid-request', message: 'No such meter' },
  ];
  const { tessera, calls, events } = open(
    (call, index) => (index === 0 ? json({ status: 'success', results }) : counted(call)),
    {
      buffer: { onUndelivered: (updates) => undelivered.push(...updates) },
    },
  );
  const [, again, refused] = ['a', 'b', 'c'].map((user) => tessera.count('reports.runs', { on: { user } }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(updatesOf(calls[1]!).map(({ idempotencyKey }) => idempotencyKey)).toEqual([again]);
  expect(undelivered).toMatchObject([{ idempotencyKey: refused, on: { user: 'c' }, meter: 'reports.runs' }]);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'undelivered',
      error: expect.objectContaining({ message: 'No such meter' }),
    }),
  );
});

test('without a taker, flush rejects for what could not be delivered, once', async () => {
  const { tessera } = open(() => refusal(403, 'forbidden'));
  tessera.count('reports.runs', { on: ada });
  await expect(tessera.flush()).rejects.toMatchObject({
    type: 'forbidden',
    message: expect.stringContaining('1 updates'),
  });
  await tessera.flush();
});

test('flush waits for what was counted before it, no longer than asked', async () => {
  const { tessera } = open(silence);
  tessera.count('reports.runs', { on: ada });
  const flushed = expect(tessera.flush({ timeoutMs: 3_000 })).rejects.toMatchObject({ type: 'timeout' });
  await vi.advanceTimersByTimeAsync(3_000);
  await flushed;
});

test('usage counted in an outage has the time when it happened, in the month before', async () => {
  let times: number[] | null = null;
  const { tessera } = open((call) => {
    if (times === null) return new TypeError('down');
    times = updatesOf(call).map(happenedAt);
    return counted(call);
  });
  tessera.count('reports.runs', { on: ada });
  await vi.advanceTimersByTimeAsync(6 * 3_600_000);
  times = [];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times).toEqual([Date.parse(NOW)]);
  await tessera.flush();
});

test('after 24 hours usage is handed over, since its key protects it no longer', async () => {
  const undelivered: CountedUpdate[] = [];
  const { tessera, calls } = open(() => new TypeError('down'), {
    buffer: { onUndelivered: (updates) => undelivered.push(...updates) },
  });
  const key = tessera.count('reports.runs', { on: ada, by: 3 });
  await vi.advanceTimersByTimeAsync(23 * 3_600_000);
  expect(undelivered).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(undelivered).toEqual([
    { idempotencyKey: key, at: Date.parse(NOW), on: ada, meter: 'reports.runs', by: 3 },
  ]);
  const tried = calls.length;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(calls).toHaveLength(tried);
});

test('beyond its size the buffer hands over what is counted, and keeps what it has', async () => {
  const undelivered: CountedUpdate[] = [];
  const { tessera } = open(silence, {
    buffer: { maxUpdates: 2, onUndelivered: (updates) => undelivered.push(...updates) },
  });
  for (const by of [1, 2, 3]) tessera.count('reports.runs', { on: ada, by });
  expect(undelivered).toMatchObject([{ by: 3 }]);
});

test('a server without batches is too old: what is counted is handed over', async () => {
  const { tessera } = open(() => refusal(404, 'not-found'));
  tessera.count('reports.runs', { on: ada });
  await expect(tessera.flush()).rejects.toMatchObject({ type: 'not-found' });
});

test('a function is kept alive for its usage by waitUntil, for half a minute at most', async () => {
  const kept: Promise<unknown>[] = [];
  const { tessera } = open(silence, { waitUntil: (work) => kept.push(work) });
  tessera.count('reports.runs', { on: ada });
  expect(kept).toHaveLength(1);
  let isEnded = false;
  void Promise.all(kept).then(() => {
    isEnded = true;
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isEnded).toBe(true);
});

test('what its request took along when it ended is sent by the next one', async () => {
  const { tessera, calls } = open((call, index) => (index === 0 ? silence() : counted(call)), {
    waitUntil: () => {},
  });
  tessera.count('reports.runs', { on: ada, by: 1 });
  await vi.advanceTimersByTimeAsync(300);
  // A frozen function: its timers never fire.
  vi.useRealTimers();
  vi.useFakeTimers({ now: Date.parse(NOW) + 60_000 });
  tessera.count('reports.runs', { on: ada, by: 2 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(calls.map((call) => updatesOf(call).map(({ by }) => by))).toEqual([[1], [1, 2]]);
});

test('on Vercel and Netlify waitUntil is found', async () => {
  const kept: unknown[] = [];
  const symbol = Symbol.for('@vercel/request-context');
  const platform = globalThis as unknown as Record<symbol | string, unknown>;
  platform[symbol] = { get: () => ({ waitUntil: (work: unknown) => kept.push(work) }) };
  open(counted).tessera.count('reports.runs', { on: ada });
  delete platform[symbol];
  platform.Netlify = { context: { waitUntil: (work: unknown) => kept.push(work) } };
  open(counted).tessera.count('reports.runs', { on: ada });
  delete platform.Netlify;
  expect(kept).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
});

test.each([
  ['half an amount', { by: 1.5 }],
  ['too much', { by: 1e13 }],
  ['an empty resource', { resource: '' }],
  ['a release of nothing', { release: true }],
  ['an empty key', { idempotencyKey: '' }],
  ['a day before yesterday', { at: new Date(Date.parse(NOW) - 48 * 3_600_000) }],
  ['tomorrow', { at: new Date(Date.parse(NOW) + 24 * 3_600_000) }],
  ['no time', { at: new Date(Number.NaN) }],
  ['an anonymous session', { on: { anonymous: true } as never }],
] as const)('counting %s is refused at once', (_, change) => {
  const { tessera } = open(silence);
  expect(() => tessera.count('reports.runs', { on: ada, ...change } as never)).toThrow(
    expect.objectContaining({ type: 'invalid-request' }),
  );
  expect(() => tessera.count('reports', { on: ada })).toThrow('meter cannot be counted');
});

test('what is counted beyond a limit ends what the cache allows', async () => {
  const { tessera } = open((call) =>
    call.path === BATCH
      ? json({ status: 'success', results: [{ ...success, allowed: false, reason: 'limit-reached' }] })
      : json(answer()),
  );
  await tessera.check(ada);
  tessera.count('reports.runs', { on: ada });
  await tessera.flush();
  expect(tessera.peek('reports.runs', { on: ada })).toBeNull();
});

const AFTER = {
  features: {
    reports: {
      allowed: true,
      properties: { runs: { ...METER, allowed: true, used: 5, remaining: 5, resetsAt: null } },
    },
  },
};
const consumed = (accepted: boolean) =>
  json({
    ...answer(AFTER as never),
    consumed: {
      accepted,
      replayed: false,
      applied: 1,
      ...METER,
      allowed: true,
      used: 5,
      remaining: 5,
      resetsAt: null,
    },
  });

test('consume takes usage in one call, and the cache knows the meter afterwards', async () => {
  const { tessera, calls } = open(({ body }) =>
    body.consume === undefined ? json(answer()) : consumed(true),
  );
  await tessera.check(ada);
  const taken = await tessera.consume('reports.runs', { on: ada, by: 2, fallback: 'deny' });
  expect(taken).toEqual({
    allowed: true,
    counted: 'now',
    meter: { state: 'metered', allowed: true, limit: 10, used: 5, remaining: 5, resetsAt: null },
    source: 'live',
  });
  expect(calls[1]?.body).toEqual({
    userIdentifier: 'ada',
    features: ['reports'],
    consume: { feature: 'reports', property: 'runs', by: 2, idempotencyKey: expect.any(String) },
  });
  expect(tessera.peek('reports.runs', { on: ada })?.value).toMatchObject({ used: 5 });
});

test('consume is tried again with the same key', async () => {
  const { tessera, calls } = open((_, index) => (index === 0 ? new TypeError('reset') : consumed(true)));
  const work = tessera.consume('reports.runs', { on: ada, fallback: 'deny' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toMatchObject({ allowed: true, counted: 'now' });
  expect(calls[1]?.body).toEqual(calls[0]?.body);
});

test.each([
  ['had taken it, it is not counted again', true],
  ['had not taken it, it is counted', false],
] as const)(
  'usage that was allowed in an outage is settled by its key: where the check %s',
  async (_, wasTaken) => {
    let isUp = false;
    const sent: Sent[] = [];
    const { tessera } = open((call) => {
      if (!isUp) return new TypeError('the answer is lost');
      sent.push(...updatesOf(call));
      expect(updatesOf(call).map(happenedAt)).toEqual([Date.parse(NOW)]);
      const [{ enforce }] = updatesOf(call) as [Sent];
      return json({ status: 'success', results: [{ ...success, accepted: !enforce || wasTaken }] });
    });
    const work = tessera.consume('reports.runs', { on: ada, fallback: 'allow', idempotencyKey: 'order-1' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await work).toEqual({ allowed: true, counted: 'later', meter: null, source: 'fallback' });
    isUp = true;
    await vi.advanceTimersByTimeAsync(60_000);
    await tessera.flush();
    expect(sent.map(({ idempotencyKey, enforce }) => [idempotencyKey, enforce])).toEqual(
      wasTaken
        ? [['order-1', true]]
        : [
            ['order-1', true],
            ['order-1/later', undefined],
          ],
    );
  },
);

test('consume that is denied counts nothing, whatever the fallback', async () => {
  const { tessera, calls } = open(() => consumed(false));
  expect(await tessera.consume('reports.runs', { on: ada, fallback: 'allow' })).toMatchObject({
    allowed: false,
    counted: 'no',
    source: 'live',
  });
  await tessera.flush();
  expect(calls).toHaveLength(1);
});

test('close sends what was counted', async () => {
  const { tessera, calls } = open(counted);
  tessera.count('reports.runs', { on: ada });
  await tessera.close();
  expect(calls.flatMap(updatesOf)).toHaveLength(1);
});

test('a call that a flush gave up on ends after the time of any other, and is sent again', async () => {
  const signals: AbortSignal[] = [];
  const { fetch, calls } = serve((call, index) => (index === 0 ? silence() : counted(call)));
  const listening: typeof fetch = (input, init) => {
    signals.push(init?.signal as AbortSignal);
    return fetch(input, init);
  };
  const tessera = createTessera({ ...CLIENT, fetch: listening, timeoutMs: 1_500, onEvent: () => {} });
  tessera.count('reports.runs', { on: ada });
  const flush = tessera.flush({ timeoutMs: 1_000 }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2_499);
  expect(await flush).toMatchObject({ type: 'timeout' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await vi.advanceTimersByTimeAsync(60_000);
  await tessera.flush();
  const keys = calls.flatMap(updatesOf).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual([keys[0], keys[0]]);
});
