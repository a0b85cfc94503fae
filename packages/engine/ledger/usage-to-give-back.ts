/** Which usage a give-back removes. Reads the newest buckets, as far as it must: a customer may have years of them. */
import type { Bucket, BucketSeries } from '../metering/bucket-series.ts';
import { bucketEnd, type Reach } from '../metering/bucket-widths.ts';

/** Part of a give-back: what it removes from the bucket of a minute. */
export interface BucketShare {
  readonly minute: number;
  readonly amount: number;
}

/** The usage of all origins in the time of the widest bucket. */
interface Usage {
  readonly minute: number;
  readonly used: number;
  /** The negative amounts in it, as a positive number: what some origins have given back there. */
  readonly negative: number;
}

/**
 * Newest first, where all origins together have usage, within `reach`. No window that ends now drops below zero, and so no later window
 * starts with credit: of a bucket and those after it, no more is removed than the least usage of any window that includes it.
 * @param series one per origin
 * @param beside what counts nothing itself, and whose buckets are not divided either
 */
export function usageToGiveBack(
  series: readonly BucketSeries[],
  { from, to }: Reach,
  amount: number,
  beside: readonly BucketSeries[] = [],
): BucketShare[] {
  const read: { readonly minute: number; readonly used: number; readonly window: number }[] = [];
  let window = 0;
  let unread = series.reduce((sum, { negative }) => sum + negative, 0);
  for (const { minute, used, negative } of newestFirst(series, beside, to)) {
    window += used;
    unread -= negative;
    read.push({ minute, used, window });
    // No longer window has less than the amount, so none of them limits it.
    if (window - unread >= amount) break;
  }
  const available: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let index = read.length - 1; index >= 0; index--) {
    least = Math.min(least, read[index]?.window ?? 0);
    available[index] = least;
  }
  const shares: BucketShare[] = [];
  let given = 0;
  for (const [index, { minute, used }] of read.entries()) {
    if (minute < from || given >= amount) break;
    const share = Math.min(amount - given, used, (available[index] ?? 0) - given);
    if (share <= 0) continue;
    shares.push({ minute, amount: share });
    given += share;
  }
  return shares;
}

/**
 * Series are compacted at different times: a bucket inside a wider one of another series joins it, since no window can tell the two apart.
 */
function* newestFirst(
  series: readonly BucketSeries[],
  beside: readonly BucketSeries[],
  to: number,
): Generator<Usage> {
  const cursors = [...series, ...beside].map((each) => each.before(to));
  const heads = cursors.map((cursor): Bucket | undefined => cursor.next().value);
  for (;;) {
    let newest = Number.NEGATIVE_INFINITY;
    for (const head of heads) if (head !== undefined) newest = Math.max(newest, head.start);
    if (newest === Number.NEGATIVE_INFINITY) return;
    let minute = newest;
    for (const head of heads) {
      if (head !== undefined && bucketEnd(head.width, head.start) > newest)
        minute = Math.min(minute, head.start);
    }
    let used = 0;
    let negative = 0;
    for (const [index, cursor] of cursors.entries()) {
      for (let head = heads[index]; head !== undefined && head.start >= minute; head = heads[index]) {
        if (index < series.length) {
          used += head.amount;
          negative += Math.max(0, -head.amount);
        }
        heads[index] = cursor.next().value;
      }
    }
    yield { minute, used, negative };
  }
}
