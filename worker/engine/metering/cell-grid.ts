/**
 * The grid on which usage is kept: cells of seven widths, each made of whole cells of the one before, from a minute to a
 * calendar month (UTC). Usage grows coarser with age: no window that still reaches it can tell the difference.
 *
 * A trailing window is read to a sixtieth of its length or finer, so a cell that ended `a` ago matters to windows longer
 * than `a` only, and may be a/60 wide. Recurring windows of hours (at most 1,000) need whole hours for 42 days, those of
 * days whole days for 1,000 days. All instants here are minutes since the Unix epoch.
 */
import type { MeterPeriod } from './window-of.ts';

export const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** Widths by index; the last one is a calendar month. */
const WIDTHS = [1, 2, 4, 12, HOUR, DAY] as const;
export const HOURS = 4;
export const DAYS = 5;
export const MONTHS = 6;

/**
 * How long ago a cell of a width must have ended before there may be one: sixty times its width, and for days and months
 * somewhat more, since two months can be 62 days and five years 1,827.
 */
const LEAST_AGES = [0, 120, 240, 720, 60 * HOUR, 64 * DAY, 1870 * DAY] as const;

export function minuteOf(instantMs: number): number {
  return Math.floor(instantMs / MINUTE_MS);
}

/** Start of the cell of that width that holds a minute. */
export function cellStart(width: number, minute: number): number {
  if (width >= MONTHS) return monthStart(minute, 0);
  const size = WIDTHS[width] ?? 1;
  return Math.floor(minute / size) * size;
}

/** End of the cell: the first minute after it. */
export function cellEnd(width: number, start: number): number {
  return width >= MONTHS ? monthStart(start, 1) : start + (WIDTHS[width] ?? 1);
}

/** Whether the cell of that width that holds `minute` may stand for the narrower ones in it. */
export function mayBeMerged(width: number, minute: number, now: number): boolean {
  const age = LEAST_AGES[width] ?? Number.POSITIVE_INFINITY;
  return now - minute >= age && now - cellEnd(width, cellStart(width, minute)) >= age;
}

/** Ages above which wider cells may exist, by width: younger ones need not be looked at. */
export function leastAge(width: number): number {
  return LEAST_AGES[width] ?? Number.POSITIVE_INFINITY;
}

/** The width to which a trailing window is read: the widest that is at most a sixtieth of the shortest such window. */
export function trailingWidth({ periodCount, periodLength }: MeterPeriod): number {
  const count = periodCount || 1;
  switch (periodLength ?? 'month') {
    case 'hour':
      return widestUpTo(count);
    case 'day':
      return widestUpTo(count * 24);
    case 'month':
      return count <= 2 ? HOURS : count <= 61 ? DAYS : MONTHS;
  }
}

function widestUpTo(minutes: number): number {
  let width = 0;
  while (width < DAYS && (WIDTHS[width + 1] ?? Number.POSITIVE_INFINITY) <= minutes) width += 1;
  return width;
}

function monthStart(minute: number, offset: number): number {
  const date = new Date(minute * MINUTE_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / MINUTE_MS;
}
