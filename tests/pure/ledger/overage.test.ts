// What enforced usage may take above a quota and all grants, as its meter allows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CounterUpdate, UpdateOutcome } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { overageLimit } from '#engine/values/kinds/overage';
import { Place, type Quota } from './place.ts';

const NOW = Date.UTC(2026, 10, 29, 9);
const LOCATIONS = ['apac', 'sam', 'weur'] as const satisfies Location[];
const GRANT = { grant: 'bal_a', amount: 30 };

const quotas: fc.Arbitrary<Quota> = fc
  .record({
    limit: fc.integer({ min: 0, max: 30 }),
    sources: fc.constantFrom(undefined, ['quota', GRANT] as const, [GRANT, 'quota'] as const),
    overage: fc.constantFrom(undefined, 'allow' as const, { upTo: 1 }, { upTo: 25 }),
  })
  .map(({ limit, sources, overage }) => ({
    limit,
    ...(sources && { sources }),
    ...(overage && { overage }),
  }));

const amountOf = ({ limit, sources }: Quota) => limit + (sources === undefined ? 0 : GRANT.amount);

/** Above the quota: what no grant paid for. */
function overageOf(place: Place, { limit }: Quota): number {
  const { used, draws } = place.read(NOW);
  return Math.max(0, used - (draws?.inWindow ?? 0) - limit);
}

const accepted = (outcome: UpdateOutcome) => outcome.kind === 'decided' && outcome.accepted;

const steps = fc.array(
  fc.record({
    by: fc.integer({ min: 1, max: 12 }),
    kind: fc.constantFrom('count', 'count', 'report', 'give back', 'hold', 'settle', 'extend'),
  }),
  { maxLength: 40 },
);

it('an enforced update or hold is accepted exactly while quota, grants and overage have room for all of it', () => {
  fc.assert(
    fc.property(quotas, steps, (quota, given) => {
      const place = new Place('weur', ['weur']);
      const most = overageLimit(quota.overage);
      const holds: { readonly name: string; amount: number }[] = [];
      /** What is counted, and how much of it the grant paid. */
      let [used, drawn] = [0, 0];
      const roomIn = () => {
        const onQuota = used - drawn;
        const left = Math.max(0, quota.limit - onQuota) + (quota.sources ? GRANT.amount - drawn : 0);
        return left + Math.max(0, most - Math.max(0, onQuota - quota.limit));
      };
      for (const [index, { by, kind }] of given.entries()) {
        const room = roomIn();
        const decide = (update: Partial<CounterUpdate>) => place.decide(NOW, update, quota);
        const last = holds.at(-1);
        if (kind === 'count') expect(accepted(decide({ by }))).toBe(by <= room);
        // What is reported has been used: it counts whatever is allowed.
        else if (kind === 'report') expect(accepted(decide({ by, enforce: false }))).toBe(true);
        else if (kind === 'give back') decide({ by: -by });
        else if (kind === 'hold') {
          const hold = { kind: 'open', id: `h${index}`, lastsMs: 60_000, orLess: index % 2 === 0 } as const;
          const outcome = decide({ by, hold });
          expect(accepted(outcome)).toBe(hold.orLess ? room >= 1 : by <= room);
          if (outcome.kind === 'decided' && outcome.hold !== undefined) {
            const { name, amount } = outcome.hold;
            expect(amount).toBe(Math.min(by, room));
            holds.push({ name, amount });
          }
        } else if (last !== undefined && kind === 'extend') {
          const hold = { kind: 'extend', name: last.name, lastsMs: 60_000, key: null } as const;
          const fits = accepted(decide({ by, hold }));
          expect(fits).toBe(by <= room);
          if (fits) last.amount += by;
        } else if (last !== undefined && kind === 'settle') {
          const hold = { kind: 'settle', name: last.name, onExcess: 'overflow' } as const;
          expect(accepted(decide({ by, enforce: false, hold }))).toBe(true);
          holds.pop();
        }
        const read = place.read(NOW);
        [used, drawn] = [read.used, read.draws?.inWindow ?? 0];
      }
    }),
    { numRuns: 500 },
  );
});

it('while locations cannot hear each other, they together allow no more overage than was left', () => {
  const apart = fc.array(fc.record({ place: fc.nat(2), by: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(quotas, fc.integer({ min: 0, max: 70 }), apart, (quota, before, given) => {
      const all = LOCATIONS.map((location) => new Place(location, LOCATIONS));
      const meet = () => {
        for (const to of all) for (const from of all) if (to !== from) to.receive(from, NOW);
      };
      all[0]!.decide(NOW, { by: before, enforce: false }, quota);
      meet();
      const most = Math.max(overageLimit(quota.overage), overageOf(all[0]!, quota));
      for (const place of all) place.isPeerSilent = true;
      let refused = 0;
      for (const { place, by } of given) refused += accepted(all[place]!.decide(NOW, { by }, quota)) ? 0 : 1;
      meet();
      meet();
      const { used } = all[0]!.read(NOW);
      if (quota.overage === 'allow') expect(refused).toBe(0);
      else expect(used).toBeLessThanOrEqual(Math.max(before, amountOf(quota) + most));
    }),
    { numRuns: 500 },
  );
});

it('a hold above all balances gives back the overage first, and then what it took from them', () => {
  const place = new Place('weur', ['weur']);
  const quota: Quota = { limit: 5, overage: { upTo: 9 }, sources: ['quota', { grant: 'a', amount: 10 }] };
  const hold = { kind: 'open', id: 'h', lastsMs: 60_000, orLess: false } as const;
  const opened = place.decide(NOW, { by: 20, hold }, quota);
  if (opened.kind !== 'decided' || opened.hold === undefined) throw new Error(opened.kind);
  const settle = { kind: 'settle', name: opened.hold.name, onExcess: 'overflow' } as const;
  place.decide(NOW, { by: 12, hold: settle, enforce: false }, quota);
  expect(place.read(NOW)).toMatchObject({ used: 12, draws: { inWindow: 7, grants: { a: 7 } } });
});
