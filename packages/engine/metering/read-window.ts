/**
 * Reads a meter from the usage buckets of all origins. Counting does not depend on windows: any window can be read at any
 * time from the same buckets. See worker/domains/metering/README.md, "Metering".
 */

import type { LedgerReading } from '#contracts/internal/ledger';
import { MINUTE_MS } from '#engine/durations';
import type { BucketSeries } from './bucket-series.ts';
import { bucketEnd, bucketStart, minuteOf, type Reach, trailingWidth } from './bucket-widths.ts';
import { leavesWindowAt } from './leaves-window-at.ts';
import { type MeterPeriod, windowOf } from './window-of.ts';

/** The minutes that a window counts now. A trailing window includes a bucket until the whole bucket has left. */
export function reachOf(meter: MeterPeriod, now: number): Reach {
  const to = Number.POSITIVE_INFINITY;
  if (meter.periodType === 'lifetime') return { from: Number.NEGATIVE_INFINITY, to };
  const { startsAt, resetsAt } = windowOf(meter, now);
  if (resetsAt !== null) return { from: minuteOf(startsAt), to: minuteOf(resetsAt) };
  return { from: bucketStart(trailingWidth(meter), minuteOf(startsAt)), to };
}

/** @param series one per origin */
export function readWindow(meter: MeterPeriod, now: number, series: readonly BucketSeries[]): LedgerReading {
  const { from, to } = reachOf(meter, now);
  let sum = 0;
  for (const each of series) sum += each.sum(from, to);
  const used = Math.min(Math.max(0, sum), Number.MAX_SAFE_INTEGER);
  if (meter.periodType === 'lifetime') return { used, resetsAt: null };
  if (meter.periodType !== 'fixed') return { used, resetsAt: windowOf(meter, now).resetsAt };
  return { used, resetsAt: used === 0 ? null : nextLeaving(meter, from, series) };
}

/** When the oldest bucket with a positive amount, at the window's resolution, leaves the window. */
function nextLeaving(meter: MeterPeriod, from: number, series: readonly BucketSeries[]): number | null {
  const width = trailingWidth(meter);
  const cursors = series.map((each) => each.since(from));
  const heads = cursors.map((cursor) => cursor.next());
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const head of heads) if (!head.done) start = Math.min(start, bucketStart(width, head.value.start));
    if (start === Number.POSITIVE_INFINITY) return null;
    const end = bucketEnd(width, start);
    let amount = 0;
    for (const [index, cursor] of cursors.entries()) {
      let head = heads[index];
      while (head !== undefined && !head.done && head.value.start < end) {
        amount += head.value.amount;
        head = cursor.next();
        heads[index] = head;
      }
    }
    if (amount > 0) return leavesWindowAt(meter, end * MINUTE_MS);
  }
}
