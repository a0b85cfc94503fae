// What is compared with the server's instants uses the server's clock, which every answer tells.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentUserEndpoints } from '../../packages/contracts/console/organisations.ts';
import { atServerTime } from '../../web/api/at-server-time.ts';
import { call } from '../../web/api/call.ts';
import { clockLead, noteServerTime, now, onClockChange, toServerTime } from '../../web/clock.ts';
import { criteriaOf, readEventSearch } from '../../web/domains/events/event-search.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 0, 2, 12);
const header = (at: number) => String(at);
/** Notes an answer that comes at noon by the browser's clock. */
const note = (time: string, { age, askedAt = NOON }: { age?: string; askedAt?: number } = {}) =>
  noteServerTime(new Headers({ 'tessera-time': time, ...(age !== undefined && { age }) }), askedAt, NOON);

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
  note(header(NOON));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([-3, 3])('a browser that is %i hours off knows the time after one answer', async (hours) => {
  const heard = vi.fn();
  const stop = onClockChange(heard);
  vi.stubGlobal('fetch', async () => {
    return new Response('[]', { headers: { 'tessera-time': header(NOON - hours * HOUR_MS) } });
  });
  await call(currentUserEndpoints.organisations, {});
  expect(now()).toBe(NOON - hours * HOUR_MS);
  expect(toServerTime(NOON + 5)).toBe(NOON + 5 - hours * HOUR_MS);
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
});

test('a clock that is right is used as it is, whatever an answer takes, and again once it is set', () => {
  note(header(NOON - 9_000));
  noteServerTime(new Headers(), NOON, NOON);
  note('yesterday');
  expect(clockLead()).toBe(0);
  note(header(NOON + HOUR_MS));
  const lead = clockLead();
  note(header(NOON + HOUR_MS - 4_000));
  expect(clockLead()).toBe(lead);
  note(header(NOON));
  expect(clockLead()).toBe(0);
});

test('an answer that waited, in a cache or in a computer that slept, does not change the time', () => {
  note(header(NOON - HOUR_MS), { age: '3600' });
  note(header(NOON - HOUR_MS), { askedAt: NOON - HOUR_MS });
  expect(clockLead()).toBe(0);
  note(header(NOON - HOUR_MS), { askedAt: NOON - 9_000 });
  expect(clockLead()).toBe(-HOUR_MS);
});

test('the last hour is asked for by the server’s clock, though the first answer tells it', async () => {
  const search = readEventSearch(new URLSearchParams('range=1h'));
  const asked: (number | null | undefined)[] = [];
  const ask = async (at: number) => {
    asked.push(criteriaOf(search, at, null).timeFrom);
    note(header(NOON - 3 * HOUR_MS));
    return asked.length;
  };
  expect(await atServerTime(ask)).toBe(2);
  expect(asked).toEqual([NOON - HOUR_MS, NOON - 4 * HOUR_MS]);
  expect(await atServerTime(ask)).toBe(3);
});
