// What an update gives back of another one, found by that one's idempotency key.
import { expect, it } from 'vitest';
import type { AlsoCount, DrawSource, UpdateOutcome } from '#contracts/internal/ledger';
import { giveBackKeyOf } from '#engine/ledger/give-back-of';
import { METER, Place, type Quota } from './place.ts';

const START = Date.UTC(2026, 11, 31, 23, 20);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SOURCES: readonly DrawSource[] = ['quota', { grant: 'a', amount: 10 }, { grant: 'b', amount: 10 }];
const FIVE: Quota = { limit: 5, sources: SOURCES };

const keyed = (key: string) => ({ key: { text: key, bodyHash: key } });
const back = (key: string, by?: number) => ({
  ...{ by, givesBack: key },
  key: { text: giveBackKeyOf(key), bodyHash: String(by) },
});
const drawsOf = (place: Place, now: number) => place.read(now).draws?.grants;
const decidedOf = (outcome: UpdateOutcome) => {
  if (outcome.kind !== 'decided') throw new Error(outcome.kind);
  return outcome;
};

it('goes back to where it counted and what it drew from, whatever was used and changed since', () => {
  const place = new Place('weur', ['weur']);
  place.decide(START, { by: 8, ...keyed('one') }, FIVE);
  place.decide(START, { by: 9, ...keyed('two') }, FIVE);
  place.decide(START + MINUTE, { by: 3, ...keyed('three') }, FIVE);
  expect(drawsOf(place, START + MINUTE)).toEqual({ a: 10, b: 5 });
  // `one` took 5 of the quota and 3 of `a`.
  const reordered = { limit: 5, sources: SOURCES.toReversed() };
  const outcome = decidedOf(place.decide(START + 2 * MINUTE, back('one'), reordered));
  expect(outcome).toMatchObject({ accepted: true, applied: -8, draws: [{ grant: 'a', amount: -3 }] });
  expect(place.read(START + 2 * MINUTE)).toMatchObject({ used: 12, draws: { grants: { a: 7, b: 5 } } });
});

it('gives back a part, the last drawn first, and leaves what a grant that has ended paid for', () => {
  const place = new Place('weur', ['weur']);
  place.decide(START, { by: 18, ...keyed('one') }, FIVE);
  const withoutB = { limit: 5, sources: SOURCES.slice(0, 2) };
  expect(decidedOf(place.decide(START, back('one', -6), withoutB))).toMatchObject({
    ...{ applied: -6, draws: [{ grant: 'a', amount: -6 }] },
  });
  const other = new Place('weur', ['weur']);
  other.decide(START, { by: 18, ...keyed('one') }, FIVE);
  expect(decidedOf(other.decide(START, back('one'), withoutB))).toMatchObject({ applied: -15, lost: 3 });
  expect(drawsOf(other, START)).toEqual({ a: 0, b: 3 });
});

it('gives back once: a repetition is answered as at first, another amount is refused', () => {
  const place = new Place('weur', ['weur']);
  place.decide(START, { by: 4, ...keyed('one') }, FIVE);
  const first = decidedOf(place.decide(START, back('one'), FIVE));
  expect(place.decide(START + MINUTE, back('one'), FIVE)).toEqual({ ...first, replayed: true });
  expect(place.decide(START + MINUTE, back('one', -1), FIVE)).toEqual({ kind: 'conflict' });
  expect(place.read(START + MINUTE).used).toBe(0);
});

it('gives back once, asked in two locations that do not know of each other', () => {
  const [apac, weur] = [new Place('apac'), new Place('weur')];
  const exchange = (now: number) => {
    apac.receive(weur, now);
    weur.receive(apac, now);
  };
  apac.decide(START, { by: 8, ...keyed('one') }, FIVE);
  apac.decide(START, { by: 8, ...keyed('two') }, FIVE);
  exchange(START + MINUTE);
  for (const place of [apac, weur])
    expect(place.decide(START + 2 * MINUTE, back('one'), FIVE)).toMatchObject({ applied: -8 });
  for (const round of [3, 4, 5]) exchange(START + round * MINUTE);
  for (const place of [apac, weur])
    expect(place.read(START + 6 * MINUTE)).toMatchObject({ used: 8, draws: { grants: { a: 7, b: 1 } } });
});

it('is found hours later, when usage of its minute is stored with that of others', () => {
  const place = new Place('weur', ['weur']);
  const quota = { limit: 500, sources: ['quota'] as const };
  const grant = { limit: 500, sources: SOURCES.toReversed() };
  const at = START + 31 * MINUTE;
  for (let minute = 0; minute < 31; minute++) place.decide(START + minute * MINUTE, { by: 1 }, quota);
  place.decide(at, { by: 8, ...keyed('one') }, grant);
  for (let minute = 0; minute < 60; minute++) place.decide(START + (180 + minute) * MINUTE, { by: 1 }, quota);
  const now = START + 241 * MINUTE;
  expect(decidedOf(place.decide(now, back('one'), grant))).toMatchObject({
    ...{ applied: -8, draws: [{ grant: 'b', amount: -8 }] },
  });
  expect(place.read(now)).toMatchObject({ used: 91, draws: { inWindow: 0, grants: { b: 0 } } });
});

it('never gives back more than its minute still has', () => {
  const place = new Place('weur', ['weur']);
  place.decide(START, { by: 4, ...keyed('one') }, FIVE);
  place.decide(START, { by: -3 }, FIVE);
  expect(decidedOf(place.decide(START, back('one'), FIVE))).toMatchObject({ applied: -1, lost: 3 });
  expect(place.read(START).used).toBe(0);
});

it('never gives back of the quota what another balance paid for in its minute', () => {
  const place = new Place('weur', ['weur']);
  const [quota, a, b] = SOURCES as [DrawSource, DrawSource, DrawSource];
  place.decide(START, { by: 8, ...keyed('one') }, FIVE);
  place.decide(START, { by: 5 }, { limit: 5, sources: [b] });
  place.decide(START, { by: -5 }, { limit: 5, sources: [a, b, quota] });
  expect(decidedOf(place.decide(START, back('one'), FIVE))).toMatchObject({ applied: -3, lost: 5 });
  expect(place.read(START)).toMatchObject({ used: 5, draws: { inWindow: 5, grants: { a: 0, b: 5 } } });
});

it('gives back what was also counted: all with all, with a part its share, rounded down', () => {
  const value = { state: 'metered', meter: { ...METER, limit: 100 } } as const;
  const also: AlsoCount[] = [
    { propertyId: 'prop_credits', per: 250, value, sources: ['quota'] },
    { propertyId: 'prop_calls', entity: 'user_7', value },
  ];
  const played = (by?: number) => {
    const place = new Place('weur', ['weur']);
    place.decide(START, { by: 3, also, ...keyed('one') }, FIVE);
    place.decide(START, { by: 5, also, ...keyed('two') }, FIVE);
    const outcome = decidedOf(place.decide(START, back('two', by), FIVE));
    return outcome.also?.map(({ applied }) => applied);
  };
  expect(played()).toEqual([-2, -5]);
  expect(played(-2)).toEqual([0, -2]);
  expect(played(-3)).toEqual([-1, -3]);
});

it('gives nothing back of what is unknown, refused, of another property, held, a resource, or a day old', () => {
  const place = new Place('weur', ['weur']);
  const nothing = { kind: 'nothing-to-give-back' };
  place.decide(START, { by: 40, ...keyed('refused') }, FIVE);
  place.decide(START, { by: 1, propertyId: 'prop_other', ...keyed('other') }, FIVE);
  const hold = { kind: 'open', id: 'h', lastsMs: MINUTE, orLess: false } as const;
  place.decide(START, { by: 1, hold, ...keyed('held') }, FIVE);
  place.decide(START, { resourceId: 'r', ...keyed('resource') }, FIVE);
  place.decide(START, { by: 1, ...keyed('one') }, FIVE);
  for (const key of ['unknown', 'refused', 'other', 'held', 'resource'])
    expect(place.decide(START, back(key), FIVE), key).toEqual(nothing);
  expect(place.decide(START + DAY, back('one'), FIVE)).toEqual(nothing);
});
