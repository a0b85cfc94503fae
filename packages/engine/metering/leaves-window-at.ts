/** When usage leaves a trailing window: the inverse of the start computed by windowOf. */
import { DAY_MS, HOUR_MS } from '#engine/durations';
import type { MeterPeriod } from './window-of.ts';

/** The first instant at which the trailing window starts at `end` or later. Epoch milliseconds. */
export function leavesWindowAt({ periodCount, periodLength }: MeterPeriod, end: number): number {
  const count = periodCount || 1;
  switch (periodLength ?? 'month') {
    case 'hour':
      return end + count * HOUR_MS;
    case 'day':
      return end + count * DAY_MS;
    case 'month':
      return monthsLater(count, end);
  }
}

/**
 * The same offset into the month `count` months later, or the start of the following month if that month is too short. An
 * end on the first of a month counts as the last instant of the previous month, which a window may reach earlier.
 */
function monthsLater(count: number, end: number): number {
  const last = new Date(end - 1);
  const month = last.getUTCFullYear() * 12 + last.getUTCMonth();
  const into = end - firstOf(month);
  return Math.min(firstOf(month + count) + into, firstOf(month + count + 1));
}

/** @param month months since the year 0 */
function firstOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}
