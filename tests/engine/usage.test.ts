import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, hourOf, monthOf, nextMonthOf } from '#engine/usage/calendar';
import { USAGE_LEVELS, usageStanding } from '#engine/usage/usage-standing';
import { instant } from './arbitraries';

test('an instant lies in its hour, day and month, which start as UTC says', () => {
  fc.assert(
    fc.property(instant, (at) => {
      const text = new Date(at).toISOString();
      expect(new Date(hourOf(at)).toISOString()).toBe(`${text.slice(0, 13)}:00:00.000Z`);
      expect(new Date(dayOf(at)).toISOString()).toBe(`${text.slice(0, 10)}T00:00:00.000Z`);
      expect(new Date(monthOf(at)).toISOString()).toBe(`${text.slice(0, 7)}-01T00:00:00.000Z`);
      expect(nextMonthOf(at)).toBeGreaterThan(at);
      expect(monthOf(nextMonthOf(at))).toBe(nextMonthOf(at));
      expect(nextMonthOf(nextMonthOf(at) - 1)).toBe(nextMonthOf(at));
    }),
  );
});

test('the build plan is warned from 80,000 calls on and has used up its allowance at 100,000', () => {
  const standings = [0, 79_999, 80_000, 99_999, 100_000, 250_000].map(
    (total) => usageStanding('build', total).standing,
  );
  expect(standings).toEqual(['within', 'within', 'near', 'near', 'reached', 'reached']);
  expect(usageStanding('build', 25_000)).toMatchObject({
    allowance: 100_000,
    remaining: 75_000,
    share: 0.25,
  });
  expect(usageStanding('build', 250_000).remaining).toBe(0);
});

test('each level that is told of is where the standing changes', () => {
  for (const { level, calls } of USAGE_LEVELS) {
    expect(usageStanding('build', calls).standing).toBe(level);
    expect(usageStanding('build', calls - 1).standing).not.toBe(level);
  }
});

test('the grow plan has no allowance to use up', () => {
  expect(usageStanding('grow', 1e9)).toEqual({
    standing: 'within',
    allowance: null,
    total: 1e9,
    remaining: null,
    share: null,
  });
});
