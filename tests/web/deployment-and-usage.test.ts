// How deployments, usage and prices are displayed.
import { describe, expect, test } from 'vitest';
import { additionalCost, formatPounds, formatThousands } from '../../web/domains/billing/format-price.ts';
import { displayLabel, displayOf } from '../../web/domains/environments/deployments/deployment-display.ts';
import {
  dailyTotals,
  daysInMonth,
  requestsRemaining,
  totalOf,
  typesIn,
  usageByEnvironment,
} from '../../web/domains/usage/sum-usage.ts';
import { formatAge, formatNumber } from '../../web/ui/format.ts';
import { initialsOf } from '../../web/ui/initials.ts';
import { meterLevel, NEAR_SHARE } from '../../web/ui/meter.tsx';
import { WARNING_SHARE } from '../../worker/engine/usage/usage-level.ts';

describe('the state of a deployment', () => {
  const deployed = {
    artifactId: 'art_1',
    environmentType: 'preview',
    isHead: true,
    deployInProgress: false,
  } as const;
  test.each([
    ['nothing deployed', { artifactId: null, deployInProgress: true }, 'empty'],
    ['preview at head', {}, 'deployed'],
    ['preview behind', { isHead: false }, 'deploying'],
    ['a deploy in progress', { deployInProgress: true }, 'deploying'],
    ['another environment behind', { environmentType: 'deployable', isHead: false }, 'deployed'],
  ] as const)('%s', (_name, given, expected) => {
    expect(displayOf({ ...deployed, ...given })).toBe(expected);
  });

  test('every state has a label', () => {
    expect(displayLabel('Preview', 'empty')).toBe('Preview environment is un-deployed');
    expect(displayLabel('Preview', 'deploying')).toBe('Preview environment is updating');
    expect(displayLabel('Preview', 'deployed')).toBe('Preview environment is deployed');
  });
});

describe('usage', () => {
  const day = (date: number) => Date.UTC(2026, 10, date);
  const item = (type: 'ac' | 'cu' | 'se', date: number, total: number, environment = 'env_1') => ({
    type,
    environment,
    total,
    periodStartAt: day(date),
  });
  const items = [
    item('ac', 1, 5),
    item('ac', 1, 7, 'env_2'),
    item('ac', 3, 1),
    item('se', 3, 2),
    item('cu', 2, 4),
  ];

  test('is summed by type and over all types', () => {
    expect(totalOf(items, 'ac')).toBe(13);
    expect(totalOf(items)).toBe(19);
  });
  test('is taken off the limit, never below nothing, and only where there is one', () => {
    expect(requestsRemaining(items, 100)).toBe(81);
    expect(requestsRemaining(items, 10)).toBe(0);
    expect(requestsRemaining(items, null)).toBeNull();
  });
  test('has a total for every day of the month so far', () => {
    expect(dailyTotals(items, 'ac', Date.UTC(2026, 10, 3, 12)).map(({ total }) => total)).toEqual([12, 0, 1]);
  });
  test('is grouped per environment, the busiest first, with every day of each', () => {
    const usage = usageByEnvironment([...items, item('ac', 2, 0, 'env_3')], 'ac', day(3));
    expect(usage.map(({ environmentId, total }) => [environmentId, total])).toEqual([
      ['env_2', 7],
      ['env_1', 6],
    ]);
    expect(usage[1]?.days.map(({ total }) => total)).toEqual([5, 0, 1]);
  });
  test('keeps environments apart whatever they are called', () => {
    const usage = usageByEnvironment(
      [item('ac', 1, 1, '__proto__'), item('ac', 1, 2, 'constructor')],
      'ac',
      day(1),
    );
    expect(usage.map(({ environmentId }) => environmentId)).toEqual(['constructor', '__proto__']);
  });
  test('shows the kinds that occur, and API requests always', () => {
    expect(typesIn([])).toEqual(['ac']);
    expect(typesIn(items)).toEqual(['ac', 'se', 'cu']);
  });
  test('is near its limit from four fifths on, and reached at all of it', () => {
    expect([0, 79, 80, 99, 100, 200].map((used) => meterLevel(used, 100))).toEqual([
      'within',
      'within',
      'near',
      'near',
      'reached',
      'reached',
    ]);
    expect(meterLevel(0, 0)).toBe('reached');
    expect(NEAR_SHARE).toBe(WARNING_SHARE);
  });
  test('knows how long a month is', () => {
    expect([day(3), Date.UTC(2028, 1, 29), Date.UTC(2026, 11, 31, 23)].map(daysInMonth)).toEqual([
      30, 29, 31,
    ]);
  });
});

test('numbers are grouped by commas', () => {
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(formatNumber(0.5)).toBe('0.5');
});

test('ages use the largest whole unit', () => {
  expect(formatAge(0, 30_000)).toBe('just now');
  expect(formatAge(0, 90_000)).toBe('1 minute ago');
  expect(formatAge(0, 7_200_000)).toBe('2 hours ago');
  expect(formatAge(0, 86_400_000)).toBe('yesterday');
});

test('initials come from the first and the last word', () => {
  expect(initialsOf('Ada King Lovelace')).toBe('AL');
  expect(initialsOf('  ada ')).toBe('A');
  expect(initialsOf('')).toBe('');
});

test('prices are in pounds, with pence only where there are any', () => {
  expect([formatPounds(1_800), formatPounds(20), formatPounds(2_269), formatPounds(0)]).toEqual([
    '£18',
    '£0.20',
    '£22.69',
    '£0',
  ]);
  expect([formatThousands(100_000), formatThousands(10_000)]).toEqual(['100k', '10k']);
});

test('the first 100,000 calls are free, and each 10,000 more cost 20 pence', () => {
  expect([0, 100_000, 110_000, 1_100_000].map(additionalCost)).toEqual([0, 0, 20, 2_000]);
  expect(additionalCost(102_500)).toBe(5);
});
