// What was counted for an entity, once it is erased: by a call, or because nobody has used it for long.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlsoCount, CounterUpdate, ReplicationBatch } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { eraseInstant } from '#engine/ledger/erased-entities';
import type { EntityReach } from '#engine/ledger/idle-entities';
import { removeIdleEntities } from '#objects/ledger/remove-idle-entities';
import { METER, Place } from './place.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 29, 9);
const LOCATIONS = ['apac', 'sam', 'weur'] as const satisfies Location[];
const LIMIT = { limit: 1_000_000 };
const ENTITY = 'user_7';

const places = () => LOCATIONS.map((location) => new Place(location, LOCATIONS));
const also = (entity = ENTITY): AlsoCount => ({
  ...{ propertyId: 'prop_calls', entity },
  value: { state: 'metered', meter: { ...METER, limit: 1_000_000 } },
});
const count = (place: Place, now: number, by: number, more: Partial<CounterUpdate> = {}) =>
  place.decide(now, { by, also: [also()], ...more }, LIMIT);
const usedOf = (place: Place, now: number, entity = ENTITY) => place.read(now, { entity }).used;
const sumOf = (counted: readonly { readonly by: number }[]) => counted.reduce((sum, { by }) => sum + by, 0);
const entities = (place: Place) => place.store.entityAccounts('ada', null, 100).length;

function heal(all: readonly Place[], now: number): void {
  for (let round = 0; round < 4; round++)
    for (const to of all) for (const from of all) if (to !== from) to.receive(from, now);
}

describe('an entity that is erased', () => {
  it('is gone in every location and counts from 0; the customer’s usage stays', () => {
    const all = places();
    const [apac, sam, weur] = all as [Place, Place, Place];
    count(apac, NOW, 3);
    count(weur, NOW, 4);
    heal(all, NOW);
    sam.eraseEntity(ENTITY, eraseInstant(NOW), NOW);
    heal(all, NOW);
    for (const place of all) {
      expect(place.read(NOW).used).toBe(7);
      expect(usedOf(place, NOW)).toBe(0);
      expect(entities(place)).toBe(0);
    }
    count(weur, NOW + MINUTE, 2);
    heal(all, NOW + MINUTE);
    for (const place of all) {
      place.restart();
      expect([place.read(NOW + MINUTE).used, usedOf(place, NOW + MINUTE)]).toEqual([9, 2]);
    }
  });

  it('keeps another’s usage, also of a name that begins the same', () => {
    const [place] = places() as [Place, Place, Place];
    for (const entity of ['user_7', 'user_77', 'user']) count(place, NOW, 1, { also: [also(entity)] });
    place.eraseEntity('user_7', eraseInstant(NOW), NOW);
    expect(['user_7', 'user_77', 'user'].map((each) => usedOf(place, NOW, each))).toEqual([0, 1, 1]);
  });

  it('a hold that counted for it is settled for the customer alone', () => {
    const [place] = places() as [Place, Place, Place];
    const open = { kind: 'open', id: 'one', lastsMs: 60 * MINUTE, orLess: false } as const;
    const made = count(place, NOW, 5, { hold: open });
    const name = made.kind === 'decided' ? made.hold!.name : '';
    place.eraseEntity(ENTITY, eraseInstant(NOW), NOW);
    const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
    expect(count(place, NOW + MINUTE, 2, { hold: settle })).toMatchObject({ accepted: true, applied: 2 });
    expect([place.read(NOW + MINUTE).used, usedOf(place, NOW + MINUTE)]).toEqual([2, 0]);
  });

  it('comes back by no message of a location that learned of it long after the others', () => {
    const all = places();
    const [apac, sam, weur] = all as [Place, Place, Place];
    count(weur, NOW, 3);
    apac.eraseEntity(ENTITY, eraseInstant(NOW), NOW);
    for (const [to, from] of [
      [sam, apac],
      [apac, sam],
    ] as const)
      to.receive(from, NOW);
    const later = NOW + 10 * DAY;
    const batch = sam.batchFrom(weur, later)!;
    heal(all, later);
    for (let round = 0; round < 2; round++) for (const place of all) place.cleanUp(all, later + MINUTE);
    sam.take(batch, weur, later + 60 * MINUTE);
    for (const place of all) expect([usedOf(place, later), entities(place)]).toEqual([0, 0]);
  });

  it('comes back by no message, however late, and leaves nothing', () => {
    const step = fc.record({
      kind: fc.constantFrom('count', 'count', 'send', 'send', 'deliver', 'deliver', 'erase', 'clean', 'day'),
      from: fc.nat(2),
      to: fc.nat(2),
      by: fc.integer({ min: 1, max: 9 }),
      isLost: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = places();
        let now = NOW;
        let erased = 0;
        const counted: { readonly at: number; readonly by: number }[] = [];
        let messages: { from: Place; to: Place; batch: ReplicationBatch; at: number }[] = [];
        for (const { kind, from, to, by, isLost } of steps) {
          const [one, other] = [all[from]!, all[to]!];
          if (kind === 'count') {
            count(one, now, by);
            counted.push({ at: now, by });
          } else if (kind === 'send' && from !== to) {
            const batch = other.batchFrom(one, now);
            if (batch !== null) messages.push({ from: one, to: other, batch, at: now });
          } else if (kind === 'deliver') {
            const [first] = messages;
            if (first === undefined) continue;
            first.to.take(first.batch, first.from, now);
            if (!isLost) messages.shift();
          } else if (kind === 'erase') {
            erased = Math.max(erased, eraseInstant(now));
            one.eraseEntity(ENTITY, eraseInstant(now), now);
            // What is counted for it in the same minute is erased, too.
            now += MINUTE;
          } else if (kind === 'clean') one.cleanUp(all, now);
          else now += DAY;
          messages = messages.filter(({ at }) => now - at <= DAY);
        }
        heal(all, now);
        const check = () => {
          const left = counted.filter(({ at }) => at >= erased);
          // One that learned of it hours late has lost what it counted soon after, in the same bucket as before.
          const isLate = steps.some(({ kind }) => kind === 'day');
          const least = isLate ? left.filter(({ at }) => at >= erased + DAY) : left;
          const used = usedOf(all[0]!, now);
          expect(used).toBeLessThanOrEqual(sumOf(left));
          expect(used).toBeGreaterThanOrEqual(sumOf(least));
          for (const place of all) {
            expect(place.read(now).used).toBe(sumOf(counted));
            expect(usedOf(place, now)).toBe(used);
            if (!isLate) expect(entities(place)).toBe(left.length === 0 ? 0 : 1);
          }
        };
        check();
        for (const { to, from, batch } of messages) to.take(batch, from, now);
        check();
        now += 10 * DAY;
        for (let round = 0; round < 2; round++) for (const place of all) place.cleanUp(all, now);
        heal(all, now);
        check();
        for (const place of all) expect(place.store.erasedEntities(now, 100)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('entities that nobody has used for long', () => {
  const month: EntityReach = { propertyId: 'prop_calls', ms: 32 * DAY };
  const later = NOW + 100 * DAY;
  const idle = (place: Place, all: readonly Place[], reaches: readonly EntityReach[], now = later) => {
    place.cleanUp(all, now);
    return removeIdleEntities(place.ledger, 0, reaches, now);
  };

  it('are erased in every location, by whichever has everything of them', () => {
    const all = places();
    count(all[0]!, NOW, 3);
    count(all[1]!, NOW, 1, { also: [also('user_8')] });
    heal(all, NOW);
    count(all[1]!, NOW + 99 * DAY, 1, { also: [also('user_8')] });
    heal(all, later);
    idle(all[2]!, all, [month], later);
    expect(entities(all[2]!)).toBe(2);
    const [own, other] = all as [Place, Place, Place];
    own.ledger.commit(() => {
      for (const { location } of [other, all[2]!]) own.ledger.copies.save(`ada\0${ENTITY}`, location);
    });
    idle(own, all, [month], later);
    heal(all, later);
    for (const place of all) {
      expect(place.store.entityAccounts('ada', null, 9)).toEqual(['ada\0user_8']);
      expect([place.read(later).used, usedOf(place, later, 'user_8')]).toEqual([5, 2]);
    }
  });

  it.each<[string, readonly EntityReach[], Partial<CounterUpdate>]>([
    ['usage that counts for good', [month, { ...month, ms: null }], {}],
    ['usage in a longer period', [{ ...month, ms: 366 * DAY }], {}],
    ['a seat', [{ ...month, seats: 'prop_seats' }], { propertyId: 'prop_seats', resourceId: ENTITY }],
    ['a resource in use', [month], { resourceId: 'r1' }],
    ['what a balance paid', [month], { sources: [{ grant: 'bal_1', amount: 5 }] }],
  ])('keep their accounts with %s', (_, reaches, more) => {
    const [place] = places() as [Place, Place, Place];
    const all = [place];
    count(place, NOW, 1);
    const { sources, ...given } = more;
    if (sources !== undefined) count(place, NOW, 1, { also: [{ ...also(), sources }] });
    else if (given.propertyId !== undefined) count(place, NOW, 1, { ...given, by: undefined, also: [] });
    else if (given.resourceId !== undefined) count(place, NOW, 1, { ...given, by: undefined });
    idle(place, all, reaches);
    expect(entities(place)).toBe(1);
  });

  it('keep their accounts while the customer’s trial goes on', () => {
    const place = new Place('weur', ['weur']);
    place.anchors = [NOW, later + DAY];
    count(place, NOW, 1);
    idle(place, [place], [month]);
    expect(entities(place)).toBe(1);
    idle(place, [place], [month], later + 2 * DAY);
    expect(entities(place)).toBe(0);
  });

  it('keep their accounts where usage may be missing', () => {
    const [apac, sam] = places() as [Place, Place, Place];
    count(apac, NOW, 1);
    sam.receive(apac, NOW);
    removeIdleEntities(sam.ledger, 0, [month], later);
    expect(entities(sam)).toBe(1);
  });

  it('are looked at a part at a time', () => {
    const place = new Place('weur', ['weur']);
    for (let index = 0; index < 250; index++) count(place, NOW, 1, { also: [also(`user_${index}`)] });
    const last = idle(place, [place], [month]);
    expect(place.store.countEntities('ada')).toBe(50);
    expect(removeIdleEntities(place.ledger, last!, [month], later)).toBeNull();
    expect(place.store.countEntities('ada')).toBe(0);
  });
});
