// Usage through a network that loses, delays and refuses: counted once, in the window in which it happened.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { seededRandom } from '#lab/fixtures/seeded-random';
import { createFakeServer } from '#sdk/fake-server';
import { createTessera } from '#sdk/index';
import { SMALL } from '../../../packages/engine/tests/small-workspace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const METER = 'analytics.exports';

test.each([1, 2, 3])('of 10,000 updates none is lost, and none counts twice (seed %d)', async (seed) => {
  const random = seededRandom(seed);
  const fake = createFakeServer(compileArtifact(SMALL));
  const lossy: typeof globalThis.fetch = async (input, init) => {
    const fate = random();
    if (fate < 0.15) throw new TypeError('The request is lost');
    if (fate < 0.2) return new Response('busy', { status: 503, headers: { 'retry-after': '1' } });
    if (fate < 0.3) await new Promise((resolve) => setTimeout(resolve, 20_000 * random()));
    const answer = await fake.fetch(input, init);
    if (fate > 0.85) throw new TypeError('The answer is lost');
    return answer;
  };
  const undelivered = vi.fn();
  const tessera = createTessera({
    url: fake.url,
    key: fake.secretKey,
    fetch: lossy,
    onEvent: () => {},
    buffer: { onUndelivered: undelivered },
  });
  const users = Array.from({ length: 7 }, (_, index) => `user-${index}`);
  const expected = new Map(users.map((user) => [user, 0]));
  for (let count = 0; count < 10_000; count++) {
    const user = users[Math.floor(random() * users.length)] as string;
    const by = 1 + Math.floor(random() * 5);
    tessera.count(METER, { on: { user }, by });
    expected.set(user, (expected.get(user) ?? 0) + by);
    if (count % 500 === 0) await vi.advanceTimersByTimeAsync(1_000);
  }
  await vi.advanceTimersByTimeAsync(3 * 3_600_000);
  await tessera.flush();
  expect(undelivered).not.toHaveBeenCalled();
  expect(new Map(users.map((user) => [user, fake.used(user, METER)]))).toEqual(expected);
});

test('usage of an outage that crosses the month counts in the month in which it happened', async () => {
  vi.setSystemTime('2026-03-31T23:50:00Z');
  const fake = createFakeServer(compileArtifact(SMALL));
  fake.grant('ada', 'pro');
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  fake.fail('down', 20);
  tessera.count(METER, { on: { user: 'ada' }, by: 4 });
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  await tessera.flush();
  expect(new Date().getUTCMonth()).toBe(3);
  tessera.count(METER, { on: { user: 'ada' } });
  await tessera.flush();
  expect((await tessera.check({ user: 'ada' })).get(METER)).toMatchObject({ used: 1, limit: 10 });
  expect(fake.used('ada', METER)).toBe(5);
});
