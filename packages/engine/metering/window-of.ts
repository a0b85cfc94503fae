/**
 * The window in which a meter counts at a given instant. `rolling` windows recur, aligned to the calendar of UTC or of the meter's time
 * zone, and counted from the Unix epoch. `billing` windows recur, counted from the customer's anchor. `fixed` windows trail behind now.
 * `lifetime` is one window without an end.
 */

import type { MeterWindow as ReadWindow } from '#contracts/internal/ledger';
import type { PeriodLength } from '#contracts/public/values';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import { billingWindow } from './billing-window.ts';
import { zonedWindow } from './zoned-window.ts';

/** `startsAt` belongs to the window, `resetsAt` to the next one. Epoch milliseconds. */
export interface MeterWindow {
  startsAt: number;
  /** Null for lifetime and trailing windows, in which usage does not reset all at once. */
  resetsAt: number | null;
}

export type MeterPeriod = Pick<
  ReadWindow,
  'periodType' | 'periodCount' | 'periodLength' | 'anchorAt' | 'trialEndAt' | 'zone'
>;

/** A missing period count means 1. A lifetime starts at the epoch, and so do billing windows without an anchor. */
export function windowOf(meter: MeterPeriod, now: number): MeterWindow {
  const count = meter.periodCount || 1;
  const length = meter.periodLength ?? 'month';
  switch (meter.periodType) {
    case 'lifetime':
      return { startsAt: 0, resetsAt: null };
    case 'fixed':
      return { startsAt: trailingStart(count, length, now), resetsAt: null };
    case 'billing':
      return billedWindow(meter, count, now);
    case 'rolling':
      if (meter.zone !== undefined) return zonedWindow(meter.zone, count, length, now);
      return length === 'month' ? monthWindow(count, now) : plainWindow(count * unitMs(length), now);
  }
}

/** A trial is one window; the others follow its end. */
function billedWindow({ anchorAt = 0, trialEndAt }: MeterPeriod, count: number, now: number): MeterWindow {
  if (trialEndAt === undefined || trialEndAt <= anchorAt || now < anchorAt)
    return billingWindow(anchorAt, count, now);
  if (now < trialEndAt) return { startsAt: anchorAt, resetsAt: trialEndAt };
  return billingWindow(trialEndAt, count, now);
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

/**
 * The same offset into the month `count` months ago, limited to that month's end: a month before the last days of March is
 * the end of February. The start never moves backwards, so usage that has left a window stays out of it.
 */
function monthsBefore(count: number, now: number): number {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const intoMonth = now - Date.UTC(year, month, 1);
  return Math.min(Date.UTC(year, month - count, 1) + intoMonth, Date.UTC(year, month - count + 1, 1));
}
