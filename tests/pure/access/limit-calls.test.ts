// How many calls a key may make: exact in one isolate, shared between isolates by the platform's rate limiter.
import { expect, test } from 'vitest';
import { expectConsole } from '#tests/support/expect-console';
import { takeCall } from '#worker/domains/access/calls/limit-calls';
import type { KeyRecord } from '#worker/domains/snapshots/snapshot-cache';
import { ApiError } from '#worker/http/api-error';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 18, 12);
let lastKey = 0;

/** A new key, in an isolate whose platform limiter accepts `steps` steps. */
function newKey(change: Partial<KeyRecord> = {}, steps = Number.POSITIVE_INFINITY) {
  lastKey += 1;
  const key: KeyRecord = {
    id: `key_${lastKey}`,
    type: 'secret',
    rateLimit: 600,
    allowanceShare: null,
    managesCustomers: false,
    ...change,
  };
  const stepped: string[] = [];
  const works: Promise<unknown>[] = [];
  const limiter = {
    limit: async ({ key: name }: { key: string }) => {
      stepped.push(name);
      if (Number.isNaN(steps)) throw new Error('Cut off');
      return { success: stepped.length <= steps };
    },
  };
  const take = (at = NOON, address = '203.0.113.7') => {
    const request = new Request('https://tessera.example', { headers: { 'cf-connecting-ip': address } });
    return takeCall({ API_RATE_LIMIT: limiter }, key, request, at, (work) => works.push(work));
  };
  const refusalAt = (at?: number, address?: string) => {
    try {
      take(at, address);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return null;
  };
  return { key, stepped, take, refusalAt, settled: () => Promise.all(works) };
}

test('a key makes as many calls a minute as its limit, then is refused until the minute ends', () => {
  const { take, refusalAt } = newKey({ rateLimit: 60 });
  const remaining = Array.from({ length: 60 }, () => take(NOON + 18_000).remaining);
  expect(remaining).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
  const refusal = refusalAt(NOON + 18_500);
  expect(refusal).toMatchObject({ errorType: 'rate-limited', status: 429 });
  expect(refusal?.detail.headers).toEqual({
    'retry-after': '42',
    'ratelimit-limit': '60',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '42',
  });
  expect(take(NOON + MINUTE)).toEqual({ limit: 60, remaining: 59, resetsInS: 60 });
});

test('a secret key is limited as one, a public key by client network', () => {
  const secret = newKey({ rateLimit: 60 });
  for (let call = 0; call < 60; call++) secret.take(NOON, `203.0.113.${call}`);
  expect(secret.refusalAt(NOON, '198.51.100.1')).not.toBeNull();

  const open = newKey({ type: 'public', rateLimit: 60, allowanceShare: 80 });
  for (let call = 0; call < 60; call++) open.take(NOON, '203.0.113.1');
  expect(open.refusalAt(NOON, '203.0.113.1')).not.toBeNull();
  expect(open.take(NOON, '203.0.113.2').remaining).toBe(59);
  for (let call = 0; call < 60; call++) open.take(NOON, `2001:db8:1:2::${call.toString(16)}`);
  expect(open.refusalAt(NOON, '2001:0db8:0001:0002:ffff::1')).not.toBeNull();
  expect(open.refusalAt(NOON, '2001:db8:1:3::1')).toBeNull();
});

test.each([
  [60, 60],
  [600, 60],
  [600_000, 60],
])('a limit of %d is counted with the platform in %d steps, each once', async (rateLimit, steps) => {
  const { stepped, take, settled } = newKey({ rateLimit });
  for (let call = 0; call < rateLimit; call++) take();
  await settled();
  expect(stepped).toHaveLength(steps);
});

test('calls that did not fill a step are counted in the next minute', async () => {
  const { stepped, take, settled } = newKey({ rateLimit: 600 });
  for (let call = 0; call < 9; call++) take(NOON);
  take(NOON + MINUTE);
  await settled();
  expect(stepped).toHaveLength(1);
});

test('once other isolates have used up the limit, a key is refused until the minute ends', async () => {
  const { take, refusalAt, settled } = newKey({ rateLimit: 600 }, 0);
  for (let call = 0; call < 10; call++) take();
  await settled();
  expect(refusalAt()).toMatchObject({ errorType: 'rate-limited' });
  expect(refusalAt(NOON + MINUTE)).toBeNull();
});

test('without the platform limiter the own count is the limit', async () => {
  expectConsole('warn', /could not be counted/);
  const { take, refusalAt, settled } = newKey({ rateLimit: 60 }, Number.NaN);
  for (let call = 0; call < 60; call++) take();
  await settled();
  expect(refusalAt()).not.toBeNull();
});

test('a changed limit applies from the next call on', () => {
  const { key, take, refusalAt } = newKey({ rateLimit: 60 });
  for (let call = 0; call < 60; call++) take();
  expect(refusalAt()).not.toBeNull();
  Object.assign(key, { rateLimit: 600 });
  expect(take()).toMatchObject({ limit: 600, remaining: 539 });
});
