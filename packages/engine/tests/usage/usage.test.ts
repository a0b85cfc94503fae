import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALLOWANCE_SHARES } from '#contracts/console/api-keys';
import { dayOf, hourOf, monthOf, nextMonthOf } from '#engine/usage/calendar';
import { REPORTED_LEVELS, USAGE_LEVELS, usageLevelOf, usedPercentOf } from '#engine/usage/usage-level';
import { instant } from '../arbitraries.ts';

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
  const levels = [0, 79_999, 80_000, 99_999, 100_000, 250_000].map(
    (total) => usageLevelOf('build', total).level,
  );
  expect(levels).toEqual(['within', 'within', 'near', 'near', 'reached', 'reached']);
  expect(usageLevelOf('build', 25_000)).toMatchObject({
    allowance: 100_000,
    remaining: 75_000,
    share: 0.25,
  });
  expect(usageLevelOf('build', 250_000).remaining).toBe(0);
});

test('each reported level starts where the level changes', () => {
  for (const { level, calls } of USAGE_LEVELS) {
    expect(usageLevelOf('build', calls).level).toBe(level);
    expect(usageLevelOf('build', calls - 1).level).not.toBe(level);
  }
});

test('the grow plan has no allowance to use up', () => {
  expect(usageLevelOf('grow', 1e9)).toEqual({
    level: 'within',
    allowance: null,
    total: 1e9,
    remaining: null,
    share: null,
  });
});

test('each share that a public key can be capped at is reported where it is used up', () => {
  const reported = REPORTED_LEVELS.filter(({ level }) => level.startsWith('share-'));
  expect(reported.map(({ level }) => level)).toEqual(ALLOWANCE_SHARES.map((share) => `share-${share}`));
  for (const [index, { calls }] of reported.entries()) {
    expect(usedPercentOf('build', calls)).toBe(ALLOWANCE_SHARES[index]);
    expect(usedPercentOf('build', calls - 1)).toBe(ALLOWANCE_SHARES[index - 1] ?? 0);
  }
  expect(usedPercentOf('grow', 1e9)).toBe(0);
});
