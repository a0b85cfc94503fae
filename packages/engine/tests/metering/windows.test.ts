import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { windowOf } from '#engine/metering/window-of';
import { instant, periodLength } from '../arbitraries.ts';

const recurring = fc.record({
  periodType: fc.constant('rolling' as const),
  periodCount: fc.integer({ min: 1, max: 40 }),
  periodLength,
});
const trailing = fc.record({
  periodType: fc.constant('fixed' as const),
  periodCount: fc.integer({ min: 1, max: 40 }),
  periodLength,
});

describe('recurring windows', () => {
  it('contain now, and end when the next one starts', () => {
    fc.assert(
      fc.property(recurring, instant, (meter, now) => {
        const { startsAt, resetsAt } = windowOf(meter, now);
        expect(startsAt).toBeLessThanOrEqual(now);
        expect(resetsAt).toBeGreaterThan(now);
        expect(windowOf(meter, startsAt)).toEqual({ startsAt, resetsAt });
        expect(windowOf(meter, resetsAt! - 1)).toEqual({ startsAt, resetsAt });
        expect(windowOf(meter, resetsAt!).startsAt).toBe(resetsAt);
        expect(windowOf(meter, startsAt - 1).resetsAt).toBe(startsAt);
      }),
      { numRuns: 1000 },
    );
  });

  it('of months start on the first of a month at midnight, of days at midnight, of hours on the hour', () => {
    fc.assert(
      fc.property(recurring, instant, (meter, now) => {
        const start = new Date(windowOf(meter, now).startsAt).toISOString();
        const form = { hour: /:00:00\.000Z$/, day: /T00:00:00\.000Z$/, month: /-01T00:00:00\.000Z$/ };
        expect(start).toMatch(form[meter.periodLength]);
      }),
    );
  });

  test.each([
    [1, 'month', '2024-02-29T23:59:59.999Z', '2024-02-01', '2024-03-01'],
    [1, 'month', '2025-02-28T12:00:00.000Z', '2025-02-01', '2025-03-01'],
    [1, 'month', '2024-12-31T23:59:59.999Z', '2024-12-01', '2025-01-01'],
    [1, 'month', '2025-01-01T00:00:00.000Z', '2025-01-01', '2025-02-01'],
    [3, 'month', '2025-05-15T00:00:00.000Z', '2025-04-01', '2025-07-01'],
    [12, 'month', '2025-12-31T23:59:59.999Z', '2025-01-01', '2026-01-01'],
    [5, 'month', '1970-06-01T00:00:00.000Z', '1970-06-01', '1970-11-01'],
    [1, 'day', '2024-02-29T10:00:00.000Z', '2024-02-29', '2024-03-01'],
    [7, 'day', '1970-01-08T00:00:00.000Z', '1970-01-08', '1970-01-15'],
    [6, 'hour', '2025-03-30T13:00:00.000Z', '2025-03-30T12:00:00Z', '2025-03-30T18:00:00Z'],
  ] as const)('every %i %s: %s lies in %s to %s', (periodCount, length, now, startsAt, resetsAt) => {
    expect(windowOf({ periodType: 'rolling', periodCount, periodLength: length }, Date.parse(now))).toEqual({
      startsAt: Date.parse(startsAt),
      resetsAt: Date.parse(resetsAt),
    });
  });

  it('treat a missing or zero count as one', () => {
    const one = windowOf({ periodType: 'rolling', periodCount: 1, periodLength: 'day' }, 1e12);
    expect(windowOf({ periodType: 'rolling', periodLength: 'day' }, 1e12)).toEqual(one);
    expect(windowOf({ periodType: 'rolling', periodCount: 0, periodLength: 'day' }, 1e12)).toEqual(one);
  });
});

describe('trailing windows', () => {
  it('start before now, never move backwards, and have no common reset', () => {
    fc.assert(
      fc.property(trailing, instant, fc.nat(100_000_000), (meter, now, later) => {
        const { startsAt, resetsAt } = windowOf(meter, now);
        expect(startsAt).toBeLessThan(now);
        expect(resetsAt).toBeNull();
        expect(windowOf(meter, now + later).startsAt).toBeGreaterThanOrEqual(startsAt);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    [1, 'month', '2025-03-31T10:30:00.500Z', '2025-03-01T00:00:00.000Z'],
    [1, 'month', '2024-03-30T10:30:00.000Z', '2024-03-01T00:00:00.000Z'],
    [1, 'month', '2025-03-28T23:59:59.999Z', '2025-02-28T23:59:59.999Z'],
    [1, 'month', '2025-03-28T00:00:00.000Z', '2025-02-28T00:00:00.000Z'],
    [1, 'month', '2025-01-31T00:00:00.000Z', '2024-12-31T00:00:00.000Z'],
    [12, 'month', '2024-02-29T08:00:00.000Z', '2023-03-01T00:00:00.000Z'],
    [14, 'month', '2025-01-15T08:00:00.000Z', '2023-11-15T08:00:00.000Z'],
    [3, 'month', '2025-05-31T00:00:00.000Z', '2025-03-01T00:00:00.000Z'],
    [30, 'day', '2025-03-15T01:02:03.004Z', '2025-02-13T01:02:03.004Z'],
    [24, 'hour', '2025-01-01T05:00:00.000Z', '2024-12-31T05:00:00.000Z'],
  ] as const)('in the last %i %s before %s starts at %s', (periodCount, length, now, startsAt) => {
    const window = windowOf({ periodType: 'fixed', periodCount, periodLength: length }, Date.parse(now));
    expect(new Date(window.startsAt).toISOString()).toBe(startsAt);
  });
});

test('a lifetime starts with the epoch and never resets', () => {
  expect(windowOf({ periodType: 'lifetime' }, 1e12)).toEqual({ startsAt: 0, resetsAt: null });
});
