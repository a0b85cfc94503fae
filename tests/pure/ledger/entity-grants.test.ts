// Grants of a customer's entities, compared after each step with a list that takes one unit after the other.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlsoCount, CounterUpdate, DrawSource, UpdateOutcome } from '#contracts/internal/ledger';
import { METER, Place } from './place.ts';

const START = Date.UTC(2026, 11, 31, 23, 20);
const MINUTE = 60_000;
const ENTITIES = ['user_7', 'user_8'] as const;
type Entity = (typeof ENTITIES)[number];

interface Limits {
  readonly quota: number;
  /** Of each entity; null: each may use what the customer may. */
  readonly perEntity: number | null;
  /** Where the customer's quota is in the order. */
  readonly quotaAt: number;
  readonly bought: number;
  readonly own: number;
  /** Nothing limits the customer itself. */
  readonly isUnlimited: boolean;
}

const ownGrant = (entity: Entity) => `bal_m_${entity}`;

/** In the order of drawing. */
function sourcesOf({ quotaAt, bought, own }: Limits, entity: Entity | null): DrawSource[] {
  const theirs: DrawSource[] = entity === null ? [] : [{ grant: ownGrant(entity), amount: own, entity }];
  const all: DrawSource[] = [...theirs, { grant: 'bal_a', amount: bought }];
  return all.toSpliced(quotaAt, 0, 'quota');
}

const metered = (limit: number) => ({ state: 'metered', meter: { ...METER, limit } }) as const;

function updateOf(limits: Limits, entity: Entity | null): Partial<CounterUpdate> {
  const { perEntity, isUnlimited, quota } = limits;
  const value = isUnlimited ? ({ state: 'on' } as const) : metered(quota);
  const limited: Pick<AlsoCount, 'value' | 'usageMeter'> =
    perEntity === null ? { value: { state: 'on' }, usageMeter: METER } : { value: metered(perEntity) };
  const sources = isUnlimited && perEntity === null ? undefined : sourcesOf(limits, entity);
  const also = entity === null ? undefined : [{ propertyId: 'prop_calls', entity, ...limited }];
  return { value, usageMeter: isUnlimited ? METER : undefined, sources, also };
}

class Readings {
  readonly customer;
  readonly entities: ReadonlyMap<Entity, ReturnType<Place['read']>>;

  constructor(place: Place, now: number) {
    this.customer = place.read(now);
    this.entities = new Map(ENTITIES.map((entity) => [entity, place.read(now, { entity })]));
  }

  drawn(grant: string): number {
    return this.customer.draws?.grants[grant] ?? 0;
  }

  quotaUsed(entity?: Entity): number {
    const { used, draws } = entity === undefined ? this.customer : this.entities.get(entity)!;
    return used - (draws?.inWindow ?? 0);
  }

  get numbers() {
    const entities = ENTITIES.map((each) => [this.entities.get(each)!.used, this.quotaUsed(each)]);
    const drawn = ['bal_a', ...ENTITIES.map(ownGrant)].map((each) => this.drawn(each));
    return { used: this.customer.used, quotaUsed: this.quotaUsed(), drawn, entities };
  }

  /** Unit by unit: the first source that has one, and is the entity's or within its limit. */
  split(limits: Limits, entity: Entity | null, amount: number) {
    const { quota, perEntity, isUnlimited } = limits;
    const left = new Map<DrawSource, number>();
    for (const each of sourcesOf(limits, entity)) {
      const quotaLeft = isUnlimited ? Infinity : quota - this.quotaUsed();
      left.set(each, each === 'quota' ? quotaLeft : each.amount - this.drawn(each.grant));
    }
    const isFree = isUnlimited && (entity === null || perEntity === null);
    let ownLeft = entity === null || perEntity === null ? Infinity : perEntity - this.quotaUsed(entity);
    const drawn: Record<string, number> = {};
    let [fitting, overage] = [0, 0];
    for (let unit = 0; unit < amount; unit++) {
      const has = ([, rest]: [DrawSource, number]) => rest > 0;
      const isEntitys = (source: DrawSource) => source !== 'quota' && source.entity !== undefined;
      const within = [...left].find((each) => has(each) && (isEntitys(each[0]) || ownLeft > 0));
      const found = within ?? [...left].find((each) => has(each));
      if (within !== undefined) fitting += 1;
      if (found === undefined) {
        overage += 1;
        continue;
      }
      const [source, rest] = found;
      left.set(source, rest - 1);
      if (!isEntitys(source)) ownLeft -= 1;
      if (source !== 'quota') drawn[source.grant] = (drawn[source.grant] ?? 0) + 1;
    }
    return { drawn: isFree ? {} : drawn, fitting, overage };
  }
}

const decidedOf = (outcome: UpdateOutcome) => {
  if (outcome.kind !== 'decided') throw new Error(outcome.kind);
  return outcome;
};
const drawsOf = ({ draws = [] }: Extract<UpdateOutcome, { kind: 'decided' }>) => {
  const sums: Record<string, number> = {};
  for (const { grant, amount } of draws) sums[grant] = (sums[grant] ?? 0) + amount;
  return sums;
};

const limits: fc.Arbitrary<Limits> = fc.record({
  quota: fc.nat(25),
  perEntity: fc.option(fc.nat(12)),
  quotaAt: fc.nat(2),
  bought: fc.nat(12),
  own: fc.nat(12),
  isUnlimited: fc.constantFrom(false, false, true),
});
const entity = fc.constantFrom(null, ...ENTITIES, ...ENTITIES);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    by: fc.integer({ min: 1, max: 9 }),
    enforce: fc.boolean(),
    entity,
  }),
  fc.record({ kind: fc.constant('give back' as const), by: fc.integer({ min: 1, max: 9 }), entity }),
  fc.record({
    kind: fc.constant('give back one' as const),
    which: fc.nat(9),
    by: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({
    ...{
      kind: fc.constant('hold' as const),
      by: fc.integer({ min: 1, max: 9 }),
      orLess: fc.boolean(),
      entity,
    },
    more: fc.option(fc.integer({ min: 1, max: 5 })),
    /** Null: it ends by the clock. */
    used: fc.option(fc.nat(15)),
  }),
);

/** What of it holds whatever happens. */
function expectLaws(place: Place, limits: Limits, now: number): Readings {
  const read = new Readings(place, now);
  for (const each of ENTITIES) {
    const its = read.entities.get(each)!;
    expect(its.draws?.grants[ownGrant(each)] ?? 0, each).toBe(read.drawn(ownGrant(each)));
    expect(Object.keys(its.draws?.grants ?? {}).filter((grant) => grant !== ownGrant(each))).toEqual([]);
    expect(read.drawn(ownGrant(each))).toBeLessThanOrEqual(limits.own);
    expect(read.quotaUsed(each), each).toBeGreaterThanOrEqual(0);
  }
  expect(read.quotaUsed()).toBeGreaterThanOrEqual(0);
  expect(read.drawn('bal_a')).toBeLessThanOrEqual(limits.bought);
  return read;
}

describe('grants of entities', () => {
  it('pay for their entity alone, beside its limit and the customer’s, and take back what they paid', () => {
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 25 }), (has, steps) => {
        const place = new Place('weur', ['weur']);
        const keys: { readonly key: string; readonly entity: Entity | null }[] = [];
        let now = START;
        for (const [index, each] of steps.entries()) {
          now += MINUTE * (index % 3);
          const before = expectLaws(place, has, now);
          const othersGrants = (who: Entity | null) => ENTITIES.filter((one) => one !== who);
          const expectOthers = (who: Entity | null) => {
            const after = expectLaws(place, has, now);
            for (const other of othersGrants(who)) {
              expect(after.drawn(ownGrant(other))).toBe(before.drawn(ownGrant(other)));
              expect(after.entities.get(other)!.used).toBe(before.entities.get(other)!.used);
            }
            return after;
          };
          if (each.kind === 'add') {
            const { by, enforce } = each;
            const key = `k${index}`;
            const asked = { by, enforce, ...updateOf(has, each.entity), key: { text: key, bodyHash: key } };
            const outcome = decidedOf(place.decide(now, asked, { limit: 0 }));
            const { drawn, fitting } = before.split(has, each.entity, by);
            expect(outcome.accepted).toBe(!enforce || fitting === by);
            expect(drawsOf(outcome)).toEqual(outcome.accepted ? drawn : {});
            const after = expectOthers(each.entity);
            const paid = each.entity === null ? 0 : (drawn[ownGrant(each.entity)] ?? 0);
            if (!outcome.accepted) expect(after.numbers).toEqual(before.numbers);
            else {
              keys.push({ key, entity: each.entity });
              expect(after.customer.used).toBe(before.customer.used + by);
              const onCustomer = by - paid - (drawn.bal_a ?? 0);
              expect(after.quotaUsed()).toBe(before.quotaUsed() + onCustomer);
              if (each.entity !== null)
                expect(after.quotaUsed(each.entity)).toBe(before.quotaUsed(each.entity) + by - paid);
            }
          } else if (each.kind === 'give back') {
            const asked = { by: -each.by, ...updateOf(has, each.entity) };
            const { applied, draws = [] } = decidedOf(place.decide(now, asked, { limit: 0 }));
            const paid = othersGrants(each.entity).reduce((sum, one) => sum + before.drawn(ownGrant(one)), 0);
            const own = each.entity === null ? null : ownGrant(each.entity);
            const ownDrawn = own === null ? 0 : before.drawn(own);
            const left = before.customer.used - paid;
            expect(0 - applied).toBeLessThanOrEqual(Math.min(each.by, left));
            // What calls without the entity gave back of its usage may be on the customer's account alone.
            expect(0 - applied).toBeGreaterThanOrEqual(Math.min(each.by, left - ownDrawn));
            // What the entity's grant has paid is found whoever has used since.
            if (own !== null && before.quotaUsed(each.entity!) === 0 && before.drawn(own) >= each.by)
              expect(
                draws.filter(({ grant }) => grant === own).reduce((sum, { amount }) => sum - amount, 0),
              ).toBe(each.by);
            expect(expectOthers(each.entity).customer.used).toBe(before.customer.used + applied);
          } else if (each.kind === 'give back one') {
            const given = keys[each.which % (keys.length || 1)];
            if (given === undefined) continue;
            // Whoever calls need not know whose it was.
            const sources = [...sourcesOf(has, 'user_7'), ...sourcesOf(has, 'user_8')];
            const known = new Map(sources.map((one) => [one === 'quota' ? one : one.grant, one]));
            const outcome = place.decide(
              now,
              {
                ...{ ...updateOf(has, null), sources: [...known.values()], givesBack: given.key },
                ...{ by: each.by === null ? undefined : -each.by, enforce: false },
                key: { text: `${given.key} back`, bodyHash: 'h' },
              },
              { limit: 0 },
            );
            if (outcome.kind === 'decided' && !outcome.replayed)
              expect(expectOthers(given.entity).customer.used).toBe(before.customer.used + outcome.applied);
          } else {
            const { by, orLess, more, used } = each;
            const part = updateOf(has, each.entity);
            const hold = { kind: 'open', id: `h${index}`, lastsMs: 30 * MINUTE, orLess } as const;
            const outcome = decidedOf(place.decide(now, { by, hold, ...part }, { limit: 0 }));
            const { fitting } = before.split(has, each.entity, by);
            const most = orLess ? Math.max(1, fitting) : by;
            expect(outcome.accepted).toBe(before.split(has, each.entity, most).fitting === most);
            if (!outcome.accepted || outcome.hold === undefined) continue;
            expect(outcome.hold.amount).toBe(most);
            let held = expectOthers(each.entity);
            expect(held.customer.used).toBe(before.customer.used + most);
            let whole = most;
            const { name } = outcome.hold;
            if (more !== null) {
              const extend = { kind: 'extend', name, lastsMs: 30 * MINUTE, key: null } as const;
              const { accepted } = decidedOf(
                place.decide(now, { by: more, hold: extend, ...part }, { limit: 0 }),
              );
              expect(accepted).toBe(held.split(has, each.entity, more).fitting === more);
              if (accepted) whole += more;
              held = expectOthers(each.entity);
            }
            if (used === null) {
              now += 31 * MINUTE;
              const over = expectOthers(each.entity);
              expect(over.numbers).toEqual(before.numbers);
              place.ledger.endHolds(now);
              expect(expectOthers(each.entity).numbers).toEqual(before.numbers);
            } else {
              const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
              place.decide(now, { by: used, enforce: false, hold: settle, ...part }, { limit: 0 });
              const after = expectOthers(each.entity);
              expect(after.customer.used).toBe(before.customer.used + used);
              if (used <= whole && more === null) {
                const { drawn } = before.split(has, each.entity, Math.min(used, most));
                const own = each.entity === null ? 'bal_a' : ownGrant(each.entity);
                expect(after.drawn(own) - before.drawn(own)).toBeLessThanOrEqual(
                  Math.max(drawn[own] ?? 0, before.split(has, each.entity, most).drawn[own] ?? 0),
                );
              }
            }
          }
          place.restart();
        }
      }),
      { numRuns: 500 },
    );
  });

  const HAS: Limits = { quota: 20, perEntity: 5, quotaAt: 2, bought: 0, own: 9, isUnlimited: false };
  const add = (
    place: Place,
    now: number,
    by: number,
    who: Entity | null,
    more: Partial<CounterUpdate> = {},
  ) => decidedOf(place.decide(now, { by, ...updateOf(HAS, who), ...more }, { limit: 0 }));

  it('give back what they paid to their entity, although others have used since', () => {
    const place = new Place('weur', ['weur']);
    add(place, START, 6, 'user_7');
    add(place, START + MINUTE, 5, 'user_8', { sources: ['quota'] });
    expect(drawsOf(add(place, START + MINUTE, -4, 'user_7'))).toEqual({ bal_m_user_7: -4 });
    expect(expectLaws(place, HAS, START + MINUTE).numbers).toMatchObject({
      ...{ used: 7, quotaUsed: 5, drawn: [0, 2, 0] },
      entities: [
        [2, 0],
        [5, 5],
      ],
    });
  });

  it('pay for what is held, which nobody else gives back', () => {
    const place = new Place('weur', ['weur']);
    add(place, START, 3, 'user_8', { hold: { kind: 'open', id: 'h', lastsMs: 9 * MINUTE, orLess: false } });
    add(place, START, 5, null);
    expect(add(place, START, -8, null).applied).toBe(-5);
    expect(expectLaws(place, HAS, START).numbers).toMatchObject({ used: 3, quotaUsed: 0, drawn: [0, 0, 3] });
  });

  it('of two decisions under one key pay for the one that stays, in every location', () => {
    const places = [new Place('apac'), new Place('weur')] as const;
    for (const [index, place] of places.entries())
      add(place, START + index, 7, 'user_7', { key: { text: 'k', bodyHash: 'h' } });
    for (const round of [1, 2, 3])
      for (const [one, other] of [places, places.toReversed() as [Place, Place]])
        one!.receive(other!, START + MINUTE * round);
    for (const place of places)
      expect(expectLaws(place, HAS, START + 9 * MINUTE).numbers).toMatchObject({
        ...{ used: 7, quotaUsed: 0, drawn: [0, 7, 0] },
      });
  });
});
