// Holds of the client, against the fake server: once each, settled with what was used, whatever the network loses.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '../../../engine/tests/small-workspace.ts';
import { createBrowserTessera } from '../../browser.ts';
import { createFakeServer } from '../../fake-server.ts';
import { type Hold, type HoldOptions, openHold } from '../../holds.ts';
import { createTessera, type Tessera, type TesseraEvent } from '../../index.ts';
import { createFakeTessera } from '../../testing.ts';

const METER = 'analytics.exports';
const on = { user: 'ada' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A customer with 100 of the meter. */
function open() {
  const fake = createFakeServer(compileArtifact(SMALL));
  fake.grant('ada', 'pro');
  fake.set('ada', { [METER]: { limit: 100 } });
  const events: TesseraEvent[] = [];
  const onEvent = (event: TesseraEvent) => void events.push(event);
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch, onEvent });
  const meter = async () => {
    tessera.refresh();
    return (await tessera.check(on)).get(METER);
  };
  const hold = (amount: number, more: Partial<HoldOptions> = {}) => accepted(tessera, amount, more);
  return { fake, tessera, events, meter, hold };
}

async function accepted(tessera: Tessera, amount: number, more: Partial<HoldOptions> = {}): Promise<Hold> {
  const held = await openHold(tessera, METER, { on, amount, ...more });
  if (!held.accepted) throw new Error('It was not accepted');
  return held;
}

/** Of a promise that waits for pauses: whatever it comes to, in a minute at most. */
async function soon<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  return work;
}

test('an amount is held beside what is used, and settled with what was used', async () => {
  const { meter, hold, fake } = open();
  const held = await hold(40);
  expect(held).toMatchObject({ id: expect.stringMatching(/^hold_/), amount: 40, used: 0 });
  expect(held.expiresAt.getTime() - Date.now()).toBe(120_000);
  expect(held.meter).toMatchObject({ limit: 100, used: 0, held: 40, remaining: 60 });
  expect(await meter()).toMatchObject({ used: 0, held: 40, remaining: 60 });
  held.use(12);
  held.use(3);
  expect(held.used).toBe(15);
  const settled = await held.settle();
  expect(settled).toMatchObject({ accepted: true, applied: 15, released: 25, overage: 0 });
  expect(held.meter).toMatchObject({ used: 15, remaining: 85 });
  expect(held.meter).not.toHaveProperty('held');
  expect(fake.used('ada', METER)).toBe(15);
});

test('what does not fit is refused with the meter, or held as far as it fits', async () => {
  const { tessera, hold } = open();
  const refused = await openHold(tessera, METER, { on, amount: 101 });
  expect(refused).toMatchObject({
    ...{ accepted: false, reason: 'limit-reached', limitOf: null, costs: null },
    meter: { remaining: 100 },
  });
  expect((await hold(101, { orLess: true })).amount).toBe(100);
  expect(await openHold(tessera, METER, { on, amount: 1, orLess: true })).toMatchObject({ accepted: false });
});

test('a refusal says whose limit is reached, and what is left of what pays', async () => {
  const meter = { state: 'on', allowed: true };
  const costs = { feature: 'ai-calls', property: 'credits', per: 0.1, allowed: true, remaining: 3 };
  const answer = {
    status: 'success',
    accepted: false,
    reason: 'limit-reached',
    limitOf: 'entity',
    hold: null,
    meter,
    costs,
  };
  const tessera = createTessera({
    url: 'http://api',
    key: 'tsr_sec_1',
    fetch: async () => Response.json(answer),
  });
  expect(await openHold(tessera, 'chat.tokens', { on, amount: 200 })).toMatchObject({
    ...{ accepted: false, reason: 'limit-reached', limitOf: 'entity' },
    costs: { path: 'ai-calls.credits', remaining: 3 },
  });
});

test('it is extended, unless that does not fit', async () => {
  const { hold } = open();
  const held = await hold(40, { lastsMs: 60_000 });
  expect(await held.extend({ amount: 50, lastsMs: 90_000 })).toBe(true);
  expect([held.amount, held.expiresAt.getTime() - Date.now()]).toEqual([90, 90_000]);
  expect(await held.extend({ amount: 11 })).toBe(false);
  expect(held).toMatchObject({ amount: 90, meter: { held: 90, remaining: 10 } });
  await held.settle(95);
  expect(held.meter).toMatchObject({ used: 95 });
  await expect(held.extend()).rejects.toMatchObject({ type: 'conflict', code: 'hold-over' });
});

describe('a block', () => {
  test('settles what was used when it ends, and what was settled in it stays', async () => {
    const { meter, hold, fake } = open();
    {
      await using held = await hold(40);
      held.use(7);
    }
    expect(await meter()).toMatchObject({ used: 7, remaining: 93 });
    {
      await using held = await hold(40);
      held.use(7);
      await held.settle(9);
    }
    expect(fake.used('ada', METER)).toBe(16);
    expect(fake.calls.filter(({ path }) => path.endsWith('/settle'))).toHaveLength(2);
  });

  test('settles after a throw, and releases what was not used', async () => {
    const { meter, hold } = open();
    const work = async (used: number) => {
      await using held = await hold(40);
      held.use(used);
      throw new Error('The model failed');
    };
    await expect(work(5)).rejects.toThrow('The model failed');
    await expect(work(0)).rejects.toThrow('The model failed');
    expect(await meter()).toMatchObject({ used: 5, remaining: 95 });
  });

  test('keeps its own error when the settlement fails, too, which is tried until it is answered', async () => {
    const { meter, hold, fake } = open();
    const work = async () => {
      await using held = await hold(40);
      held.use(5);
      fake.fail('silent', 3);
      throw new Error('The model failed');
    };
    await expect(soon(work())).rejects.toThrow(/^The model failed$/);
    expect(await meter()).toMatchObject({ used: 5, remaining: 95 });
  });

  test('may end without a hold', async () => {
    const { tessera } = open();
    await using held = await openHold(tessera, METER, { on, amount: 101 });
    expect(held.accepted).toBe(false);
  });
});

describe('in a network that loses', () => {
  test.each(['lost', 'down', 503, 500] as const)(
    '%s: an amount is held once, and settled once',
    async (fault) => {
      const { fake, meter, hold } = open();
      fake.fail(fault);
      const held = await soon(hold(40, { lastsMs: 3_600_000 }));
      expect(await meter()).toMatchObject({ held: 40 });
      fake.fail(fault);
      expect(await soon(held.extend({ amount: 10, lastsMs: 3_600_000 }))).toBe(true);
      expect(await meter()).toMatchObject({ held: 50 });
      fake.fail(fault);
      await soon(held.settle(30));
      expect(await meter()).toMatchObject({ used: 30, remaining: 70 });
    },
  );

  test('nobody waits for longer than two calls take, and the settlement arrives later', async () => {
    const { fake, events, hold } = open();
    const held = await hold(40);
    fake.fail('silent', 20);
    const startedAt = Date.now();
    const settling = held.settle(30).catch((error) => ({ error, ms: Date.now() - startedAt }));
    const { error, ms } = (await soon(settling)) as { error: Error; ms: number };
    expect(error).toMatchObject({ type: 'timeout' });
    expect(ms).toBe(2 * 1_500 + 1_500);
    expect(events.some(({ type }) => type === 'retry')).toBe(true);
    await vi.advanceTimersByTimeAsync(20 * 35_000);
    expect(fake.used('ada', METER)).toBe(30);
    expect(await held.settle(30)).toMatchObject({ applied: 30 });
    expect(events.some(({ type }) => type === 'undelivered')).toBe(false);
  });

  test('an amount that cannot be held in time is an error, and so is a caller who gives up', async () => {
    const { fake, hold } = open();
    fake.fail('down', 20);
    await expect(soon(hold(40))).rejects.toMatchObject({ type: 'network' });
    const controller = new AbortController();
    const given = hold(40, { signal: controller.signal });
    controller.abort();
    await expect(soon(given)).rejects.toMatchObject({ type: 'aborted' });
  });

  test('usage that can no longer be settled is handed over', async () => {
    const { fake, events, hold } = open();
    const held = await hold(40, { lastsMs: 1_000 });
    held.use(5);
    fake.advance(25 * 3_600_000);
    await soon(held[Symbol.asyncDispose]());
    expect(events.filter(({ type }) => type === 'undelivered')).toMatchObject([
      { error: { code: 'hold-over' }, updates: [{ on, meter: METER, by: 5, idempotencyKey: held.id }] },
    ]);
  });
});

test('a hold that nobody settles ends by itself, and can be settled for a day', async () => {
  const { fake, meter, hold } = open();
  const held = await hold(40, { lastsMs: 60_000 });
  fake.advance(61_000);
  expect(await meter()).toMatchObject({ used: 0, remaining: 100 });
  expect(await held.settle(25)).toMatchObject({ applied: 25, released: 15 });
  expect(await meter()).toMatchObject({ used: 25, remaining: 75 });
});

test('a second settlement is the first one’s answer, or a conflict, and does not replace it', async () => {
  const { fake, hold } = open();
  const held = await hold(40);
  const [one, other] = await Promise.all([held.settle(30), held.settle(30)]);
  expect(other).toEqual(one);
  await expect(held.settle(31)).rejects.toMatchObject({ type: 'conflict', code: 'hold-settled' });
  await held[Symbol.asyncDispose]();
  expect(fake.used('ada', METER)).toBe(30);
  expect(() => held.use(1)).toThrow('The hold is settled');
});

test('more than is held counts, is capped or is rejected, after which the hold is open', async () => {
  const { fake, hold } = open();
  const held = await hold(40);
  expect(await held.settle(41, { onExcess: 'reject' })).toMatchObject({ accepted: false, applied: 0 });
  held.use(3);
  expect(await held.settle(41, { onExcess: 'cap' })).toMatchObject({ accepted: true, applied: 40 });
  expect(await (await hold(50)).settle(70)).toMatchObject({ applied: 70, overage: 10 });
  expect(fake.used('ada', METER)).toBe(110);
});

test('release gives everything back', async () => {
  const { meter, hold } = open();
  const held = await hold(40);
  held.use(5);
  expect(await held.release()).toMatchObject({ applied: 0, released: 40 });
  expect(await meter()).toMatchObject({ used: 0, remaining: 100 });
});

describe('what nobody can hold is refused, naming it', () => {
  test.each([
    [{ amount: 1.5 }, 'amount must be a whole number of 1 to 1,000,000,000,000, not 1.5'],
    [{ amount: 0 }, 'amount must be a whole number of 1'],
    [{ amount: Number.NaN }, 'amount'],
    [{ on: { user: '' } }, 'on needs a user'],
    [{ idempotencyKey: '' }, 'idempotencyKey cannot be counted'],
    [{ lastsMs: 999 }, 'lastsMs'],
  ])('%j', async (change, message) => {
    const { tessera } = open();
    await expect(openHold(tessera, METER, { on, amount: 1, ...change })).rejects.toMatchObject({
      type: 'invalid-request',
      message: expect.stringContaining(message),
    });
  });

  test('amounts that are no whole numbers, whatever they are used for', async () => {
    const { hold } = open();
    const held = await hold(40);
    const message = 'amount must be a whole number of 0';
    for (const amount of [1.5, -1, Number.NaN, 1e13]) {
      expect(() => held.use(amount)).toThrow(message);
      await expect(held.settle(amount)).rejects.toThrow(message);
      await expect(held.extend({ amount })).rejects.toThrow(message);
    }
    expect(held.used).toBe(0);
  });

  test.each([
    [{}, 'no decision'],
    [{ accepted: true, meter: {} }, 'no hold'],
    [{ accepted: true, hold: { id: 5 } }, 'no hold'],
  ])('what answers in the API’s place: %j', async (body, message) => {
    const fetch = async () => Response.json(body);
    const tessera = createTessera({
      url: 'https://other.example',
      key: 'tsr_sec_1',
      fetch,
      onEvent: () => {},
    });
    await expect(openHold(tessera, METER, { on, amount: 1 })).rejects.toThrow(message);
  });

  test('without a client of a server', async () => {
    const browser = createBrowserTessera({ from: { handler: '/entitlements' } });
    await expect(openHold(browser as never, METER, { on, amount: 1 })).rejects.toThrow(
      'no client of createTessera',
    );
    const { fake } = open();
    const { url, publicKey: key, fetch } = fake;
    const tessera = createTessera({ url, key, fetch, onEvent: () => {} });
    await expect(openHold(tessera, METER, { on, amount: 1 })).rejects.toMatchObject({
      code: 'secret-key-required',
    });
  });
});

test('a client with stated answers holds, too', async () => {
  const tessera = createFakeTessera({ [METER]: { limit: 10, used: 3 } });
  const held = await accepted(tessera, 7);
  expect(await openHold(tessera, METER, { on, amount: 1 })).toMatchObject({ accepted: false });
  await held.settle(2);
  expect(await tessera.get(METER, { on, fallback: null as never })).toMatchObject({ used: 5 });
});

test('an answer that was cached is asked again once a hold has taken what is left, or has given it back', async () => {
  const { tessera, hold } = open();
  const can = () => tessera.can(METER, { on, fallback: false });
  expect(await can()).toBe(true);
  const held = await hold(100);
  expect(await can()).toBe(false);
  await held.release();
  expect(await can()).toBe(true);
});
