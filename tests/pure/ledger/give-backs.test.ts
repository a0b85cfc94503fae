// A give-back removes usage, and never becomes credit in a later window.

import { expect, it } from 'vitest';
import type { CounterUpdate, UpdateOutcome } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { MONTH, OneLedger } from './one-ledger.ts';
import { Place } from './place.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OCTOBER = Date.UTC(2026, 9, 20);
const NOVEMBER = Date.UTC(2026, 10, 1);
const TRAILING: Meter = { ...MONTH, periodType: 'fixed' };
const LIFETIME: Meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false };

class Customer extends OneLedger {
  update(
    now: number,
    meter: Meter,
    given: Partial<CounterUpdate>,
  ): Extract<UpdateOutcome, { kind: 'decided' }> {
    const outcome = this.apply(now, meter, { enforce: true, ...given });
    if (outcome?.kind !== 'decided') throw new Error(JSON.stringify(outcome));
    return outcome;
  }
}

it('usage of a previous recurring window cannot be given back', () => {
  const ada = new Customer();
  ada.update(OCTOBER, MONTH, { by: 10 });
  expect(ada.update(NOVEMBER, MONTH, { by: -10 })).toMatchObject({ accepted: true, applied: 0 });
  expect(ada.update(NOVEMBER, MONTH, { by: 11 })).toMatchObject({ accepted: false });
  expect(ada.update(NOVEMBER, MONTH, { by: 10 })).toMatchObject({ accepted: true });
  expect(ada.used(NOVEMBER, LIFETIME)).toBe(20);
});

it('a give-back leaves a trailing window together with the usage that it removed', () => {
  const ada = new Customer();
  ada.update(OCTOBER, TRAILING, { by: 10 });
  expect(ada.update(NOVEMBER, TRAILING, { by: -4 })).toMatchObject({ applied: -4, reading: { used: 6 } });
  const later = OCTOBER + 32 * DAY;
  expect(ada.used(later, TRAILING)).toBe(0);
  expect(ada.update(later, TRAILING, { by: 11 })).toMatchObject({ accepted: false });
  expect(ada.update(later, TRAILING, { by: 10 })).toMatchObject({ accepted: true });
});

it('a give-back of lifetime usage is no credit in a shorter window of the same property', () => {
  const ada = new Customer();
  ada.update(OCTOBER, LIFETIME, { by: 7 });
  ada.update(NOVEMBER, LIFETIME, { by: 2 });
  expect(ada.update(NOVEMBER + HOUR, LIFETIME, { by: -8 })).toMatchObject({
    applied: -8,
    reading: { used: 1 },
  });
  expect(ada.update(NOVEMBER + HOUR, MONTH, { by: 11 })).toMatchObject({ accepted: false });
  expect(ada.update(NOVEMBER + HOUR, MONTH, { by: 10 })).toMatchObject({ accepted: true });
});

it('releasing a resource that was taken in a previous window gives nothing back in the current one', () => {
  const ada = new Customer();
  const seats = { ...MONTH, uniqueResourceIds: true };
  ada.update(OCTOBER, seats, { resourceId: 'seat' });
  expect(ada.update(NOVEMBER, seats, { resourceId: 'seat', release: true })).toMatchObject({ applied: -1 });
  expect(ada.update(NOVEMBER, MONTH, { by: 11 })).toMatchObject({ accepted: false });
});

it('usage counted in another location is given back where it was counted', () => {
  const [home, away] = [new Customer('weur'), new Customer('apac')];
  away.update(OCTOBER, TRAILING, { by: 10 });
  home.receive(away, OCTOBER);
  expect(home.update(NOVEMBER, TRAILING, { by: -4 })).toMatchObject({ applied: -4, reading: { used: 6 } });
  away.receive(home, NOVEMBER);
  for (const each of [home, away]) {
    expect(each.used(NOVEMBER, TRAILING)).toBe(6);
    expect(each.used(OCTOBER + 32 * DAY, TRAILING)).toBe(0);
  }
});

it('a give-back that loses to another decision restores all usage that it removed', () => {
  const [winner, loser] = [new Customer('apac'), new Customer('weur')];
  loser.update(OCTOBER, TRAILING, { by: 3 });
  loser.update(OCTOBER + DAY, TRAILING, { by: 3 });
  winner.receive(loser, OCTOBER + DAY);
  const now = OCTOBER + 2 * DAY;
  const key = { text: 'key', bodyHash: 'body' };
  for (const each of [winner, loser]) {
    expect(each.update(now, TRAILING, { by: -5, key })).toMatchObject({ applied: -5 });
  }
  loser.receive(winner, now);
  winner.receive(loser, now);
  for (const each of [winner, loser]) {
    expect(each.used(now, TRAILING)).toBe(1);
    expect(each.used(now, LIFETIME)).toBe(1);
    expect(each.used(now, { ...TRAILING, periodLength: 'hour', periodCount: 36 })).toBe(0);
  }
});

it('usage is given back even where locations have counted more together than fits a number', () => {
  const [home, away] = [new Customer('weur'), new Customer('apac')];
  away.update(OCTOBER, LIFETIME, { by: Number.MAX_SAFE_INTEGER, enforce: false });
  home.update(OCTOBER, LIFETIME, { by: 5, enforce: false });
  home.receive(away, OCTOBER);
  expect(() => home.update(OCTOBER, LIFETIME, { by: 1, enforce: false })).toThrow('too-large');
  expect(home.update(OCTOBER, LIFETIME, { by: -2, enforce: false })).toMatchObject({ applied: -2 });
  expect(() => home.update(OCTOBER, LIFETIME, { by: 1, enforce: false })).toThrow('too-large');
  expect(home.update(OCTOBER, LIFETIME, { by: -4, enforce: false })).toMatchObject({ applied: -4 });
  expect(home.update(OCTOBER, LIFETIME, { by: 1, enforce: false })).toMatchObject({ applied: 1 });
});

it('what a grant paid for days ago goes back to it, however wide the usage and its draws are stored', () => {
  const sources = [{ grant: 'a', amount: 20 }, 'quota'] as const;
  const quota = { limit: 100, sources };
  const onQuota = { limit: 100, sources: ['quota'] as const };
  const place = new Place('weur', ['weur']);
  for (let day = 0; day < 13; day++) place.decide(OCTOBER + day * DAY, { by: 1 }, onQuota);
  // Their draws are stored by the hour once there are some of later, and they themselves by the minute.
  const before = OCTOBER + 13 * DAY;
  place.decide(before + HOUR / 4, { by: 1 }, quota);
  place.decide(before + HOUR / 2, { by: 3 }, quota);
  const now = before + 4 * DAY;
  place.decide(now, { by: 2 }, quota);
  const taken = { grant: 'a', amount: -2 };
  expect(place.decide(now, { by: -4 }, quota)).toMatchObject({ applied: -4, draws: [taken, taken] });
  expect(place.read(now)).toMatchObject({ used: 15, draws: { inWindow: 2, grants: { a: 2 } } });
});
