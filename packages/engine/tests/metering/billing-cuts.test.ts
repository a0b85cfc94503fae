// Cuts: whenever and in whichever order buckets are merged and replicated, a billing window reads the plain sum of its minutes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { usageToGiveBack } from '#engine/ledger/usage-to-give-back';
import { cutsOf } from '#engine/metering/billing-cuts';
import { anniversaryOf, billingWindow } from '#engine/metering/billing-window';
import { type Bucket, BucketSeries } from '#engine/metering/bucket-series';
import { bucketEnd, minuteOf } from '#engine/metering/bucket-widths';
import { reachOf, readWindow } from '#engine/metering/read-window';

const DAY = 24 * 60;
const FIRST = Date.UTC(2019, 0, 1);

/** Gaps between uses, in minutes: most are short, so that a merge across a cut changes a reading. */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 * 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 * DAY }) },
);
const anchor = fc.integer({ min: FIRST, max: FIRST + 3 * 365 * DAY_MS });
const anchors = fc.array(anchor, { minLength: 1, maxLength: 3 });
const steps = fc.array(
  fc.record({
    wait: gap,
    amount: fc.integer({ min: 1, max: 5 }),
    isCompacted: fc.boolean(),
    nearest: fc.boolean(),
  }),
  { minLength: 1, maxLength: 120 },
);

interface Use {
  readonly minute: number;
  readonly amount: number;
  readonly isCompacted: boolean;
}

/** Some uses are around an anniversary, where a wrong merge shows. */
function usesOf(
  given: readonly { wait: number; amount: number; isCompacted: boolean; nearest: boolean }[],
  first: number,
): Use[] {
  let minute = minuteOf(first);
  return given.map(({ wait, amount, isCompacted, nearest }) => {
    minute += wait;
    if (nearest) {
      const edge = minuteOf(billingWindow(first, 1, minute * MINUTE_MS).resetsAt) - 15 + (wait % 30);
      if (edge - minute < 3 * DAY) minute = Math.max(minute, edge);
    }
    return { minute, amount, isCompacted };
  });
}

const plainSum = (uses: readonly Use[], from: number, to: number) =>
  uses.reduce((sum, { minute, amount }) => (minute >= from && minute < to ? sum + amount : sum), 0);

/** Reads each anchor's windows of any length, at an instant and later. */
function expectPlain(
  series: BucketSeries,
  uses: readonly Use[],
  given: readonly number[],
  now: number,
): void {
  for (const anchorAt of given) {
    for (const periodCount of [1, 2, 5, 12]) {
      for (const ahead of [0, HOUR_MS, 3 * DAY_MS, 40 * DAY_MS, 200 * DAY_MS]) {
        const meter = { periodType: 'billing', periodCount, periodLength: 'month', anchorAt } as const;
        const { startsAt, resetsAt } = billingWindow(anchorAt, periodCount, now + ahead);
        expect(readWindow(meter, now + ahead, [series])).toEqual({
          used: plainSum(uses, minuteOf(startsAt), minuteOf(resetsAt)),
          resetsAt,
        });
      }
    }
  }
}

describe('usage in any billing window', () => {
  it('is the plain sum, however often buckets were merged meanwhile', () => {
    fc.assert(
      fc.property(anchors, steps, (given, list) => {
        const uses = usesOf(list, given[0]!);
        const series = new BucketSeries();
        for (const [index, { minute, amount, isCompacted }] of uses.entries()) {
          series.add(minute, amount);
          if (!isCompacted) continue;
          series.compact(minute, cutsOf(given, minute));
          expectPlain(series, uses.slice(0, index + 1), given, minute * MINUTE_MS);
        }
        series.compact(series.newest, cutsOf(given, series.newest));
        expectPlain(series, uses, given, series.newest * MINUTE_MS);
      }),
      { numRuns: 150 },
    );
  });

  it('is the same in another location, whatever the order and repetition of what arrives', () => {
    fc.assert(
      fc.property(anchors, steps, fc.infiniteStream(fc.nat()), (given, list, dice) => {
        const uses = usesOf(list, given[0]!);
        const own = new BucketSeries();
        const sent: Bucket[] = [];
        let version = 0;
        const next = () => {
          version += 1;
          return version;
        };
        for (const { minute, amount } of uses) {
          if (own.add(minute, amount)) own.tidy(minute, (now) => cutsOf(given, now));
          sent.push(...own.takeChanges(next).buckets);
        }
        const other = new BucketSeries();
        for (const bucket of [...sent, ...sent].sort(() => (dice.next().value % 2) - 0.5)) other.put(bucket);
        expect([...other.since(0)]).toEqual([...own.since(0)]);
        expectPlain(other, uses, given, own.newest * MINUTE_MS);
      }),
      { numRuns: 200 },
    );
  });

  it('is what can be given back, of all locations together', () => {
    fc.assert(
      fc.property(anchors, steps, fc.nat(), (given, list, split) => {
        const uses = usesOf(list, given[0]!);
        const series = [new BucketSeries(), new BucketSeries()];
        for (const [index, { minute, amount }] of uses.entries()) {
          const each = series[(index * (split % 7)) % 2]!;
          if (each.add(minute, amount)) each.tidy(minute, (now) => cutsOf(given, now));
        }
        const now = Math.max(...series.map(({ newest }) => newest)) * MINUTE_MS;
        for (const anchorAt of given) {
          const meter = { periodType: 'billing', periodCount: 1, periodLength: 'month', anchorAt } as const;
          const { used } = readWindow(meter, now, series);
          const shares = usageToGiveBack(series, reachOf(meter, now), Number.MAX_SAFE_INTEGER);
          expect(shares.reduce((sum, { amount }) => sum + amount, 0)).toBe(used);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('cuts', () => {
  it('are the anniversaries of 13 months and the next, and lie between minutes', () => {
    fc.assert(
      fc.property(anchors, anchor, (given, at) => {
        const now = minuteOf(at);
        const isCut = cutsOf(given, now);
        for (const each of given) {
          const { startsAt } = billingWindow(each, 1, now * MINUTE_MS);
          for (let months = -12; months <= 1; months++) {
            const minute = minuteOf(anniversaryOf(each, monthsAfter(each, startsAt, months)));
            expect(isCut(minute - 1, minute + 1)).toBe(true);
          }
        }
        const alone = cutsOf(given.slice(0, 1), now);
        const minute = minuteOf(billingWindow(given[0]!, 1, now * MINUTE_MS).startsAt);
        expect([
          alone(minute, minute + 60),
          alone(minute - 60, minute),
          alone(minute - 60, minute + 1),
        ]).toEqual([false, false, true]);
      }),
    );
  });

  it('cost a meter some buckets for a year, which are merged once no window can reach them', () => {
    const at = Date.parse('2020-01-31T14:37:00Z');
    const counted = (cutsAt?: (now: number) => ReturnType<typeof cutsOf>) => {
      const series = new BucketSeries();
      for (let minute = minuteOf(at); minute < minuteOf(at) + 900 * DAY; minute += 7)
        if (series.add(minute, 1)) series.tidy(minute, cutsAt);
      series.compact(series.newest, cutsAt?.(series.newest));
      return series;
    };
    const [plain, cut] = [counted(), counted((now) => cutsOf([at], now))];
    expect(cut.total).toBe(plain.total);
    expect(cut.size - plain.size).toBeGreaterThan(0);
    expect(cut.size - plain.size).toBeLessThan(14 * 40);
    const old = minuteOf(at) + 400 * DAY;
    expect([...cut.before(old)]).toEqual([...plain.before(old)]);
    for (const { start, width } of cut.since(cut.newest - 380 * DAY)) {
      expect(cutsOf([at], cut.newest)(start, bucketEnd(width, start))).toBe(false);
    }
  });
});

describe('a customer’s meters', () => {
  const minutes = (from: number, days: number) =>
    Array.from({ length: days * 48 }, (_, index) => from + index * 30 * MINUTE_MS);
  const ANCHOR = Date.parse('2026-01-15T14:37:00Z');
  const billing = {
    periodType: 'billing',
    periodCount: 1,
    periodLength: 'month',
    uniqueResourceIds: false,
  } as const;
  const NOW = ANCHOR + 20 * DAY_MS;

  function counted(observed: boolean, anchorsOfFacts: () => number[]): CustomerMeters {
    const meters = new CustomerMeters(
      'ada',
      [],
      () => [],
      (_, { anchors }, now) => cutsOf([...anchors, ...anchorsOfFacts()], now),
    );
    for (const at of minutes(ANCHOR - 3 * HOUR_MS, 20)) {
      if (observed) meters.observe('prop', billing);
      meters.add('prop', 'weur/1', at, 1);
    }
    return meters;
  }

  it('keep the cuts of all the customer’s anchors in what a billing window reads', () => {
    const meters = counted(true, () => [ANCHOR, ANCHOR + 5 * DAY_MS]);
    const used = (anchorAt: number) => meters.read('prop', { ...billing, anchorAt }, NOW).used;
    const since = (anchorAt: number) =>
      minutes(ANCHOR - 3 * HOUR_MS, 20).filter((at) => minuteOf(at) >= minuteOf(anchorAt)).length;
    expect(used(ANCHOR)).toBe(since(ANCHOR));
    expect(used(ANCHOR + 5 * DAY_MS)).toBe(since(ANCHOR + 5 * DAY_MS));
  });

  it('never ask for the facts of a meter without one, and merge it as before', () => {
    const asked: number[] = [];
    const meters = counted(false, () => {
      asked.push(1);
      return [ANCHOR];
    });
    const plain = new BucketSeries();
    for (const at of minutes(ANCHOR - 3 * HOUR_MS, 20)) {
      if (plain.add(minuteOf(at), 1)) plain.tidy(plain.newest);
    }
    const { buckets } = meters.takeChanges('weur/1', () => 0);
    expect(asked).toEqual([]);
    expect(buckets.map(({ start, width, amount }) => [start, width, amount])).toEqual(
      plain.takeChanges(() => 0).buckets.map(({ start, width, amount }) => [start, width, amount]),
    );
  });

  it('read unique resources to the minute by an anchor that they did not know', () => {
    const inUse = minutes(ANCHOR - 3 * HOUR_MS, 20).map((at) => ({ minute: minuteOf(at), count: 1 }));
    const meters = new CustomerMeters(
      'ada',
      [],
      () => inUse,
      (_, { anchors }, now) => cutsOf(anchors, now),
    );
    const unique = { ...billing, uniqueResourceIds: true };
    meters.read('prop', { ...unique, anchorAt: ANCHOR + DAY_MS }, NOW);
    expect(meters.read('prop', { ...unique, anchorAt: ANCHOR }, NOW).used).toBe(
      inUse.filter(({ minute }) => minute >= minuteOf(ANCHOR)).length,
    );
  });

  it('that learn an anchor late count at most one bucket in the window before', () => {
    const meters = counted(false, () => []);
    const all = minutes(ANCHOR - 3 * HOUR_MS, 20).filter((at) => minuteOf(at) >= minuteOf(ANCHOR)).length;
    const { used } = meters.read('prop', { ...billing, anchorAt: ANCHOR }, NOW);
    expect(used).toBeLessThanOrEqual(all);
    expect(used).toBeGreaterThanOrEqual(all - 1);
  });
});

/** By counting anniversaries from the anchor, one by one. */
function monthsAfter(anchorAt: number, startsAt: number, months: number): number {
  const step = startsAt >= anchorAt ? 1 : -1;
  let count = 0;
  while (anniversaryOf(anchorAt, count) !== startsAt) count += step;
  return count + months;
}
