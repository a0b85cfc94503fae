/**
 * Minutes at which a billing window, or a calendar window of a time zone, may begin. Buckets are not merged across them, since a window that
 * begins between two full hours, or days of UTC, would read usage of the one before. Computed when buckets are merged, and never stored.
 */
import { MINUTE_MS } from '#engine/durations';
import { anniversaryOf, monthsSince } from './billing-window.ts';
import { minuteOf } from './bucket-widths.ts';
import { type MeterPeriod, windowOf } from './window-of.ts';

/** Whether a window may begin after minute `from` and before minute `to`. */
export type IsCut = (from: number, to: number) => boolean;

/** No window is longer than a year, but a trial, which Stripe limits to two. */
const MONTHS_BACK = 13;
const TRIAL_MONTHS = 25;

/**
 * Anniversaries of 13 months before `now`, and the next one; also the anchor itself, where a trial may begin.
 * @param anchors epoch milliseconds
 * @param now minutes since the epoch
 * @param zoned calendar windows of time zones: as many before `now`, and the next one
 * @param edges more instants, epoch milliseconds
 */
export function cutsOf(
  anchors: Iterable<number>,
  now: number,
  zoned: Iterable<MeterPeriod> = [],
  edges: Iterable<number> = [],
): IsCut {
  const cuts = Array.from(edges, minuteOf);
  for (const anchor of anchors) {
    const latest = monthsSince(anchor, now * MINUTE_MS);
    for (let months = latest - MONTHS_BACK; months <= latest + 1; months++) {
      cuts.push(minuteOf(anniversaryOf(anchor, months)));
    }
    if (latest > MONTHS_BACK && latest < TRIAL_MONTHS) cuts.push(minuteOf(anchor));
  }
  for (const meter of zoned) {
    let { startsAt, resetsAt } = windowOf(meter, now * MINUTE_MS);
    if (resetsAt !== null) cuts.push(minuteOf(resetsAt));
    for (let windows = 0; windows <= MONTHS_BACK; windows++) {
      cuts.push(minuteOf(startsAt));
      ({ startsAt } = windowOf(meter, startsAt - 1));
    }
  }
  cuts.sort((one, other) => one - other);
  return (from, to) => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cuts[middle] ?? 0) > from) high = middle;
      else low = middle + 1;
    }
    return (cuts[low] ?? to) < to;
  };
}
