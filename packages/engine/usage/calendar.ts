/** The UTC calendar that usage is counted by. Instants are epoch milliseconds. */
import { DAY_MS, HOUR_MS } from '#engine/durations';

/** The first instant of the hour that `at` lies in. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** The first instant of the UTC day that `at` lies in. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** The first instant of the UTC month that `at` lies in. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Whether the UTC month that begins at `monthAt` is over: what belongs to it then ends without a message. */
export function isPastMonth(monthAt: number, now: number): boolean {
  return now >= nextMonthOf(monthAt);
}

/** The first instant of the UTC month after the one that `at` lies in: when a monthly allowance restarts. */
export function nextMonthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
