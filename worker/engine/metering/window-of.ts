/**
 * The window in which a meter counts at a given instant (DESIGN 6), in UTC. `rolling` windows recur, aligned to the
 * calendar and counted from the Unix epoch; a `fixed` one trails behind now; `lifetime` has one without end.
 */
import type { Meter, PeriodLength } from '#contracts/values';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `startsAt` belongs to the window, `resetsAt` to the next one. Epoch milliseconds. */
export interface MeterWindow {
  startsAt: number;
  /** Null where usage does not fall away all at once: lifetime, and trailing windows. */
  resetsAt: number | null;
}

export type MeterPeriod = Pick<Meter, 'periodType' | 'periodCount' | 'periodLength'>;

/** A missing period count is 1. A lifetime starts with the epoch. */
export function windowOf(meter: MeterPeriod, now: number): MeterWindow {
  const count = meter.periodCount || 1;
  const length = meter.periodLength ?? 'month';
  switch (meter.periodType) {
    case 'lifetime':
      return { startsAt: 0, resetsAt: null };
    case 'fixed':
      return { startsAt: trailingStart(count, length, now), resetsAt: null };
    case 'rolling':
      return length === 'month' ? monthWindow(count, now) : plainWindow(count * unitMs(length), now);
  }
}

function unitMs(length: 'hour' | 'day'): number {
  return length === 'hour' ? HOUR_MS : DAY_MS;
}

function plainWindow(sizeMs: number, now: number): MeterWindow {
  const startsAt = Math.floor(now / sizeMs) * sizeMs;
  return { startsAt, resetsAt: startsAt + sizeMs };
}

/** Months are numbered from January 1970. */
function monthWindow(count: number, now: number): MeterWindow {
  const date = new Date(now);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  const first = Math.floor(month / count) * count;
  return { startsAt: Date.UTC(1970, first, 1), resetsAt: Date.UTC(1970, first + count, 1) };
}

function trailingStart(count: number, length: PeriodLength, now: number): number {
  return length === 'month' ? monthsBefore(count, now) : now - count * unitMs(length);
}

/** The same day and time `count` months ago; a day that the month lacks becomes its last. */
function monthsBefore(count: number, now: number): number {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() - count;
  // Day 0 is the last day of the month before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (now - Math.floor(now / DAY_MS) * DAY_MS);
}
