// The readings that an isolate falls back on while no ledger answers.
import { describe, expect, it } from 'vitest';
import type { LedgerRead } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import type { MeterReading } from '#engine/metering/read-meter';
import { keepReadings, lastReadings } from '#worker/domains/metering/kept-readings';

const NOON = Date.UTC(2026, 10, 20, 12);
const lifetime: Meter = { limit: 100, periodType: 'lifetime', uniqueResourceIds: false };
const daily: Meter = { ...lifetime, periodType: 'rolling', periodCount: 1, periodLength: 'day' };
const trailing: Meter = { ...daily, periodType: 'fixed', periodCount: 6, periodLength: 'hour' };

const read = (propertyId: string, meter: Meter = lifetime): LedgerRead => ({ propertyId, meter });
const many = (count: number) => Array.from({ length: count }, (_, index) => read(`prop_${index}`));

let customers = 0;
const someone = () => `customer ${++customers}`;

function keep(
  customer: string,
  reads: readonly LedgerRead[],
  used: readonly number[],
  at = NOON,
  readings: Map<string, MeterReading> = new Map(),
): void {
  for (const [index, { propertyId }] of reads.entries()) readings.set(propertyId, { used: used[index] ?? 0 });
  keepReadings('env_1', customer, { at, reads, readings, factsVersion: 1 });
}

function last(customer: string, reads: readonly LedgerRead[], now = NOON): Record<string, number> {
  const readings = lastReadings('env_1', customer, reads, now);
  return Object.fromEntries([...readings].map(([propertyId, { used }]) => [propertyId, used]));
}

describe('the last readings', () => {
  const all = [read('total'), read('daily', daily), read('trailing', trailing)];

  it('of a calendar meter are 0 from its reset on, and the other meters keep theirs', () => {
    const ada = someone();
    keep(ada, all, [100, 7, 5]);
    const midnight = NOON + 12 * HOUR_MS;
    expect(last(ada, all, NOON + HOUR_MS)).toEqual({ total: 100, daily: 7, trailing: 5 });
    expect(last(ada, all.slice(0, 2), midnight - 1)).toEqual({ total: 100, daily: 7 });
    expect(last(ada, all.slice(0, 2), midnight)).toEqual({ total: 100, daily: 0 });
  });

  it('of a trailing meter stay until all that was read has left the window', () => {
    const ada = someone();
    const readings = new Map([['trailing', { used: 5, resetsAt: NOON + HOUR_MS }]]);
    keepReadings('env_1', ada, { at: NOON, reads: all.slice(2), readings, factsVersion: 1 });
    expect(last(ada, all, NOON + 6 * HOUR_MS)).toEqual({ trailing: 5 });
    expect(last(ada, all, NOON + 6 * HOUR_MS + 1)).toEqual({ trailing: 0 });
  });

  it('leave out only the properties that were never read, or with another window', () => {
    const ada = someone();
    keep(ada, all, [100, 7, 5]);
    const changed = [read('total'), read('daily', trailing), read('other')];
    expect(last(ada, changed)).toEqual({ total: 100 });
    expect(last(ada, [read('total', { ...lifetime, limit: 5 })])).toEqual({ total: 100 });
    expect(last(ada, [read('total', { ...lifetime, uniqueResourceIds: true })])).toEqual({});
  });

  it('end after a day, each for itself', () => {
    const ada = someone();
    keep(ada, [read('total')], [1]);
    keep(ada, [read('other')], [2], NOON + HOUR_MS);
    const both = [read('total'), read('other')];
    expect(last(ada, both, NOON + DAY_MS)).toEqual({ total: 1, other: 2 });
    expect(last(ada, both, NOON + DAY_MS + 1)).toEqual({ other: 2 });
  });

  it('are kept for every property and window that requests alternate between', () => {
    const ada = someone();
    const [total, other] = [[read('total')], [read('total', daily), read('other')]];
    for (const by of [1, 2]) {
      keep(ada, total, [by], NOON + by);
      keep(ada, other, [by + 10, by + 20], NOON + by);
    }
    expect(last(ada, total, NOON + 3)).toEqual({ total: 2 });
    expect(last(ada, other, NOON + 3)).toEqual({ total: 12, other: 22 });
  });
});

describe('keeping readings', () => {
  class Untouched extends Map<string, MeterReading> {
    override get(): never {
      throw new Error('read again');
    }
  }

  it('does nothing for each property that newer readings cover', () => {
    const ada = someone();
    keep(ada, many(3), [1, 1, 1], NOON, new Untouched());
    keep(ada, many(3), [2, 2, 2], NOON, new Untouched());
    keep(ada, [read('prop_first'), ...many(4)], [3, 3, 3, 3, 3]);
    expect(last(ada, many(3))).toEqual({ prop_0: 3, prop_1: 3, prop_2: 3 });
  });

  it('keeps fewer customers the more readings each has', () => {
    const [first, latest] = [someone(), someone()];
    const reads = many(100);
    keep(first, reads, []);
    for (let index = 0; index < 2_000; index++) keep(someone(), reads, []);
    keep(latest, reads, []);
    expect(last(first, reads)).toEqual({});
    expect(Object.keys(last(latest, reads))).toHaveLength(100);
  });

  it('weighs a customer whose readings become more', () => {
    const first = someone();
    keep(first, many(1), []);
    const grown = Array.from({ length: 2_000 }, someone);
    for (const each of grown) keep(each, many(1), []);
    expect(last(first, many(1))).toEqual({ prop_0: 0 });
    for (const each of grown) keep(each, many(100), []);
    expect(last(first, many(1))).toEqual({});
  });
});
