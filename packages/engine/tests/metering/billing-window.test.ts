// Windows of the billing period: against a table of dates that is written down by rule, and what they must never do.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DAY_MS } from '#engine/durations';
import { anniversaryOf, billingWindow, monthsSince } from '#engine/metering/billing-window';
import { windowOf } from '#engine/metering/window-of';
import { instant } from '../arbitraries.ts';

const count = fc.integer({ min: 1, max: 12 });
const at = (text: string) => Date.parse(text);
const dates = (instants: readonly number[]) => instants.map((each) => new Date(each).toISOString());
const anniversaries = (anchor: string, months: number) =>
  dates(Array.from({ length: months }, (_, index) => anniversaryOf(at(anchor), index + 1)));

/** The last day of each month from January 2023 to December 2027, as a calendar has it. */
const LAST_DAYS: Readonly<Record<string, string>> = {
  2023: '31 28 31 30 31 30 31 31 30 31 30 31',
  2024: '31 29 31 30 31 30 31 31 30 31 30 31',
  2025: '31 28 31 30 31 30 31 31 30 31 30 31',
  2026: '31 28 31 30 31 30 31 31 30 31 30 31',
  2027: '31 28 31 30 31 30 31 31 30 31 30 31',
};
const MONTHS = Object.entries(LAST_DAYS).flatMap(([year, days]) =>
  days.split(' ').map((last, index) => ({ year, month: String(index + 1).padStart(2, '0'), last })),
);
const TIME = 'T14:37:21.005Z';
const two = (day: number) => String(day).padStart(2, '0');

/**
 * Stripe's rule for `billing_cycle_anchor`: the last day of a month that does not have the anchor's day, and the anchor's day again in
 * the next one that has it. https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
const dateIn = ({ year, month, last }: (typeof MONTHS)[number], day: number) =>
  `${year}-${month}-${day > Number(last) ? last : two(day)}${TIME}`;

describe('every anchor day, in 60 months', () => {
  test.each(Array.from({ length: 31 }, (_, index) => index + 1))('the %i. is met in each', (day) => {
    const anchor = at(`2023-01-${two(day)}${TIME}`);
    expect(dates(MONTHS.map((_, index) => anniversaryOf(anchor, index)))).toEqual(
      MONTHS.map((month) => dateIn(month, day)),
    );
  });

  test.each(Array.from({ length: 31 }, (_, index) => index + 1))(
    'the %i. of whichever month it first is comes to the same dates',
    (day) => {
      for (const [place, first] of MONTHS.entries()) {
        if (day > Number(first.last)) continue;
        const anchor = at(dateIn(first, day));
        const around = MONTHS.map((_, index) => anniversaryOf(anchor, index - place));
        expect(dates(around)).toEqual(MONTHS.map((month) => dateIn(month, day)));
      }
    },
  );

  test.each(Array.from({ length: 31 }, (_, index) => index + 1))(
    'windows of the %i. are those dates',
    (day) => {
      const anchor = at(`2023-01-${two(day)}${TIME}`);
      const starts = MONTHS.map((month) => at(dateIn(month, day)));
      for (const [index, startsAt] of starts.slice(0, -1).entries()) {
        const window = { startsAt, resetsAt: starts[index + 1] };
        expect(billingWindow(anchor, 1, startsAt)).toEqual(window);
        expect(billingWindow(anchor, 1, starts[index + 1]! - 1)).toEqual(window);
      }
    },
  );
});

describe('billing windows', () => {
  it('contain now, and end when the next one starts', () => {
    fc.assert(
      fc.property(instant, count, instant, (anchor, months, now) => {
        const window = billingWindow(anchor, months, now);
        const { startsAt, resetsAt } = window;
        expect(startsAt).toBeLessThanOrEqual(now);
        expect(resetsAt).toBeGreaterThan(now);
        expect(billingWindow(anchor, months, startsAt)).toEqual(window);
        expect(billingWindow(anchor, months, resetsAt - 1)).toEqual(window);
        expect(billingWindow(anchor, months, resetsAt).startsAt).toBe(resetsAt);
        expect(billingWindow(anchor, months, startsAt - 1).resetsAt).toBe(startsAt);
      }),
      { numRuns: 2000 },
    );
  });

  it('start at the anchor, and after any number of them the day is still the anchor’s or the month’s last', () => {
    fc.assert(
      fc.property(instant, count, fc.integer({ min: -600, max: 600 }), (anchor, months, number) => {
        expect(billingWindow(anchor, months, anchor).startsAt).toBe(anchor);
        let window = billingWindow(anchor, months, anniversaryOf(anchor, number * months));
        for (let next = 0; next < 12; next++) window = billingWindow(anchor, months, window.resetsAt);
        const [first, now] = [new Date(anchor), new Date(window.startsAt)];
        const isLast = new Date(window.startsAt + DAY_MS).getUTCDate() === 1;
        if (!isLast) expect(now.getUTCDate()).toBe(first.getUTCDate());
        expect(now.getUTCDate()).toBeLessThanOrEqual(first.getUTCDate());
        expect(now.toISOString().slice(10)).toBe(first.toISOString().slice(10));
        expect(monthsSince(anchor, window.startsAt)).toBe((number + 12) * months);
      }),
      { numRuns: 500 },
    );
  });

  it('of an anchor at midnight on the first are calendar months', () => {
    fc.assert(
      fc.property(count, instant, (months, now) => {
        expect(billingWindow(0, months, now)).toEqual(
          windowOf({ periodType: 'rolling', periodCount: months, periodLength: 'month' }, now),
        );
      }),
    );
  });
});

describe('what subscriptions elsewhere got wrong', () => {
  test('an anchor on the 31st does not drift to the 28th', () => {
    expect(anniversaries('2025-01-31T09:00:00Z', 4)).toEqual([
      '2025-02-28T09:00:00.000Z',
      '2025-03-31T09:00:00.000Z',
      '2025-04-30T09:00:00.000Z',
      '2025-05-31T09:00:00.000Z',
    ]);
  });

  test('nor does one on the 29th, 30th or a leap day', () => {
    const [day29, day30] = [
      anniversaries('2024-01-29T23:59:59Z', 14),
      anniversaries('2024-01-30T00:00:00Z', 14),
    ];
    expect(day29.map((date) => date.slice(5, 10)).slice(0, 3)).toEqual(['02-29', '03-29', '04-29']);
    expect(day30.map((date) => date.slice(5, 10)).slice(11)).toEqual(['01-30', '02-28', '03-30']);
    expect(anniversaries('2024-02-29T12:00:00Z', 48).filter((date) => date.slice(5, 7) === '02')).toEqual([
      '2025-02-28T12:00:00.000Z',
      '2026-02-28T12:00:00.000Z',
      '2027-02-28T12:00:00.000Z',
      '2028-02-29T12:00:00.000Z',
    ]);
  });

  test('one payment has one quota: no window begins on the first of a month inside the paid one', () => {
    const anchor = at('2025-01-14T10:00:00Z');
    const paid = { startsAt: anchor, resetsAt: at('2025-02-14T10:00:00Z') };
    for (const day of [
      '2025-01-14T10:00:00Z',
      '2025-01-31T23:59:59Z',
      '2025-02-01T00:00:00Z',
      '2025-02-14T09:59:59Z',
    ])
      expect(billingWindow(anchor, 1, at(day))).toEqual(paid);
  });

  test('a yearly plan with a monthly quota has twelve windows in the paid year, and resets within a month', () => {
    const anchor = at('2024-08-31T16:20:00Z');
    const starts = new Set<number>();
    for (let now = anchor; now < at('2025-08-31T16:20:00Z'); now += DAY_MS / 2) {
      const { startsAt, resetsAt } = billingWindow(anchor, 1, now);
      starts.add(startsAt);
      expect(resetsAt - now).toBeLessThanOrEqual(31 * DAY_MS);
    }
    expect(starts.size).toBe(12);
    expect(billingWindow(anchor, 1, at('2025-08-31T16:20:00Z')).startsAt).toBe(at('2025-08-31T16:20:00Z'));
  });
});
