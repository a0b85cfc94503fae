// How deployments, usage and prices are displayed.
import { describe, expect, test } from 'vitest';
import type { Environment } from '#contracts/console/environments';
import { WARNING_SHARE } from '../../packages/engine/usage/usage-level.ts';
import { additionalCost, formatPounds, formatThousands } from '../../web/domains/billing/format-price.ts';
import { displayLabel, displayOf } from '../../web/domains/environments/deployments/deployment-display.ts';
import {
  deploymentMessage,
  PATIENCE_MS,
  progressOf,
} from '../../web/domains/environments/deployments/deployment-progress.ts';
import { shownEnvironment } from '../../web/domains/environments/keys/shown-environment.ts';
import {
  callsOf,
  dailyTotals,
  daysInMonth,
  requestsRemaining,
  totalOf,
} from '../../web/domains/usage/sum-usage.ts';
import { usageNames, usageSeries } from '../../web/domains/usage/usage-series.ts';
import { counted, formatAge, formatNumber } from '../../web/ui/format.ts';
import { initialsOf } from '../../web/ui/labels/initials.ts';
import { meterLevel, NEAR_SHARE } from '../../web/ui/labels/meter.tsx';

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

describe('the progress of a deployment', () => {
  const region = (location: 'weur' | 'afr' | 'oc', isUpToDate: boolean, failedAt: number | null = null) => ({
    location,
    isUpToDate,
    failedAt,
  });
  const status = (...locations: ReturnType<typeof region>[]) => ({
    artifactId: 'art_2',
    deployInProgress: locations.some(({ isUpToDate }) => !isUpToDate),
    locations,
  });
  const deployment = {
    environmentId: 'env_1',
    environmentName: 'Production',
    version: { artifactId: 'art_2', artifactNumber: 2 },
    from: { artifactId: 'art_1', artifactNumber: 1 },
  };
  const messageOf = (
    given: ReturnType<typeof status>,
    elapsedMs: number,
    from = deployment.from as never,
  ) => {
    const progress = progressOf(given, 'art_2', elapsedMs);
    return progress.kind === 'superseded' ? null : deploymentMessage({ ...deployment, from }, progress);
  };

  test('counts the regions that confirmed it', () => {
    expect(messageOf(status(region('weur', true), region('afr', false), region('oc', false)), 0)).toEqual({
      title: 'Deploying version 2 to Production',
      description: '1 of 3 regions',
    });
    expect(messageOf(status(region('weur', true), region('afr', true), region('oc', true)), 0)).toEqual({
      title: 'v2 is live · 3 of 3 regions',
      description: 'Production moved from v1 to v2.',
    });
    expect(messageOf(status(region('weur', true)), 0, null as never)).toEqual({
      title: 'v2 is live · 1 of 1 region',
      description: 'Production runs v2.',
    });
    expect(
      messageOf(status(region('weur', false)), 0, { artifactId: 'art_3', artifactNumber: 3 } as never),
    ).toEqual({ title: 'Rolling back Production to version 2', description: '0 of 1 region' });
  });

  test('names a region that failed or takes too long', () => {
    const failed = status(region('weur', true), region('afr', false, 5), region('oc', true));
    expect(messageOf(failed, 0)).toEqual({
      title: 'v2 is live in 2 of 3 regions',
      description: 'Africa has not confirmed it yet and may still serve v1. Tessera keeps trying.',
    });
    const slow = status(region('weur', true), region('afr', false), region('oc', false));
    expect(messageOf(slow, PATIENCE_MS)?.description).toMatch(
      /^Africa and Oceania have not confirmed it yet/,
    );
  });

  test('ends when another version is deployed, and when the environment is deleted', () => {
    expect(progressOf({ ...status(region('weur', true)), artifactId: 'art_3' }, 'art_2', 0).kind).toBe(
      'superseded',
    );
    expect(progressOf(undefined, 'art_2', 0).kind).toBe('superseded');
  });
});

test('the card of API keys shows the chosen environment until it is deleted, otherwise the live one', () => {
  const all = [
    { id: 'preview', type: 'preview' },
    { id: 'live', type: 'live' },
    { id: 'test', type: 'test' },
  ] as Environment[];
  expect(shownEnvironment(all)?.id).toBe('live');
  expect(shownEnvironment(all, 'test')?.id).toBe('test');
  expect(shownEnvironment(all.slice(0, 2), 'test')?.id).toBe('live');
  expect(shownEnvironment(all.slice(0, 1), 'test')?.id).toBe('preview');
  expect(shownEnvironment([], 'test')).toBeUndefined();
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
  test('has as many calls as access checks and counter updates: a Stripe event is none', () => {
    const one = { environment: 'env_1', periodStartAt: 0, total: 1 };
    expect(
      callsOf([
        { ...one, type: 'ac' },
        { ...one, type: 'cu' },
        { ...one, type: 'se' },
      ]),
    ).toBe(2);
  });
  test('is taken off the limit, never below nothing, and only where there is one', () => {
    expect(requestsRemaining(items, 100)).toBe(81);
    expect(requestsRemaining(items, 10)).toBe(0);
    expect(requestsRemaining(items, null)).toBeNull();
  });
  test('has a total for every day of the month so far', () => {
    const calls = items.filter(({ type }) => type === 'ac');
    expect(dailyTotals(calls, Date.UTC(2026, 10, 3, 12)).map(({ total }) => total)).toEqual([12, 0, 1]);
  });
  test('is split into series that add up to all of it, by kind and by environment', () => {
    const nameOf = usageNames([{ id: 'env_1', name: 'Production' }]);
    const byKind = usageSeries(items, 'kind', nameOf, day(3));
    expect(byKind.map(({ label, total }) => [label, total])).toEqual([
      ['API requests', 13],
      ['Counter updates', 4],
      ['Third-party events', 2],
    ]);
    expect(usageSeries([], 'kind', nameOf, day(3)).map(({ key }) => key)).toEqual(['ac']);
    const byEnvironment = usageSeries([...items, item('ac', 2, 0, 'env_3')], 'environment', nameOf, day(3));
    expect(byEnvironment.map(({ label, total }) => [label, total])).toEqual([
      ['Production', 12],
      ['Deleted environment', 7],
    ]);
    expect(byEnvironment[0]?.days.map(({ total }) => total)).toEqual([5, 4, 3]);
  });
  test('of many environments joins the least used', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', '__proto__'].map((id, index) =>
      item('ac', 1, 10 - index, id),
    );
    const series = usageSeries(many, 'environment', (id) => id, day(1));
    expect(series.map(({ label, total }) => [label, total])).toEqual([
      ['a', 10],
      ['b', 9],
      ['c', 8],
      ['d', 7],
      ['3 other environments', 15],
    ]);
    expect(new Set(series.map(({ colour }) => colour)).size).toBe(5);
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
  expect([0, 1, 1000].map((count) => counted(count, 'change'))).toEqual([
    '0 changes',
    '1 change',
    '1,000 changes',
  ]);
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
