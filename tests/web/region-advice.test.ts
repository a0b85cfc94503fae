// What the Metrics tab says about regions and reasons.
import { describe, expect, test } from 'vitest';
import { eventMetricsSchema } from '#contracts/console/event-metrics';
import { LOCATIONS } from '#contracts/public/locations';
import { completeMetrics } from '../../web/domains/metrics/complete-metrics.ts';
import { countedSince, earlierRule } from '../../web/domains/metrics/counted-since.ts';
import { regionAdvice, servedFromLabel } from '../../web/domains/metrics/region-advice.ts';

const asia = { continent: 'AS', location: 'enam', count: 310 } as const;
const europe = { continent: 'EU', location: 'weur', count: 690 } as const;

describe('advice on regions', () => {
  test('names the region to enable where many calls are served from afar', () => {
    expect(regionAdvice([europe, asia], ['weur', 'enam'])).toEqual([
      {
        text: '31% of calls come from Asia and are served from Eastern North America: enable Asia-Pacific.',
        enable: 'apac',
      },
    ]);
  });

  test('is not given for few calls, for a region that is enabled, or without calls', () => {
    expect(regionAdvice([europe, { ...asia, count: 30 }], ['weur', 'enam'])).toEqual([]);
    expect(regionAdvice([europe, asia], LOCATIONS)).toEqual([]);
    expect(regionAdvice([], ['weur'])).toEqual([]);
    expect(regionAdvice([{ ...asia, continent: 'T1' }], ['enam'])).toEqual([]);
  });

  test('says from where a region is served in which the platform creates no objects', () => {
    const [advice] = regionAdvice([europe, { ...asia, continent: 'SA' }], ['weur', 'enam']);
    expect(advice).toEqual({
      text: '31% of calls come from South America and are served from Eastern North America. Data of South America is kept in Eastern North America, so enabling it changes little.',
      enable: null,
    });
    expect(servedFromLabel('sam')).toBe('South America (kept in Eastern North America)');
    expect(servedFromLabel('me')).toBe('Middle East (kept in a nearby region)');
    expect(servedFromLabel('weur')).toBe('Western Europe');
  });
});

test('an answer of an earlier release is whole, without the latest figures', () => {
  const outcomes = { allowed: 1, denied: 0, warning: 0, error: 0 };
  const bucket = {
    at: 1,
    types: { ac: outcomes, cu: outcomes, se: outcomes },
    latency: null,
    latencyBins: [],
  };
  const former = {
    from: 1,
    to: 2,
    bucketMs: 1,
    latency: null,
    answered: 0,
    totals: { ...outcomes, total: 1 },
    plans: [],
    countries: [],
    locations: [],
    warnings: [],
    customers: [],
    nearLimit: [],
    buckets: [bucket],
    features: [{ slug: 'exports', allowed: 1, denied: 2 }],
  };
  expect(completeMetrics(former)).toEqual(eventMetricsSchema.parse(former));
});

test('figures say from when they are counted, unless that is the whole range', () => {
  expect(countedSince({ from: 10, reasonsFrom: null })).toBe('');
  expect(countedSince({ from: 10, reasonsFrom: 10 })).toBe('');
  expect(countedSince({ from: 10, reasonsFrom: new Date(2026, 10, 26, 17, 40).getTime() })).toMatch(
    /^Counted since 26 November 2026 at 17:40:00 UTC\.$/,
  );
  expect(earlierRule({ from: 10, reasonsFrom: 9 })).toBe('');
  expect(earlierRule({ from: 10, reasonsFrom: 11 })).toMatch(
    /^Before .+, a value that is off counted as denied\.$/,
  );
});
