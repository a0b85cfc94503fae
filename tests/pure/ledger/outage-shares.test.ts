// While locations cannot hear each other, they together take no more than was left when that was noticed.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Location } from '#contracts/public/locations';
import { Place, type Quota } from './place.ts';

const NOW = Date.UTC(2026, 10, 29, 9);
const LOCATIONS = ['apac', 'sam', 'weur'] as const satisfies Location[];
const GRANT = { grant: 'bal_a', amount: 60 };

const places = () => LOCATIONS.map((location) => new Place(location, LOCATIONS));

function heal(all: readonly Place[]): void {
  for (let round = 0; round < 3; round++)
    for (const to of all) for (const from of all) if (to !== from) to.receive(from, NOW);
}

const quotas: fc.Arbitrary<Quota> = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((limit) => ({ limit })),
  fc.integer({ min: 0, max: 40 }).map((limit) => ({ limit, sources: ['quota', GRANT] as const })),
);
const steps = fc.array(
  fc.record({
    place: fc.nat(2),
    by: fc.integer({ min: 1, max: 9 }),
    kind: fc.constantFrom('count', 'count', 'hold', 'settle'),
    orLess: fc.boolean(),
  }),
  { maxLength: 60 },
);

it('takes at most what was left, from the quota and from each grant, and all of it when they hear each other again', () => {
  fc.assert(
    fc.property(
      quotas,
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }),
      steps,
      (quota, before, given) => {
        const all = places();
        for (const by of before) all[0]!.decide(NOW, { by }, quota);
        heal(all);
        for (const place of all) place.isPeerSilent = true;
        const holds: { readonly place: Place; readonly name: string; readonly amount: number }[] = [];
        for (const [index, { place: number, by, kind, orLess }] of given.entries()) {
          const place = all[number]!;
          const last = holds.at(-1);
          if (kind === 'settle' && last !== undefined) {
            const hold = { kind: 'settle', name: last.name, onExcess: 'overflow' } as const;
            const used = Math.min(by, last.amount);
            last.place.decide(NOW, { by: used, hold, enforce: false }, quota);
            holds.pop();
          } else if (kind === 'hold') {
            const hold = { kind: 'open', id: `h${index}`, lastsMs: 60_000, orLess } as const;
            const outcome = place.decide(NOW, { by, hold }, quota);
            if (outcome.kind === 'decided' && outcome.hold !== undefined)
              holds.push({ place, name: outcome.hold.name, amount: outcome.hold.amount });
          } else place.decide(NOW, { by }, quota);
        }
        heal(all);
        const { used, draws } = all[0]!.read(NOW);
        expect(used - (draws?.inWindow ?? 0)).toBeLessThanOrEqual(quota.limit);
        expect(draws?.grants[GRANT.grant] ?? 0).toBeLessThanOrEqual(GRANT.amount);
        // All that is left can be taken by anybody again.
        for (const place of all) place.isPeerSilent = false;
        const amount = quota.limit + (quota.sources === undefined ? 0 : GRANT.amount) - used;
        if (amount > 0) expect(all[2]!.decide(NOW, { by: amount }, quota)).toMatchObject({ accepted: true });
      },
    ),
    { numRuns: 1_000 },
  );
});

it('a refusal in an outage says that usage may be incomplete, and what is not enforced is counted', () => {
  const [place] = places();
  place!.decide(NOW, { by: 0 }, { limit: 30 });
  for (const peer of ['sam', 'weur'] as const)
    place!.ledger.commit(() => place!.ledger.copies.save('ada', peer));
  place!.isPeerSilent = true;
  const quota = { limit: 30 };
  expect(place!.answer(NOW, { by: 10 }, quota)).toMatchObject({
    outcomes: [{ accepted: true }],
    isWhole: true,
  });
  expect(place!.answer(NOW, { by: 1 }, quota)).toMatchObject({
    outcomes: [{ accepted: false }],
    isWhole: false,
  });
  expect(place!.answer(NOW, { by: 5, enforce: false }, quota)).toMatchObject({
    outcomes: [{ accepted: true }],
  });
});

it('what could not be stored took nothing of the share', () => {
  const [place] = places();
  place!.isPeerSilent = true;
  const quota = { limit: 30 };
  place!.store.crashesNext = true;
  expect(() => place!.decide(NOW, { by: 7 }, { limit: 12 })).toThrow();
  expect(place!.decide(NOW, { by: 1 }, quota)).toMatchObject({ accepted: true });
  place!.store.crashesNext = true;
  expect(() => place!.decide(NOW, { by: 9, enforce: false }, quota)).toThrow();
  expect(place!.decide(NOW, { by: 9 }, quota)).toMatchObject({ accepted: true });
});

it('what a hold did not use is of the share again', () => {
  const [place] = places();
  place!.isPeerSilent = true;
  const quota = { limit: 30 };
  for (let index = 0; index < 10; index++) {
    const hold = { kind: 'open', id: `h${index}`, lastsMs: 60_000, orLess: false } as const;
    const outcome = place!.decide(NOW, { by: 9, hold }, quota);
    if (outcome.kind !== 'decided' || outcome.hold === undefined) throw new Error(JSON.stringify(outcome));
    const settle = { kind: 'settle', name: outcome.hold.name, onExcess: 'overflow' } as const;
    place!.decide(NOW, { by: index === 0 ? 1 : 0, hold: settle, enforce: false }, quota);
  }
  expect(place!.read(NOW)).toMatchObject({ used: 1 });
});
