/** Times on charts: in the reader's zone, and whole days in UTC, as they are counted. */
import { formatUtcDay } from '../format.ts';

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** The time that a bar covers: '14:05–14:10', '12 Nov, 14:00–16:00', or a day. `rangeMs` is the length of the chart. */
export function slotLabel(at: number, slotMs: number, rangeMs: number): string {
  if (slotMs >= DAY_MS) return formatUtcDay(at);
  const start = rangeMs > DAY_MS ? dayAndClock.format(at) : clock.format(at);
  return `${start}–${clock.format(at + slotMs)}`;
}

/** A label under a slot of a chart. */
export interface AxisTick {
  /** Index of the slot. */
  readonly index: number;
  readonly label: string;
}

const MAX_TICKS = 8;
/** Intervals between labels that read well; weeks begin on Mondays. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];
/** The first Monday. */
const MONDAY_MS = 4 * DAY_MS;

/**
 * Labels for the slots that contain a round time, such as every third hour or every Monday: in the reader's zone, or in UTC for
 * whole days. Midnight is labelled with the day.
 */
export function axisTicks(slots: Slots): AxisTick[] {
  for (const step of STEPS_MS) {
    const ticks = ticksEvery(step, slots);
    if (ticks.length <= MAX_TICKS) return ticks;
  }
  return [];
}

function ticksEvery(step: number, { buckets, bucketMs }: Slots): AxisTick[] {
  return buckets.flatMap(({ at }, index) => {
    const offset = bucketMs >= DAY_MS ? 0 : new Date(at).getTimezoneOffset() * -60_000;
    const phase = (step % (7 * DAY_MS) === 0 ? MONDAY_MS : 0) - offset;
    const round = Math.ceil((at - phase) / step) * step + phase;
    return round < at + bucketMs ? [{ index, label: tickLabel(round, offset, bucketMs) }] : [];
  });
}

function tickLabel(at: number, offset: number, bucketMs: number): string {
  if (bucketMs >= DAY_MS) return formatUtcDay(at);
  return (at + offset) % DAY_MS === 0 ? day.format(at) : clock.format(at);
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
