/** Times on charts: in the reader's zone, and whole days in UTC, as they are counted. */
import { formatUtcDay } from '../format.ts';

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** The time that a bar covers: '14:05–14:10', '12 Nov, 14:00–16:00', or a day. `rangeMs` is the length of the chart. */
export function slotLabel(at: number, slotMs: number, rangeMs: number): string {
  if (slotMs >= DAY_MS) return formatUtcDay(at);
  const start = rangeMs > DAY_MS ? dayAndClock.format(at) : clock.format(at);
  return `${start}–${clock.format(at + slotMs)}`;
}

/** A point on an axis. */
export function axisLabel(at: number, slotMs: number, rangeMs: number): string {
  if (slotMs >= DAY_MS) return formatUtcDay(at);
  return rangeMs > DAY_MS ? dayAndClock.format(at) : clock.format(at);
}

/** The time that several bars cover: whole days by their dates, otherwise as `periodLabel`. */
export function spanLabel(from: number, to: number, slotMs: number): string {
  if (slotMs < DAY_MS) return periodLabel(from, to);
  return `${formatUtcDay(from)} – ${formatUtcDay(to - slotMs)}`;
}

/** Slots in a row by the labels of the first and the last, which may be equal: a day later the clock shows the same. */
export function slotsLabel(labels: readonly string[]): string {
  const [first = ''] = labels;
  return labels.length > 1 ? `${first} to ${labels.at(-1)}` : first;
}

/** What a chart's bars cover: `bucketMs` milliseconds from `at` each, epoch milliseconds, without gaps. */
export interface Slots {
  readonly bucketMs: number;
  readonly buckets: readonly { readonly at: number }[];
}

/** The period of some slots, both ends included. */
export function periodOfSlots({ bucketMs, buckets }: Slots, first: number, last: number) {
  return { from: buckets[first]?.at ?? 0, to: (buckets[last]?.at ?? 0) + bucketMs };
}

/** '12 Nov, 14:05–14:10' within a day, otherwise both dates. */
export function periodLabel(from: number, to: number): string {
  const isOneDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${dayAndClock.format(from)} – ${isOneDay ? clock.format(to) : dayAndClock.format(to)}`;
}
