// Usage that is counted by a machine whose clock is wrong: all of it, once, and where it happened, from the first batch on.
import { expect, test, vi } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '../../../engine/tests/small-workspace.ts';
import { createFakeServer, type FakeServer } from '../../fake-server.ts';
import { createTessera } from '../../index.ts';

const METER = 'analytics.exports';
const ada = { user: 'ada' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLOCKS = [45_000, -45_000, 3 * HOUR, -3 * HOUR, 48 * HOUR, -48 * HOUR];

/** The plan's exports are in the last hour. */
const trailingHour = {
  limit: 1_000,
  periodType: 'fixed',
  periodCount: 1,
  periodLength: 'hour',
  uniqueResourceIds: false,
} as const;
const planValues = SMALL.planValues.map((each) =>
  each.propertyId === 'prop_exports' && each.planId === 'plan_pro'
    ? { ...each, value: { state: 'metered' as const, meter: trailingHour } }
    : each,
);

/** @param aheadMs what the client's clock is ahead of the server's */
function serverBehind(aheadMs: number): FakeServer {
  const fake = createFakeServer(compileArtifact({ ...SMALL, planValues }));
  fake.grant('ada', 'pro');
  fake.advance(-aheadMs);
  return fake;
}

test.each(CLOCKS)('counts 4 of 4 where they happened, by a clock that is %d ms ahead', async (aheadMs) => {
  const fake = serverBehind(aheadMs);
  const undelivered = vi.fn();
  const tessera = createTessera({
    url: fake.url,
    key: fake.secretKey,
    fetch: fake.fetch,
    onEvent: () => {},
    buffer: { onUndelivered: undelivered },
  });
  const ago = (ms: number) => new Date(Date.now() - ms);
  tessera.count(METER, { on: ada, by: 1 });
  tessera.count(METER, { on: ada, by: 2, at: ago(20 * MINUTE) });
  tessera.count(METER, { on: ada, by: 4, at: ago(50 * MINUTE) });
  tessera.count(METER, { on: ada, by: 8, at: ago(2 * HOUR) });
  await tessera.flush();
  expect(undelivered).not.toHaveBeenCalled();
  expect((await tessera.check(ada)).get(METER)).toMatchObject({ used: 7 });
  expect(fake.used('ada', METER)).toBe(15);
});

test('usage that was not acknowledged counts once, however late it is sent again', async () => {
  vi.useFakeTimers();
  const fake = serverBehind(-3 * HOUR);
  let lost = 3;
  const tessera = createTessera({
    url: fake.url,
    key: fake.secretKey,
    onEvent: () => {},
    fetch: async (input, init) => {
      const answer = await fake.fetch(input, init);
      if (lost-- > 0) throw new TypeError('The answer is lost');
      return answer;
    },
  });
  tessera.count(METER, { on: ada, by: 4 });
  const taken = tessera.consume(METER, { on: ada, by: 3, fallback: 'allow' });
  await vi.advanceTimersByTimeAsync(40 * MINUTE);
  await taken;
  await tessera.flush();
  expect(fake.used('ada', METER)).toBe(7);
  vi.useRealTimers();
});

test('usage that waited out the night of a sleeping machine counts in its hour', async () => {
  vi.useFakeTimers();
  const fake = serverBehind(0);
  fake.fail('down', 2);
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch, onEvent: () => {} });
  tessera.count(METER, { on: ada, by: 4 });
  await vi.advanceTimersByTimeAsync(300);
  // Asleep: the monotonic clock of many systems misses it.
  vi.setSystemTime(Date.now() + 9 * HOUR);
  tessera.count(METER, { on: ada });
  await vi.advanceTimersByTimeAsync(MINUTE);
  await tessera.flush();
  expect((await tessera.check(ada)).get(METER)).toMatchObject({ used: 1 });
  expect(fake.used('ada', METER)).toBe(5);
  vi.useRealTimers();
});
