/** Which usage a give-back removes. Reads the newest buckets, as far as it must: a customer may have years of them. */
import type { Bucket, BucketSeries } from '../metering/bucket-series.ts';
import { bucketEnd, type Reach } from '../metering/bucket-widths.ts';

/** Part of a give-back: what it removes from the bucket of a minute. */
export interface BucketShare {
  readonly minute: number;
  readonly amount: number;
}

type Given = Readonly<Record<'series' | 'beside' | 'without', readonly BucketSeries[]>>;

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
 * @param without what of it cannot be given back: the usage less that is what is read
 */
export function usageToGiveBack(
  series: readonly BucketSeries[],
  { from, to }: Reach,
  amount: number,
  beside: readonly BucketSeries[] = [],
  without: readonly BucketSeries[] = [],
): BucketShare[] {
  const read: { readonly minute: number; readonly used: number; readonly window: number }[] = [];
  let window = 0;
  let unread = series.reduce((sum, { negative }) => sum + negative, 0);
  unread = without.reduce((sum, { total, negative }) => sum + total + negative, unread);
  for (const { minute, used, negative } of newestFirst({ series, beside, without }, to)) {
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
function* newestFirst({ series, beside, without }: Given, to: number): Generator<Usage> {
  const cursors = [...series, ...without, ...beside].map((each) => each.before(to));
  const signOf = (index: number) =>
    index < series.length ? 1 : index < series.length + without.length ? -1 : 0;
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
        const amount = signOf(index) * head.amount;
        used += amount;
        negative += Math.max(0, -amount);
        heads[index] = cursor.next().value;
      }
    }
    yield { minute, used, negative };
  }
}
