/**
 * Calendar windows by the clock of a time zone. A window begins when the clock first shows its beginning, or a later time: where a day
 * or an hour is skipped, nothing is in its window, and one that the clock shows twice is one window. Windows never overlap.
 */
import type { PeriodLength } from '#contracts/public/values';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { DAY_MS, HOUR_MS } from '../durations.ts';

interface ZonedWindow {
  readonly startsAt: number;
  readonly resetsAt: number;
}

/** More than any clock differs from UTC, so that what a clock shows is surely before or after. */
const BEYOND_MS = 16 * HOUR_MS;

/** A formatter takes some 10 KB, and long to be made. */
const clocks = new BoundedCache<string, Intl.DateTimeFormat>(32);
/** The latest of each kind: most calls are in it. */
const windows = new BoundedCache<string, ZonedWindow>(256);

/**
 * The window that contains `now`. Of `count` hours, days or months, counted from January 1970 as the clock shows it. Epoch milliseconds.
 * @param zone an IANA name @throws {RangeError} for a name that the platform does not know
 */
export function zonedWindow(zone: string, count: number, length: PeriodLength, now: number): ZonedWindow {
  const key = `${zone} ${count} ${length}`;
  const known = windows.get(key);
  if (known !== undefined && known.startsAt <= now && now < known.resetsAt) return known;
  const beginning = (index: number) => instantOf(zone, shownAt(count, length, index));
  let index = indexOf(count, length, clockOf(zone, now));
  // The clock may have been set back after it has shown the next beginning.
  while (beginning(index + 1) <= now) index += 1;
  const window = { startsAt: beginning(index), resetsAt: beginning(index + 1) };
  windows.set(key, window);
  return window;
}

/** The beginning of the month that is `months` after that of `at`, by the zone's clock. Epoch milliseconds. */
export function monthIn(zone: string, at: number, months: number): number {
  const index = indexOf(1, 'month', clockOf(zone, at));
  return instantOf(zone, shownAt(1, 'month', index + months));
}

/** Which window a clock is in. @param clock what it shows, as if it were UTC */
function indexOf(count: number, length: PeriodLength, clock: number): number {
  if (length !== 'month') return Math.floor(clock / (count * unitOf(length)));
  const date = new Date(clock);
  return Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / count);
}

/** What the clock shows when a window begins. */
function shownAt(count: number, length: PeriodLength, index: number): number {
  return length === 'month' ? Date.UTC(1970, index * count, 1) : index * count * unitOf(length);
}

function unitOf(length: 'hour' | 'day'): number {
  return length === 'hour' ? HOUR_MS : DAY_MS;
}

/** The first instant at which the clock shows this time or a later one. It is set at most once in the hours around it. */
function instantOf(zone: string, clock: number): number {
  let before = clock - BEYOND_MS;
  let after = clock + BEYOND_MS;
  const [first, last] = [offsetAt(zone, before), offsetAt(zone, after)];
  const unchanged = clock - first;
  if (first === last) return unchanged;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === first) before = middle;
    else after = middle;
  }
  return unchanged < after ? unchanged : Math.max(after, clock - last);
}

function offsetAt(zone: string, at: number): number {
  return clockOf(zone, at) - at;
}

/** What the clock shows, as the instant at which a clock in UTC does. */
function clockOf(zone: string, at: number): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(zone, clock);
  }
  // Such as 2026-01-31 23:05:00.
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) + (((at % 1000) + 1000) % 1000);
}
