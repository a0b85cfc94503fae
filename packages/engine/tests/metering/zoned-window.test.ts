// Calendar windows of a time zone, against what the platform's own clocks show.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeriodLength } from '#contracts/public/values';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { rolledGrants } from '#engine/ledger/rolled-grants';
import { cutsOf } from '#engine/metering/billing-cuts';
import { type Bucket, BucketSeries } from '#engine/metering/bucket-series';
import { minuteOf } from '#engine/metering/bucket-widths';
import { readWindow } from '#engine/metering/read-window';
import { windowOf } from '#engine/metering/window-of';

/** Half and quarter hours, a clock set by half an hour, by a whole one, at midnight, and a day that was skipped. */
const ZONES = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Atlantic/Azores',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Africa/Casablanca',
];
const LENGTHS: readonly PeriodLength[] = ['hour', 'day', 'month'];
const FROM = Date.UTC(2008, 0, 1);
const TO = Date.UTC(2029, 0, 1);

/** What a clock shows: '2026-03-29 02:30:00'. */
function shown(zone: string, at: number): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: zone });
}

function windowIn(zone: string, periodCount: number, periodLength: PeriodLength, now: number) {
  const { startsAt, resetsAt } = windowOf({ periodType: 'rolling', periodCount, periodLength, zone }, now);
  return { startsAt, resetsAt: resetsAt as number };
}

const SHOWN_PART: Readonly<Record<PeriodLength, number>> = { hour: 13, day: 10, month: 7 };

const zone = fc.constantFrom(...ZONES);
const length = fc.constantFrom(...LENGTHS);
/** Also around the hours in which clocks are set. */
const transitions = ZONES.flatMap((each) => {
  const found: number[] = [];
  let before = shown(each, FROM);
  for (let at = FROM + HOUR_MS; at < TO; at += HOUR_MS) {
    const after = shown(each, at);
    if (Date.parse(`${after}Z`) - Date.parse(`${before}Z`) !== HOUR_MS) found.push(at);
    before = after;
  }
  return found;
});
const instant = fc.oneof(
  fc.integer({ min: FROM, max: TO }),
  fc
    .tuple(fc.constantFrom(...transitions), fc.integer({ min: -DAY_MS, max: DAY_MS }))
    .map(([at, by]) => at + by),
);

describe('a calendar window of a time zone', () => {
  it('contains the instant, and the next one begins where it ends', () => {
    fc.assert(
      fc.property(zone, length, fc.integer({ min: 1, max: 40 }), instant, (each, unit, count, now) => {
        const window = windowIn(each, count, unit, now);
        expect(window.startsAt).toBeLessThanOrEqual(now);
        expect(window.resetsAt).toBeGreaterThan(now);
        expect(windowIn(each, count, unit, window.resetsAt).startsAt).toBe(window.resetsAt);
        expect(windowIn(each, count, unit, window.startsAt)).toEqual(window);
        expect(windowIn(each, count, unit, window.startsAt - 1).resetsAt).toBe(window.startsAt);
        expect(windowIn(each, count, unit, window.resetsAt - 1)).toEqual(window);
      }),
      { numRuns: 1500 },
    );
  });

  it('begins at the first instant at which the clock shows its hour, day or month, or a later one', () => {
    fc.assert(
      fc.property(zone, length, instant, (each, unit, now) => {
        const { startsAt } = windowIn(each, 1, unit, now);
        const part = (at: number) => shown(each, at).slice(0, SHOWN_PART[unit]);
        // Nothing of it was shown before: in the hours before it, since clocks are set by less.
        for (let at = startsAt - 1; at > startsAt - 2 * HOUR_MS; at -= 15 * MINUTE_MS)
          expect(part(at) < part(startsAt)).toBe(true);
        expect(part(now) <= part(startsAt) || part(now) === part(startsAt)).toBe(true);
        expect(startsAt % MINUTE_MS).toBe(0);
      }),
      { numRuns: 1500 },
    );
  });

  it('is that of UTC in UTC', () => {
    fc.assert(
      fc.property(length, fc.integer({ min: 1, max: 1000 }), instant, (unit, count, now) => {
        const utc = windowOf({ periodType: 'rolling', periodCount: count, periodLength: unit }, now);
        expect(windowIn('UTC', count, unit, now)).toEqual(utc);
      }),
    );
  });

  it.each([
    ['Asia/Kolkata', 'day', '2026-06-15T20:00Z', '2026-06-15T18:30Z', '2026-06-16T18:30Z'],
    ['Asia/Kolkata', 'hour', '2026-06-15T20:00Z', '2026-06-15T19:30Z', '2026-06-15T20:30Z'],
    ['Asia/Kathmandu', 'month', '2026-02-28T18:14:59Z', '2026-01-31T18:15Z', '2026-02-28T18:15Z'],
    // The clock goes forward by half an hour at 2 o'clock, and back.
    ['Australia/Lord_Howe', 'day', '2026-10-03T20:00Z', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
    ['Australia/Lord_Howe', 'hour', '2026-04-04T15:10Z', '2026-04-04T14:00Z', '2026-04-04T15:30Z'],
    // A day of 23 hours, and the hour that is shown twice.
    ['America/New_York', 'day', '2026-03-08T12:00Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
    ['America/New_York', 'hour', '2026-11-01T06:30Z', '2026-11-01T05:00Z', '2026-11-01T07:00Z'],
    // Midnight is skipped, and is shown twice.
    ['America/Sao_Paulo', 'day', '2018-11-04T12:00Z', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    ['America/St_Johns', 'day', '2010-11-07T02:45Z', '2010-11-07T02:30Z', '2010-11-08T03:30Z'],
    // 30 December 2011 did not take place: the 29th is followed by the 31st.
    ['Pacific/Apia', 'day', '2011-12-30T09:59Z', '2011-12-29T10:00Z', '2011-12-30T10:00Z'],
    ['Pacific/Apia', 'day', '2011-12-30T10:00Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
  ] as const)('in %s is the %s of %s: from %s to %s', (each, unit, now, from, to) => {
    expect(windowIn(each, 1, unit, Date.parse(now))).toEqual({
      startsAt: Date.parse(from),
      resetsAt: Date.parse(to),
    });
  });
});

const DAY = 24 * 60;
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 * 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 * DAY }) },
);
const uses = fc
  .array(fc.record({ wait: gap, amount: fc.integer({ min: 1, max: 5 }), isNear: fc.boolean() }), {
    minLength: 1,
    maxLength: 120,
  })
  .chain((list) => fc.tuple(fc.constant(list), zone));
const zonedMeter = (periodCount: number, periodLength: PeriodLength, each: string) =>
  ({ periodType: 'rolling', periodCount, periodLength, zone: each, uniqueResourceIds: false }) as const;

describe('usage in a calendar window of a time zone', () => {
  it('is the plain sum, however often buckets were merged and wherever they were sent', () => {
    fc.assert(
      fc.property(uses, length, fc.constantFrom(1, 2, 7, 30), ([list, each], unit, count) => {
        const meter = zonedMeter(count, unit, each);
        const own = new BucketSeries();
        const other = new BucketSeries();
        const counted: { minute: number; amount: number }[] = [];
        let minute = minuteOf(Date.UTC(2025, 8, 1));
        let version = 0;
        const sent: Bucket[] = [];
        for (const { wait, amount, isNear } of list) {
          minute += wait;
          const edge = minuteOf(windowIn(each, count, unit, minute * MINUTE_MS).resetsAt) - 15 + (wait % 30);
          if (isNear && edge - minute < 3 * DAY) minute = Math.max(minute, edge);
          counted.push({ minute, amount });
          own.add(minute, amount);
          own.compact(minute, cutsOf([], minute, [meter]));
          sent.push(...own.takeChanges(() => ++version).buckets);
        }
        for (const bucket of sent.toReversed()) other.put(bucket);
        for (const ahead of [0, HOUR_MS, 3 * DAY_MS, 40 * DAY_MS]) {
          const now = minute * MINUTE_MS + ahead;
          const { startsAt, resetsAt } = windowIn(each, count, unit, now);
          const used = counted.reduce(
            (sum, one) =>
              one.minute >= minuteOf(startsAt) && one.minute < minuteOf(resetsAt) ? sum + one.amount : sum,
            0,
          );
          for (const series of [own, other])
            expect(readWindow(meter, now, [series])).toEqual({ used, resetsAt });
        }
      }),
      { numRuns: 250 },
    );
  });

  it('is read to the minute of a customer whose meters follow several zones', () => {
    const meters = new CustomerMeters(
      'ada',
      [],
      () => [],
      (_, { anchors, zoned }, now) => cutsOf(anchors, now, zoned),
    );
    const first = Date.UTC(2026, 3, 1, 12);
    const at = (index: number) => first + index * 7 * MINUTE_MS;
    const kolkata = zonedMeter(1, 'month', 'Asia/Kolkata');
    const apia = zonedMeter(1, 'month', 'Pacific/Apia');
    const last = 9_000;
    for (let index = 0; index <= last; index++) {
      meters.observe('prop', kolkata);
      meters.observe('prop', apia);
      meters.add('prop', 'weur/1', at(index), 1);
    }
    for (const meter of [kolkata, apia]) {
      const { startsAt } = windowOf(meter, at(last));
      const since = Array.from({ length: last + 1 }, (_, index) => at(index)).filter(
        (each) => each >= startsAt,
      );
      expect(meters.read('prop', meter, at(last)).used).toBe(since.length);
    }
  });

  it('rolls over from month to month of the zone', () => {
    const zoned = { ...zonedMeter(1, 'month', 'Asia/Kolkata'), limit: 100 };
    const meter = { ...zoned, rollover: { max: 'all', lasts: { months: 2 } } } as const;
    const now = Date.parse('2026-02-10T00:00Z');
    const period = {
      startsAt: Date.parse('2025-12-31T18:30Z'),
      endsAt: Date.parse('2026-01-31T18:30Z'),
      ...{ firstLimit: 100, limit: 100 },
    };
    const usage = { taken: () => ({ used: 30, drawn: 0 }), drawnBefore: () => 0 };
    expect(rolledGrants('prop', meter, now, [period], usage)).toMatchObject([
      { amount: 70, from: period.startsAt, startsAt: period.endsAt, endsAt: Date.parse('2026-03-31T18:30Z') },
    ]);
  });
});
