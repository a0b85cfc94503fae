// What an update also counts, compared after each step with plain sums: on another meter at a cost, and on an entity's account.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { AlsoCount, CounterUpdate, UpdateOutcome } from '#contracts/internal/ledger';
import { MAX_ENTITIES } from '#engine/ledger/account';
import { scaledBy, unscaledBy } from '#engine/ledger/also-counts';
import { Crash } from './ledger-memory-store.ts';
import { METER, Place, type Quota } from './place.ts';

const START = Date.UTC(2026, 11, 31, 23, 20);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FREE: Quota = { limit: 1_000_000 };
const GRANT = 'bal_credits';

/** Limits of what an update counts on. */
interface Limits {
  readonly calls: number;
  readonly credits: number;
  /** Bought beside the quota of credits. */
  readonly bought: number;
  readonly perEntity: number;
}

const metered = (limit: number) => ({ state: 'metered', meter: { ...METER, limit } }) as const;

function alsoOf({ credits, bought, perEntity }: Limits, per: number, entity: string | null): AlsoCount[] {
  const cost: AlsoCount = {
    ...{ propertyId: 'prop_credits', per, value: metered(credits) },
    sources: ['quota', { grant: GRANT, amount: bought }],
  };
  if (entity === null) return [cost];
  return [cost, { propertyId: 'prop_calls', entity, value: metered(perEntity) }];
}

const decidedOf = (outcome: UpdateOutcome) => {
  if (outcome.kind !== 'decided') throw new Error(outcome.kind);
  return outcome;
};
const ceil = (amount: number, per: number) => Math.ceil((amount * per) / 1000);

const limits = fc.record({
  calls: fc.integer({ min: 0, max: 40 }),
  credits: fc.integer({ min: 0, max: 30 }),
  bought: fc.integer({ min: 0, max: 20 }),
  perEntity: fc.integer({ min: 0, max: 25 }),
});
const per = fc.constantFrom(1, 250, 333, 1000, 2500);
const entity = fc.constantFrom(null, 'user_7', 'user@8');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('count' as const),
    ...{ by: fc.integer({ min: 1, max: 12 }), enforce: fc.boolean(), per, entity, isCrash: fc.boolean() },
    key: fc.option(fc.constantFrom('a', 'b', 'c')),
  }),
  fc.record({
    kind: fc.constant('hold' as const),
    ...{ by: fc.integer({ min: 1, max: 12 }), orLess: fc.boolean(), per, entity },
    /** Null: it ends by the clock. */
    used: fc.option(fc.integer({ min: 0, max: 15 })),
    more: fc.option(fc.integer({ min: 1, max: 6 })),
  }),
);

/** What should be: of calls, credits and each entity, what is used. */
class Reference {
  readonly used = new Map<string, number>();
  readonly keys = new Map<string, UpdateOutcome>();

  of(name: string): number {
    return this.used.get(name) ?? 0;
  }

  add(name: string, amount: number): void {
    this.used.set(name, this.of(name) + amount);
  }

  /** By the name of each account and meter: what it counts, and what it has. */
  partsOf(by: number, cost: number, who: string | null, { calls, credits, bought, perEntity }: Limits) {
    const parts = [
      { name: 'calls', amount: by, limit: calls },
      { name: 'credits', amount: ceil(by, cost), limit: credits + bought },
    ];
    return who === null ? parts : [...parts, { name: who, amount: by, limit: perEntity }];
  }
}

function expectUsage(place: Place, reference: Reference, now: number): void {
  expect(place.read(now).used, 'calls').toBe(reference.of('calls'));
  expect(place.read(now, { propertyId: 'prop_credits' }).used, 'credits').toBe(reference.of('credits'));
  for (const each of ['user_7', 'user@8'])
    expect(place.read(now, { entity: each }).used, each).toBe(reference.of(each));
}

describe('what an update also counts', () => {
  it('is counted with it or not at all, and held, extended, settled and given back with it', () => {
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 25 }), (has, steps) => {
        const place = new Place('weur', ['weur']);
        const reference = new Reference();
        let now = START;
        for (const [index, each] of steps.entries()) {
          now += MINUTE;
          const also = alsoOf(has, each.per, each.entity);
          const fits = (by: number) =>
            reference
              .partsOf(by, each.per, each.entity, has)
              .every(({ name, amount, limit }) => reference.of(name) + amount <= limit);
          const addAll = (by: number) => {
            for (const { name, amount } of reference.partsOf(by, each.per, each.entity, has))
              reference.add(name, amount);
          };
          if (each.kind === 'count') {
            const { by, enforce, key } = each;
            const bodyHash = JSON.stringify([by, enforce, each.per, each.entity]);
            const update = { by, enforce, also, ...(key !== null && { key: { text: key, bodyHash } }) };
            if (each.isCrash) {
              place.store.crashesNext = true;
              expect(() => place.decide(now, update, { limit: has.calls })).toThrow(Crash);
              place.restart();
            }
            const outcome = place.decide(now, update, { limit: has.calls });
            const known = key === null ? undefined : reference.keys.get(key);
            if (known !== undefined) {
              if (outcome.kind !== 'conflict') {
                const { replayed, ...first } = decidedOf(outcome);
                expect(first).toEqual({ ...known, replayed: undefined });
              }
            } else {
              const { accepted, also: others } = decidedOf(outcome);
              expect(accepted).toBe(!enforce || fits(by));
              const parts = reference.partsOf(by, each.per, each.entity, has).slice(1);
              expect(others?.map(({ applied }) => applied)).toEqual(
                parts.map(({ amount }) => (accepted ? amount : 0)),
              );
              if (accepted) addAll(by);
              const { replayed, ...first } = decidedOf(outcome);
              if (key !== null) reference.keys.set(key, { ...first, replayed: undefined as never });
            }
          } else {
            const { by, orLess, used, more } = each;
            const hold = { kind: 'open', id: `h${index}`, lastsMs: 30 * MINUTE, orLess } as const;
            const quota = { limit: has.calls };
            const most = orLess ? Math.max(1, range(by).findLast(fits) ?? 1) : by;
            const { accepted, hold: held } = decidedOf(place.decide(now, { by, hold, also }, quota));
            expect(accepted).toBe(fits(most));
            if (!accepted || held === undefined) continue;
            expect(held.amount).toBe(most);
            if (each.entity !== null) expect(held.entity).toBe(each.entity);
            addAll(most);
            const total = place.read(now);
            expect(total.held?.amount).toBe(most);
            expect(place.read(now, { propertyId: 'prop_credits' }).held?.amount).toBe(
              ceil(most, each.per) || undefined,
            );
            let [whole, credits] = [most, ceil(most, each.per)];
            if (more !== null) {
              const extension = { kind: 'extend', name: held.name, lastsMs: 30 * MINUTE, key: null } as const;
              const isMore = decidedOf(
                place.decide(now, { by: more, hold: extension, also }, quota),
              ).accepted;
              expect(isMore).toBe(fits(more));
              if (isMore) {
                addAll(more);
                [whole, credits] = [whole + more, credits + ceil(more, each.per)];
              }
            }
            const back = (amount: number, cost: number) => {
              for (const { name } of reference.partsOf(0, 0, each.entity, has))
                reference.add(name, name === 'credits' ? cost - credits : amount - whole);
            };
            if (used === null) {
              now += 30 * MINUTE;
              back(0, 0);
              expectUsage(place, reference, now);
              place.ledger.endHolds(now);
            } else {
              const settle = { kind: 'settle', name: held.name, onExcess: 'overflow' } as const;
              const settled = decidedOf(
                place.decide(now, { by: used, enforce: false, hold: settle, also }, quota),
              );
              expect(settled.applied).toBe(used);
              expect(settled.also?.[0]?.applied).toBe(ceil(used, each.per));
              back(used, ceil(used, each.per));
            }
          }
          expectUsage(place, reference, now);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is given back: what costs less than one, rounded down', () => {
    const place = new Place('weur', ['weur']);
    const also = alsoOf({ calls: 0, credits: 100, bought: 0, perEntity: 100 }, 250, 'user_7');
    place.decide(START, { by: 9, also }, FREE);
    expect(place.read(START, { propertyId: 'prop_credits' }).used).toBe(3);
    const outcome = decidedOf(place.decide(START, { by: -7, also }, FREE));
    expect(outcome.also).toMatchObject([{ applied: -1 }, { applied: -7 }]);
    expect(place.read(START, { propertyId: 'prop_credits' }).used).toBe(2);
    expect(place.read(START, { entity: 'user_7' }).used).toBe(2);
  });

  it('says which of them does not fit', () => {
    const place = new Place('weur', ['weur']);
    const also = alsoOf({ calls: 0, credits: 2, bought: 0, perEntity: 9 }, 500, 'user_7');
    expect(place.decide(START, { by: 9, also }, FREE)).toMatchObject({
      ...{ accepted: false, applied: 0 },
      also: [
        { fits: false, applied: 0 },
        { fits: true, applied: 0, entity: 'user_7' },
      ],
    });
  });

  it('counts a resource on the entity, too, and costs once for it', () => {
    const place = new Place('weur', ['weur']);
    const also = alsoOf({ calls: 0, credits: 9, bought: 0, perEntity: 9 }, 2000, 'user_7');
    const use = (resourceId: string, release?: true) =>
      decidedOf(place.decide(START, { resourceId, release, also }, FREE)).also?.map(({ applied }) => applied);
    expect([use('r1'), use('r1'), use('r2'), use('r1', true), use('r3', true)]).toEqual([
      [2, 1],
      [0, 0],
      [2, 1],
      [-2, -1],
      [0, 0],
    ]);
  });

  it('of two decisions under one key the loser reverts all that it counted, in every location', () => {
    const [apac, weur] = [new Place('apac'), new Place('weur')];
    const also = alsoOf({ calls: 0, credits: 50, bought: 50, perEntity: 50 }, 2000, 'user_7');
    const update = (given: Partial<CounterUpdate>) => ({ also, key: { text: 'k', bodyHash: 'h' }, ...given });
    apac.decide(START, update({ by: 30 }), FREE);
    weur.decide(START + 1, update({ by: 30 }), FREE);
    for (const round of [1, 2, 3])
      for (const [one, other] of [
        [apac, weur],
        [weur, apac],
      ] as const)
        one.receive(other, START + MINUTE * round);
    for (const place of [apac, weur]) {
      expect(place.read(START + DAY / 2).used).toBe(30);
      const credits = place.read(START + DAY / 2, { propertyId: 'prop_credits' });
      expect(credits).toMatchObject({ used: 60, draws: { grants: { [GRANT]: 10 } } });
      expect(place.read(START + DAY / 2, { entity: 'user_7' }).used).toBe(30);
    }
  });

  it('a replaced hold gives back what it also holds', () => {
    const [apac, weur] = [new Place('apac'), new Place('weur')];
    const also = alsoOf({ calls: 0, credits: 50, bought: 0, perEntity: 50 }, 1000, 'user_7');
    const open = (id: string) =>
      ({
        by: 4,
        also,
        key: { text: 'k', bodyHash: 'h' },
        hold: { kind: 'open', id, lastsMs: DAY, orLess: false },
      }) as const;
    apac.decide(START, open('one'), FREE);
    weur.decide(START + 1, open('two'), FREE);
    for (const round of [1, 2, 3]) {
      apac.receive(weur, START + MINUTE * round);
      weur.receive(apac, START + MINUTE * round);
    }
    for (const place of [apac, weur])
      for (const of of [{}, { propertyId: 'prop_credits' }, { entity: 'user_7' }])
        expect(place.read(START + MINUTE * 5, of)).toMatchObject({ used: 4, held: { amount: 4 } });
  });

  it('counts for no further entity than a customer may have', () => {
    const place = new Place('weur', ['weur']);
    vi.spyOn(place.store, 'countEntities').mockReturnValue(MAX_ENTITIES);
    const also = alsoOf({ calls: 0, credits: 9, bought: 0, perEntity: 9 }, 1000, 'user_7');
    expect(place.decide(START, { also }, FREE)).toEqual({ kind: 'too-many-entities' });
    expect(place.read(START).used).toBe(0);
  });

  it('multiplies exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 1_000_000_000 }), (amount, thousandths) => {
        const exact = BigInt(amount) * BigInt(thousandths);
        const [quotient, rest] = [exact / 1000n, exact % 1000n];
        expect(scaledBy(amount, thousandths)).toBe(Number(quotient + (rest > 0n ? 1n : 0n)));
        const most = unscaledBy(Math.abs(amount), thousandths);
        if (most < Number.MAX_SAFE_INTEGER)
          expect(BigInt(scaledBy(most, thousandths)) <= BigInt(Math.abs(amount))).toBe(true);
      }),
    );
  });
});

function range(to: number): number[] {
  return Array.from({ length: to }, (_, index) => index + 1);
}
