import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { usageToGiveBack } from '#engine/ledger/usage-to-give-back';
import { BucketSeries } from '#engine/metering/bucket-series';
import { bucketEnd, bucketStart } from '#engine/metering/bucket-widths';

const EVERYTHING = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** As the rule says it: all usage in order, each bucket with the least usage of any window that includes it. */
function byTheRule(series: readonly BucketSeries[], { from, to }: typeof EVERYTHING, amount: number) {
  const buckets = series.flatMap((each) => [...each.since(Number.NEGATIVE_INFINITY)]);
  const inOrder = buckets
    .filter(({ start }) => start < to)
    .sort((one, other) => one.start - other.start || other.width - one.width);
  const usage: { minute: number; used: number; end: number }[] = [];
  for (const { start, width, amount: used } of inOrder) {
    const last = usage.at(-1);
    if (last !== undefined && start < last.end) last.used += used;
    else usage.push({ minute: start, used, end: bucketEnd(width, start) });
  }
  const windows = usage.map((_, index) => usage.slice(index).reduce((sum, { used }) => sum + used, 0));
  const shares: { minute: number; amount: number }[] = [];
  let given = 0;
  for (let index = usage.length - 1; index >= 0 && given < amount; index--) {
    const { minute, used } = usage[index]!;
    if (minute < from) break;
    const share = Math.min(amount - given, used, Math.min(...windows.slice(0, index + 1)) - given);
    if (share > 0) shares.push({ minute, amount: share });
    given += Math.max(0, share);
  }
  return shares;
}

const bucket = fc.record({
  minute: fc.integer({ min: 0, max: 200 }),
  width: fc.constantFrom(0, 0, 0, 1, 2, 3),
  amount: fc.integer({ min: -6, max: 9 }),
});
const origin = fc.array(bucket, { maxLength: 25 }).map((given) => {
  const series = new BucketSeries();
  for (const { minute, width, amount } of given) {
    series.put({ start: bucketStart(width, minute), width, amount, version: 1 });
    series.add(minute, amount);
  }
  return series;
});

it('what is given back is what the rule says, whatever origins have counted, given back and compacted', () => {
  fc.assert(
    fc.property(
      fc.array(origin, { maxLength: 4 }),
      fc.record({ from: fc.integer({ min: -1, max: 150 }), to: fc.integer({ min: 100, max: 250 }) }),
      fc.integer({ min: 1, max: 60 }),
      (series, reach, amount) => {
        expect(usageToGiveBack(series, reach, amount)).toEqual(byTheRule(series, reach, amount));
        expect(usageToGiveBack(series, EVERYTHING, amount)).toEqual(byTheRule(series, EVERYTHING, amount));
      },
    ),
    { numRuns: 3_000 },
  );
});

it('a give-back reads the newest buckets, as far as it must, however many there are', () => {
  const meters = new CustomerMeters('ada', [], () => []);
  for (const origin of ['weur/1', 'apac/1']) {
    for (let start = 0; start < 5_000; start++) {
      meters.put({ propertyId: 'calls', origin, start, width: 0, amount: 2, version: 1 });
    }
  }
  let read = 0;
  for (const from of ['since', 'before'] as const) {
    const original = BucketSeries.prototype[from];
    vi.spyOn(BucketSeries.prototype, from).mockImplementation(function* (this: BucketSeries, minute) {
      for (const each of original.call(this, minute)) {
        read += 1;
        yield each;
      }
      return undefined;
    });
  }
  expect(meters.usageToGiveBack('calls', EVERYTHING, 6).givenBack).toEqual([
    { minute: 4_999, amount: 4 },
    { minute: 4_998, amount: 2 },
  ]);
  vi.restoreAllMocks();
  expect(read).toBeLessThan(10);
});
