/** Periods of the reference model, month by month. */
import type { Period } from './shop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Half open, epoch milliseconds. Null: no begin, or no end. */
export interface Span<Instant = number | null> {
  readonly from: Instant;
  readonly to: Instant;
}

export const ALL_TIME: Span = { from: null, to: null };

/** The same day and time `months` later, or the last day of a month that does not have it. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (((anchor % DAY) + DAY) % DAY);
}

/** @param anchor of billing periods */
export function periodAt(period: Period, anchor: number, now: number): Span {
  return period.kind === 'lifetime' ? ALL_TIME : recurring(period, anchor, now);
}

/** Of a period that begins anew. */
export function recurring(period: Period, anchor: number, now: number): Span<number> {
  switch (period.kind) {
    case 'lifetime':
      throw new Error('A lifetime does not end');
    case 'hour':
      return { from: now - (now % HOUR), to: now - (now % HOUR) + HOUR };
    case 'day':
      return { from: now - (now % DAY), to: now - (now % DAY) + DAY };
    case 'month':
      return billed(0, 1, now);
    case 'billing':
      return billed(anchor, period.months, now);
  }
}

function billed(anchor: number, months: number, now: number): Span<number> {
  let number = Math.floor((now - anchor) / (31 * DAY) / months) - 1;
  while (monthsAfter(anchor, (number + 1) * months) <= now) number += 1;
  return { from: monthsAfter(anchor, number * months), to: monthsAfter(anchor, (number + 1) * months) };
}

/** Months after an instant that ended a period: counted from the anchor, if it is one of the anchor's. */
export function monthsAfterEnd(period: Period, anchor: number, at: number, months: number): number {
  const from = period.kind === 'billing' ? anchor : 0;
  const first = Math.floor((at - from) / (31 * DAY)) - 1;
  for (let number = first; monthsAfter(from, number) <= at; number++)
    if (monthsAfter(from, number) === at) return monthsAfter(from, number + months);
  return monthsAfter(at, months);
}

export function minuteStart(at: number): number {
  return at - (((at % MINUTE) + MINUTE) % MINUTE);
}
