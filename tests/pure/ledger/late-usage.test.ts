// Usage that is reported late counts in the minute in which it occurred; limits and readings are those of now.
import { describe, expect, it } from 'vitest';
import type { CounterUpdate } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { MONTH, OneLedger } from './one-ledger.ts';

const NOVEMBER = Date.UTC(2026, 10, 1);
const LATE = NOVEMBER + 5 * HOUR_MS;
const BEFORE = NOVEMBER - 3 * HOUR_MS;
const TRAILING_HOUR: Meter = { ...MONTH, periodType: 'fixed', periodLength: 'hour' };
const HOUR: Meter = { ...MONTH, periodLength: 'hour' };
const SEATS: Meter = { ...MONTH, uniqueResourceIds: true };

class Customer extends OneLedger {
  update(now: number, given: Partial<CounterUpdate>, meter = MONTH) {
    return this.apply(now, meter, given);
  }
}

describe('usage that occurred earlier', () => {
  it('counts in the window in which it occurred, also after newer usage', () => {
    const ada = new Customer();
    ada.update(LATE, { by: 1 });
    expect(ada.update(LATE, { by: 7, occurredAt: BEFORE })).toMatchObject({
      applied: 7,
      at: LATE,
      reading: { used: 1 },
    });
    expect(ada.used(LATE, MONTH)).toBe(1);
    expect(ada.used(NOVEMBER - 1, MONTH)).toBe(7);
  });

  it('is limited by what is used now, not then', () => {
    const ada = new Customer();
    ada.update(LATE, { by: 10 });
    expect(ada.update(LATE, { by: 1, occurredAt: BEFORE, enforce: true })).toMatchObject({ accepted: false });
    const eve = new Customer();
    eve.update(BEFORE, { by: 10 });
    expect(eve.update(LATE, { by: 1, occurredAt: BEFORE, enforce: true })).toMatchObject({ accepted: true });
    expect(eve.used(NOVEMBER - 1, MONTH)).toBe(11);
  });

  it('is given back where it occurred', () => {
    const ada = new Customer();
    ada.update(BEFORE, { by: 5 });
    ada.update(LATE, { by: 5 });
    expect(ada.update(LATE, { by: -3, occurredAt: BEFORE })).toMatchObject({ applied: -3 });
    expect([ada.used(NOVEMBER - 1, MONTH), ada.used(LATE, MONTH)]).toEqual([2, 5]);
  });

  it('takes a resource in its minute, and never moves its last use back', () => {
    const ada = new Customer();
    ada.update(LATE, { resourceId: 'r', occurredAt: BEFORE }, SEATS);
    expect([ada.used(NOVEMBER - 1, SEATS), ada.used(LATE, SEATS)]).toEqual([1, 0]);
    ada.update(LATE, { resourceId: 'r' }, SEATS);
    ada.update(LATE, { resourceId: 'r', occurredAt: BEFORE }, SEATS);
    expect(ada.used(LATE, SEATS)).toBe(1);
  });

  it('that is a little ahead of this clock leaves what follows in its own window', () => {
    const ada = new Customer();
    ada.update(NOVEMBER - 1_000, { by: 1, occurredAt: NOVEMBER + 20_000 });
    ada.update(NOVEMBER - 500, { by: 4 });
    expect([ada.used(NOVEMBER - 1, MONTH), ada.used(NOVEMBER + 60_000, MONTH)]).toEqual([4, 1]);
  });

  it('counts once under its key', () => {
    const ada = new Customer();
    const key = { text: 'k', bodyHash: 'early' };
    ada.update(LATE, { by: 2, occurredAt: BEFORE, key });
    expect(ada.update(LATE, { by: 2, occurredAt: BEFORE, key })).toMatchObject({ replayed: true });
    expect(ada.used(NOVEMBER - 1, MONTH)).toBe(2);
  });

  it('still finds the hour in which it occurred after a day of use was compacted, here and in other locations', () => {
    const ada = new Customer();
    const far = new Customer('apac');
    const start = NOVEMBER - 4 * DAY_MS;
    for (let at = start; at < NOVEMBER; at += MINUTE_MS) ada.update(at, { by: 1 });
    far.receive(ada, NOVEMBER);
    for (let hour = 1; hour <= 24; hour += 1) {
      ada.update(NOVEMBER, { by: 100, occurredAt: NOVEMBER - hour * HOUR_MS + 17 * MINUTE_MS });
    }
    far.receive(ada, NOVEMBER);
    for (const customer of [ada, far]) {
      for (let hour = 1; hour <= 24; hour += 1) {
        expect(customer.used(NOVEMBER - hour * HOUR_MS + 59 * MINUTE_MS, HOUR), `${hour} h`).toBe(160);
      }
      expect(customer.used(NOVEMBER, TRAILING_HOUR)).toBe(160);
    }
  });
});
