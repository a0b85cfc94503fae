// Usage buckets: when they may be merged, how exact readings are, and that the order of merges does not matter.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MINUTE_MS } from '#engine/durations';
import { type Bucket, BucketSeries } from '#engine/metering/bucket-series';
import { bucketEnd, minuteOf, trailingWidth } from '#engine/metering/bucket-widths';
import { leavesWindowAt } from '#engine/metering/leaves-window-at';
import { readWindow } from '#engine/metering/read-window';
import { type MeterPeriod, windowOf } from '#engine/metering/window-of';
import { instant } from '../arbitraries.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

const periodLength = fc.constantFrom('hour' as const, 'day' as const, 'month' as const);
/** Counts around which the resolution changes, among all others. */
const periodCount = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.constantFrom(1, 2, 3, 4, 11, 12, 59, 60, 61, 62),
);
const trailing = fc.record({ periodType: fc.constant('fixed' as const), periodCount, periodLength });
const recurring = fc.record({ periodType: fc.constant('rolling' as const), periodCount, periodLength });
const anyPeriod: fc.Arbitrary<MeterPeriod> = fc.oneof(
  trailing,
  recurring,
  fc.constant({ periodType: 'lifetime' as const }),
);

/** Gaps between uses, in minutes: short, so that a premature merge changes a reading. */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * DAY }) },
);
const uses = fc.tuple(
  fc.integer({ min: minuteOf(Date.UTC(2019, 0, 1)), max: minuteOf(Date.UTC(2026, 0, 1)) }),
  fc.array(fc.tuple(gap, fc.integer({ min: -3, max: 5 })), { minLength: 1, maxLength: 120 }),
);

interface Use {
  readonly minute: number;
  readonly amount: number;
}

function usesOf([start, gaps]: readonly [number, readonly (readonly [number, number])[]]): Use[] {
  let minute = start;
  return gaps.map(([wait, amount]) => {
    minute += wait;
    return { minute, amount };
  });
}

function seriesOf(list: readonly Use[]): BucketSeries {
  const series = new BucketSeries();
  for (const { minute, amount } of list) series.add(minute, amount);
  return series;
}

describe('merging buckets', () => {
  it('changes no reading of any window, from the time of the merge on', () => {
    fc.assert(
      fc.property(
        uses,
        gap,
        gap,
        fc.array(anyPeriod, { minLength: 8, maxLength: 8 }),
        (given, wait, later, meters) => {
          const list = usesOf(given);
          const mergedAt = list.at(-1)!.minute + wait;
          const merged = seriesOf(list);
          merged.compact(mergedAt);
          const whole = seriesOf(list);
          const now = (mergedAt + later) * MINUTE_MS;
          for (const meter of meters) {
            expect(readWindow(meter, now, [merged]), JSON.stringify(meter)).toEqual(
              readWindow(meter, now, [whole]),
            );
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("changes no reading of windows that end at an old bucket's boundary", () => {
    fc.assert(
      fc.property(trailing, instant, fc.integer({ min: -90, max: 90 }), (meter, now, offset) => {
        const edge = minuteOf(windowOf(meter, now).startsAt) + offset;
        fc.pre(edge > 0 && edge + 130 < minuteOf(now));
        const list = [0, 1, 3, 10, 59, 60, 61, 130].map((minutes) => ({ minute: edge + minutes, amount: 1 }));
        const merged = seriesOf(list);
        merged.compact(minuteOf(now));
        expect(readWindow(meter, now, [merged])).toEqual(readWindow(meter, now, [seriesOf(list)]));
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps few buckets for years of usage, without losing any', () => {
    const series = new BucketSeries();
    let minute = minuteOf(Date.UTC(2012, 1, 29));
    let count = 0;
    let most = 0;
    for (const end = minuteOf(Date.UTC(2026, 0, 1)); minute < end; minute += 17) {
      if (series.add(minute, 1)) series.tidy(minute);
      series.takeChanges(() => 1);
      count += 1;
      most = Math.max(most, series.size);
    }
    expect(series.total).toBe(count);
    expect(most).toBeLessThan(5000);
  });

  it('reports the removed buckets, so that storage matches memory', () => {
    fc.assert(
      fc.property(uses, (given) => {
        const stored = new Map<number, Bucket>();
        const series = new BucketSeries();
        for (const { minute, amount } of usesOf(given)) {
          if (series.add(minute, amount)) series.compact(minute);
          const { buckets, removed } = series.takeChanges(() => 1);
          for (const start of removed) stored.delete(start);
          for (const bucket of buckets) stored.set(bucket.start, bucket);
        }
        const inOrder = [...stored.values()].sort((one, other) => one.start - other.start);
        expect(inOrder).toEqual([...series.since(0)]);
      }),
    );
  });
});

describe('a trailing window', () => {
  it('counts every use in it, and none that left it more than a sixtieth of its length ago', () => {
    fc.assert(
      fc.property(uses, trailing, gap, (given, meter, later) => {
        const list = usesOf(given).map(({ minute, amount }) => ({ minute, amount: Math.abs(amount) }));
        const now = (list.at(-1)!.minute + later) * MINUTE_MS;
        const { startsAt } = windowOf(meter, now);
        const resolution = Math.max(MINUTE_MS, (now - startsAt) / 60);
        const since = (from: number) =>
          list
            .filter(({ minute }) => minute * MINUTE_MS >= from)
            .reduce((sum, { amount }) => sum + amount, 0);
        const { used } = readWindow(meter, now, [seriesOf(list)]);
        expect(used).toBeGreaterThanOrEqual(since(startsAt));
        expect(used).toBeLessThanOrEqual(since(startsAt - resolution));
      }),
      { numRuns: 2000 },
    );
  });

  it('excludes a use from the first instant at which the window starts after it', () => {
    fc.assert(
      fc.property(trailing, instant, (meter, end) => {
        const leavesAt = leavesWindowAt(meter, end + 1);
        expect(windowOf(meter, leavesAt).startsAt).toBeGreaterThanOrEqual(end + 1);
        expect(windowOf(meter, leavesAt - 1).startsAt).toBeLessThan(end + 1);
      }),
      { numRuns: 3000 },
    );
  });

  it('has less usage from the instant that it reports, and not before', () => {
    fc.assert(
      fc.property(uses, trailing, (given, meter) => {
        const list = usesOf(given).map(({ minute, amount }) => ({ minute, amount: Math.abs(amount) }));
        const now = list.at(-1)!.minute * MINUTE_MS;
        const series = [seriesOf(list)];
        const { used, resetsAt } = readWindow(meter, now, series);
        expect(resetsAt === null).toBe(used === 0);
        if (resetsAt === null) return;
        expect(resetsAt).toBeGreaterThan(now);
        expect(readWindow(meter, resetsAt - 1, series).used).toBe(used);
        expect(readWindow(meter, resetsAt, series).used).toBeLessThan(used);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [1, 'month', '2024-02-29T10:30:00Z', '2024-03-29T11:00:00.000Z'],
    [1, 'month', '2025-01-31T10:30:00Z', '2025-03-01T00:00:00.000Z'],
    [1, 'month', '2024-01-31T10:30:00Z', '2024-03-01T00:00:00.000Z'],
    [1, 'month', '2025-12-31T23:30:00Z', '2026-02-01T00:00:00.000Z'],
    [12, 'month', '2024-02-29T10:30:00Z', '2025-03-01T00:00:00.000Z'],
    [30, 'day', '2024-02-29T10:30:00Z', '2024-03-30T11:00:00.000Z'],
    [1, 'hour', '2024-12-31T23:59:30Z', '2025-01-01T01:00:00.000Z'],
  ] as const)('of %i %s: what is used at %s leaves at %s', (periodCount, length, usedAt, leavesAt) => {
    const meter = { periodType: 'fixed', periodCount, periodLength: length } as const;
    const series = [seriesOf([{ minute: minuteOf(Date.parse(usedAt)), amount: 1 }])];
    const { resetsAt } = readWindow(meter, Date.parse(usedAt), series);
    expect(new Date(resetsAt!).toISOString()).toBe(leavesAt);
  });

  test('of two months is read to the hour, since it may be 59 days; of three to the day', () => {
    const widthOf = (count: number) =>
      trailingWidth({ periodType: 'fixed', periodCount: count, periodLength: 'month' });
    expect(bucketEnd(widthOf(2), 0)).toBe(HOUR);
    expect(bucketEnd(widthOf(3), 0)).toBe(DAY);
  });
});

describe('a recurring window', () => {
  it('leaves usage that a fast clock counted in the next window to that window', () => {
    const meter = { periodType: 'rolling', periodCount: 1, periodLength: 'month' } as const;
    const midnight = Date.UTC(2024, 2, 1);
    const series = [
      seriesOf([
        { minute: minuteOf(midnight) - 1, amount: 2 },
        { minute: minuteOf(midnight), amount: 3 },
      ]),
    ];
    expect(readWindow(meter, midnight - 1, series)).toEqual({ used: 2, resetsAt: midnight });
    expect(readWindow(meter, midnight, series)).toEqual({ used: 3, resetsAt: Date.UTC(2024, 3, 1) });
  });
});

describe('buckets of another origin', () => {
  it('merge to the same result in any order and with repetitions', () => {
    fc.assert(
      fc.property(uses, fc.infiniteStream(fc.nat()), (given, dice) => {
        const origin = new BucketSeries();
        const sent: Bucket[] = [];
        let version = 0;
        for (const { minute, amount } of usesOf(given)) {
          if (origin.add(minute, amount)) origin.compact(minute);
          sent.push(
            ...origin.takeChanges(() => {
              version += 1;
              return version;
            }).buckets,
          );
        }
        const other = new BucketSeries();
        for (const bucket of [...sent, ...sent].sort(() => (dice.next().value % 2) - 0.5)) other.put(bucket);
        const plain = (series: BucketSeries) => [...series.since(0)];
        expect(plain(other)).toEqual(plain(origin));
      }),
    );
  });
});
