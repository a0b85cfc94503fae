/** Periods of the reference model, month by month. */
import { firstShowing, shownAt, type Zone } from './reference-zones.ts';
import type { Period } from './shop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** On average: months add up to it within two days. */
const MONTH = 30.436875 * DAY;

/** Half open, epoch milliseconds. Null: no begin, or no end. */
export interface Span<Instant = number | null> {
  readonly from: Instant;
  readonly to: Instant;
}

export const ALL_TIME: Span = { from: null, to: null };

/** The same day and time `months` later, or the last day of a month that does not have it. */
function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (((anchor % DAY) + DAY) % DAY);
}

/** What a customer's periods follow. */
export interface Cycle {
  /** Of billing periods. */
  readonly anchor: number;
  /** Of a trial, which is one period, from the anchor on; periods after it are counted from its end. Null: there is none. */
  readonly trialEnd: number | null;
  /** Of hours, days and months. */
  readonly zone: Zone;
}

export function periodAt(period: Period, cycle: Cycle, now: number): Span {
  return period.kind === 'lifetime' ? ALL_TIME : recurring(period, cycle, now);
}

/** Of a period that begins anew. */
export function recurring(period: Period, { anchor, trialEnd, zone }: Cycle, now: number): Span<number> {
  if (period.kind === 'lifetime') throw new Error('A lifetime does not end');
  if (period.kind !== 'billing') return shownSpan(period.kind, zone, now);
  if (trialEnd === null || now < anchor) return billed(anchor, period.months, now);
  return now < trialEnd ? { from: anchor, to: trialEnd } : billed(trialEnd, period.months, now);
}

/** Begins when the clock first shows the beginning, and lasts until it first shows the next one, however often it is set. */
function shownSpan(kind: 'hour' | 'day' | 'month', zone: Zone, now: number): Span<number> {
  const shown = shownAt(zone, now);
  const date = new Date(shown);
  const begin = (number: number) =>
    firstShowing(
      zone,
      kind === 'month'
        ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + number, 1)
        : (Math.floor(shown / (kind === 'day' ? DAY : HOUR)) + number) * (kind === 'day' ? DAY : HOUR),
    );
  let number = 0;
  while (begin(number + 1) <= now) number += 1;
  return { from: begin(number), to: begin(number + 1) };
}

function billed(anchor: number, months: number, now: number): Span<number> {
  let number = Math.floor((now - anchor) / MONTH / months) - 2;
  while (monthsAfter(anchor, (number + 1) * months) <= now) number += 1;
  return { from: monthsAfter(anchor, number * months), to: monthsAfter(anchor, (number + 1) * months) };
}

/** Months after an instant that ended a period: counted from what that was counted from. */
export function monthsAfterEnd(
  period: Period,
  { anchor, trialEnd, zone }: Cycle,
  at: number,
  months: number,
): number {
  if (period.kind === 'month') return firstShowing(zone, monthsAfter(shownAt(zone, at), months));
  for (const from of [trialEnd ?? anchor, anchor]) {
    const first = Math.floor((at - from) / MONTH) - 2;
    for (let number = first; monthsAfter(from, number) <= at; number++)
      if (monthsAfter(from, number) === at) return monthsAfter(from, number + months);
  }
  return monthsAfter(at, months);
}

export function minuteStart(at: number): number {
  return at - (((at % MINUTE) + MINUTE) % MINUTE);
}

/** By minutes, in which usage is counted. */
export function isIn(at: number, { from, to }: Span): boolean {
  return (from === null || at >= minuteStart(from)) && (to === null || at < minuteStart(to));
}
