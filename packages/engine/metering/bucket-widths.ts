/**
 * Widths of usage buckets: seven, from one minute to a calendar month (UTC), each a multiple of the one before. Usage gets
 * coarser with age, but never so coarse that a window that can still reach it would read a different amount.
 *
 * Trailing windows are read at a resolution of one sixtieth of their length or finer. A bucket that ended `a` ago matters
 * only to windows longer than `a`, so it may be a/60 wide. Recurring windows of hours (at most 1,000) need whole hours for
 * 42 days; those of days need whole days for 1,000 days. All instants here are minutes since the Unix epoch.
 */
import { MINUTE_MS } from '#engine/durations';
import type { MeterPeriod } from './window-of.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** A half-open range of minutes. */
export interface Reach {
  readonly from: number;
  readonly to: number;
}

/** Minutes by width index. The last width, index 6, is a calendar month. */
const WIDTHS = [1, 2, 4, 12, HOUR, DAY] as const;
export const HOURS = 4;
export const DAYS = 5;
export const MONTHS = 6;

/**
 * Minimum age in minutes before a bucket of this width may exist: sixty times the width. Days and months need a little
 * more, because two months can have 62 days and five years 1,827.
 */
const LEAST_AGES = [0, 120, 240, 720, 60 * HOUR, 64 * DAY, 1870 * DAY] as const;

export function minuteOf(instantMs: number): number {
  return Math.floor(instantMs / MINUTE_MS);
}

/** Start of the bucket of this width that contains a minute. */
export function bucketStart(width: number, minute: number): number {
  if (width >= MONTHS) return monthStart(minute, 0);
  const size = WIDTHS[width] ?? 1;
  return Math.floor(minute / size) * size;
}

/** End of the bucket: the first minute after it. */
export function bucketEnd(width: number, start: number): number {
  return width >= MONTHS ? monthStart(start, 1) : start + (WIDTHS[width] ?? 1);
}

/** Whether the bucket of this width around `minute` may replace the narrower buckets in it. */
export function mayBeMerged(width: number, minute: number, now: number): boolean {
  const age = LEAST_AGES[width] ?? Number.POSITIVE_INFINITY;
  return now - minute >= age && now - bucketEnd(width, bucketStart(width, minute)) >= age;
}

/** The age from which buckets of this width may exist. */
export function leastAge(width: number): number {
  return LEAST_AGES[width] ?? Number.POSITIVE_INFINITY;
}

/** The width at which a trailing window is read: the widest that is at most a sixtieth of the shortest such window. */
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
