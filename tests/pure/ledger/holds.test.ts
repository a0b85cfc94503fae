// Holds beside updates, compared after each step with a plain list: no buckets, no registers, no sums that are kept.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DrawSource, UpdateOutcome } from '#contracts/internal/ledger';
import { MAX_EXTENSIONS, MAX_OPEN_HOLDS } from '#engine/ledger/holds';
import { Crash } from './ledger-memory-store.ts';
import { METER, Place, type Quota } from './place.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 11, 31, 23, 20);
const DAY = 24 * 60 * MINUTE;
const GRANTS = ['bal_a', 'bal_b'];
/** Usage that one source paid for, at one instant. */
interface Part {
  readonly minute: number;
  readonly source: string;
  amount: number;
  /** The hold that it is only held by; null: it is used. */
  hold: string | null;
}

interface Hold {
  amount: number;
  expiresAt: number;
  settled: number | null;
}

const nameOf = (source: DrawSource) => (source === 'quota' ? 'quota' : source.grant);
const sum = (parts: readonly Part[]) => parts.reduce((total, { amount }) => total + amount, 0);

/** What should be. */
class Reference {
  readonly holds = new Map<string, Hold>();
  #parts: Part[] = [];

  /** What is over is nobody's. */
  passTo(now: number): void {
    for (const [name, hold] of this.holds)
      if (hold.settled === null && hold.expiresAt <= now)
        this.#parts = this.#parts.filter((part) => part.hold !== name);
  }

  /** @returns whether it fits; null amount: all that is left */
  add(
    now: number,
    amount: number,
    { limit, sources = ['quota'] }: Quota,
    enforce: boolean,
    hold: string | null,
  ) {
    const drawn: Part[] = [];
    let rest = amount;
    const minute = Math.floor(now / MINUTE);
    for (const source of sources) {
      const name = nameOf(source);
      const has = (source === 'quota' ? limit : source.amount) - this.taken(name);
      const part = Math.max(0, Math.min(rest, has));
      if (part > 0) drawn.push({ minute, source: name, amount: part, hold });
      rest -= part;
    }
    if (rest > 0 && enforce) return { fits: false, overage: rest };
    if (rest > 0) drawn.push({ minute, source: 'quota', amount: rest, hold });
    this.#parts.push(...drawn);
    return { fits: true, overage: rest };
  }

  left({ limit, sources = ['quota'] }: Quota): number {
    return sources.reduce(
      (total, source) =>
        total + Math.max(0, (source === 'quota' ? limit : source.amount) - this.taken(nameOf(source))),
      0,
    );
  }

  /** What is taken first of a hold stays; the rest is given back. */
  settle(name: string, used: number): void {
    let rest = used;
    for (const part of this.#parts.filter((each) => each.hold === name)) {
      part.amount = Math.min(part.amount, rest);
      rest -= part.amount;
      part.hold = null;
    }
  }

  heldBy(name: string): number {
    return sum(this.#parts.filter((each) => each.hold === name));
  }

  giveBack(amount: number, sources: readonly DrawSource[]): number {
    let [rest, given] = [amount, 0];
    const used = this.#parts.filter(({ hold }) => hold === null);
    for (const minute of [...new Set(used.map((part) => part.minute))].sort((a, b) => b - a)) {
      const then = used.filter((part) => part.minute === minute);
      let share = Math.min(rest, sum(then));
      rest -= share;
      for (const source of sources.toReversed())
        for (const part of then.filter((each) => each.source === nameOf(source))) {
          const taken = Math.min(share, part.amount);
          part.amount -= taken;
          share -= taken;
          given += taken;
        }
    }
    return given;
  }

  taken(source: string): number {
    return sum(this.#parts.filter((part) => part.source === source));
  }

  held(source?: string): number {
    return sum(this.#parts.filter((part) => part.hold !== null && (source ?? part.source) === part.source));
  }

  get used(): number {
    return sum(this.#parts) - this.held();
  }
}

const quotas = fc
  .record({
    limit: fc.integer({ min: 0, max: 30 }),
    amounts: fc.tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 15 })),
    at: fc.nat(2),
    hasGrants: fc.boolean(),
  })
  .map(({ limit, amounts, at, hasGrants }): Quota => {
    if (!hasGrants) return { limit };
    const grants: DrawSource[] = GRANTS.map((grant, index) => ({ grant, amount: amounts[index]! }));
    return { limit, sources: grants.toSpliced(at, 0, 'quota') };
  });
const step = fc.record({
  ms: fc.constantFrom(0, 0, 20_000, MINUTE, 3 * MINUTE, 40 * MINUTE, DAY),
  kind: fc.constantFrom('open', 'open', 'extend', 'settle', 'settle', 'count', 'give-back', 'end', 'restart'),
  amount: fc.nat(12),
  lastsMs: fc.constantFrom(1_000, 2 * MINUTE, 60 * MINUTE),
  enforce: fc.boolean(),
  orLess: fc.boolean(),
  onExcess: fc.constantFrom('reject', 'cap', 'overflow'),
  which: fc.nat(5),
});

const decided = (outcome: UpdateOutcome) => {
  if (outcome.kind !== 'decided') throw new Error(JSON.stringify(outcome));
  return outcome;
};

it('what is held, used, given back and left is what the list says, after each step', () => {
  fc.assert(
    fc.property(quotas, fc.array(step, { maxLength: 25 }), (quota, steps) => {
      const place = new Place('weur');
      const reference = new Reference();
      const names: string[] = [];
      let now = START;
      for (const [
        index,
        { ms, kind, amount, lastsMs, enforce, orLess, onExcess, which },
      ] of steps.entries()) {
        now += ms;
        reference.passTo(now);
        const name = names[which % Math.max(1, names.length)];
        const known = name === undefined ? undefined : reference.holds.get(name);
        switch (kind) {
          case 'restart':
            place.restart();
            break;
          case 'end':
            place.ledger.endHolds(now);
            break;
          case 'count': {
            const { fits } = reference.add(now, amount, quota, enforce, null);
            expect(decided(place.decide(now, { by: amount, enforce }, quota)).accepted).toBe(fits);
            break;
          }
          case 'give-back': {
            // Later, buckets are wider than a minute, and what was drawn last in them is given back first.
            if (amount === 0 || now >= START + 2 * 60 * MINUTE) break;
            const given = reference.giveBack(amount, quota.sources ?? ['quota']);
            const outcome = decided(place.decide(now, { by: -amount, enforce }, quota));
            expect(outcome.applied).toBe(0 - given);
            break;
          }
          case 'open': {
            const wish = amount + 1;
            const by = orLess ? Math.max(1, Math.min(wish, reference.left(quota))) : wish;
            const id = `h${index}`;
            const hold = { kind: 'open', id, lastsMs, orLess } as const;
            const outcome = decided(place.decide(now, { by: wish, hold }, quota));
            const { fits } = reference.add(now, by, quota, true, `weur_3_${id}`);
            expect([outcome.accepted, outcome.hold?.amount]).toEqual([fits, fits ? by : undefined]);
            if (!fits) break;
            names.push(`weur_3_${id}`);
            reference.holds.set(`weur_3_${id}`, { amount: by, expiresAt: now + lastsMs, settled: null });
            break;
          }
          case 'extend': {
            if (name === undefined || known === undefined) break;
            const hold = { kind: 'extend', name, lastsMs, key: null } as const;
            const outcome = place.decide(now, { by: amount, hold }, quota);
            if (known.settled !== null || known.expiresAt <= now) {
              expect(outcome).toMatchObject({ kind: 'hold-refused', why: 'over' });
              break;
            }
            const { fits } = reference.add(now, amount, quota, true, name);
            expect(decided(outcome).accepted).toBe(fits);
            if (!fits) break;
            known.amount += amount;
            known.expiresAt = Math.max(known.expiresAt, now + lastsMs);
            break;
          }
          case 'settle': {
            if (name === undefined || known === undefined) break;
            const hold = { kind: 'settle', name, onExcess } as const;
            const outcome = place.decide(now, { by: amount, enforce: false, hold }, quota);
            if (known.settled !== null) {
              const isCapped = onExcess === 'cap' && Math.min(amount, known.amount) === known.settled;
              const isSame = known.settled === amount || isCapped;
              if (isSame) expect(decided(outcome)).toMatchObject({ replayed: true, applied: known.settled });
              else expect(outcome).toMatchObject({ kind: 'hold-refused', why: 'settled' });
              break;
            }
            if (known.expiresAt + DAY <= now) {
              expect(outcome).toMatchObject({ kind: 'hold-refused', why: 'over' });
              break;
            }
            if (amount > known.amount && onExcess === 'reject') {
              expect(decided(outcome).accepted).toBe(false);
              break;
            }
            const used = onExcess === 'cap' ? Math.min(amount, known.amount) : amount;
            const held = reference.heldBy(name);
            reference.settle(name, Math.min(used, held));
            const excess = Math.max(0, used - held);
            const { overage } = reference.add(now, excess, quota, false, null);
            known.settled = used;
            expect(decided(outcome).hold?.settled).toEqual({
              amount: used,
              released: Math.max(0, known.amount - used),
              overage,
            });
          }
        }
        const reading = place.read(now);
        const held = reading.held?.amount ?? 0;
        expect([reading.used - held, held]).toEqual([reference.used, reference.held()]);
        for (const grant of GRANTS) {
          expect(reading.draws?.grants[grant] ?? 0, grant).toBe(reference.taken(grant));
          expect(reading.held?.draws?.grants[grant] ?? 0, grant).toBe(reference.held(grant));
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

describe('two locations', () => {
  const [limit, lastsMs] = [1_000, 2 * MINUTE];
  const open = (id: string) => ({ by: 100, hold: { kind: 'open', id, lastsMs, orLess: false } as const });

  it('each counts and ends by its own clock what the other holds, and only one gives it back', () => {
    const [apac, weur] = [new Place('apac'), new Place('weur')];
    const { hold } = decided(weur.decide(START, open('one'), { limit }));
    apac.receive(weur, START);
    expect(apac.read(START)).toMatchObject({ used: 100, held: { amount: 100, until: START + lastsMs } });
    const settle = { by: 40, hold: { kind: 'settle', name: hold!.name, onExcess: 'overflow' } as const };
    expect(apac.decide(START, settle, { limit })).toMatchObject({ kind: 'hold-refused', why: 'away' });
    const over = START + lastsMs;
    expect([apac.read(over), weur.read(over)]).toEqual([
      { used: 0, resetsAt: null },
      { used: 0, resetsAt: null },
    ]);
    expect([apac.ledger.nextHoldEnd, weur.ledger.nextHoldEnd]).toEqual([Number.POSITIVE_INFINITY, over]);
    weur.ledger.endHolds(over);
    apac.receive(weur, over);
    expect([apac.read(over), weur.read(over)]).toEqual([
      { used: 0, resetsAt: null },
      { used: 0, resetsAt: null },
    ]);
    // What was done is not lost: it counts when it is settled.
    expect(weur.decide(over + MINUTE, settle, { limit })).toMatchObject({ kind: 'decided', applied: 40 });
    apac.receive(weur, over + MINUTE);
    expect(apac.read(over + MINUTE)).toEqual({ used: 40, resetsAt: null });
  });

  it('of two holds under one idempotency key, the one that loses is given back, and can be settled', () => {
    const [apac, weur] = [new Place('apac'), new Place('weur')];
    const key = { text: 'req-9', bodyHash: 'same' };
    const first = decided(apac.decide(START, { ...open('one'), key }, { limit }));
    const second = decided(weur.decide(START, { ...open('two'), key }, { limit }));
    apac.receive(weur, START);
    weur.receive(apac, START);
    apac.receive(weur, START);
    for (const place of [apac, weur])
      expect(place.read(START)).toMatchObject({ used: 100, held: { amount: 100 } });
    const again = decided(weur.decide(START, { ...open('three'), key }, { limit }));
    expect([again.replayed, again.hold?.name]).toEqual([true, first.hold?.name]);
    const { name } = second.hold!;
    const settle = { by: 30, hold: { kind: 'settle', name, onExcess: 'overflow' } as const };
    expect(weur.decide(START, settle, { limit })).toMatchObject({ kind: 'decided', applied: 30 });
    expect(weur.read(START)).toMatchObject({ used: 130, held: { amount: 100 } });
  });

  it('an extension under a key that is known adds nothing', () => {
    const weur = new Place('weur');
    const { hold } = decided(weur.decide(START, open('one'), { limit }));
    const extend = { by: 50, hold: { kind: 'extend', name: hold!.name, lastsMs, key: 'step-2' } as const };
    expect(weur.decide(START, extend, { limit })).toMatchObject({ replayed: false, hold: { amount: 150 } });
    expect(weur.decide(START, extend, { limit })).toMatchObject({ replayed: true, hold: { amount: 150 } });
    expect(weur.read(START)).toMatchObject({ used: 150, held: { amount: 150 } });
  });

  it('a crash before the commit leaves nothing held', () => {
    const weur = new Place('weur');
    weur.store.crashesNext = true;
    expect(() => weur.decide(START, open('one'), { limit })).toThrow(Crash);
    expect(weur.read(START)).toEqual({ used: 0, resetsAt: null });
  });

  it('a customer has so many open holds, and others once some have ended', () => {
    const weur = new Place('weur');
    const one = { by: 1, hold: { kind: 'open', id: '', lastsMs, orLess: false } as const };
    for (let index = 0; index < MAX_OPEN_HOLDS; index++) {
      const hold = { ...one.hold, id: `h${index}` };
      decided(weur.decide(START, { ...one, hold }, { limit }));
    }
    expect(weur.decide(START, { ...one, hold: { ...one.hold, id: 'more' } }, { limit })).toEqual({
      kind: 'hold-refused',
      why: 'too-many',
    });
    const later = START + lastsMs;
    expect(decided(weur.decide(later + 10 * MINUTE, one, { limit })).accepted).toBe(true);
    weur.ledger.endHolds(later);
    expect(
      decided(weur.decide(later, { ...one, hold: { ...one.hold, id: 'more' } }, { limit })).accepted,
    ).toBe(true);
  });
});

describe('extensions of a hold', () => {
  const [limit, lastsMs] = [10 ** 6, 60 * MINUTE];
  const opened = (weur: Place) => {
    const hold = { kind: 'open', id: 'one', lastsMs, orLess: false } as const;
    return decided(weur.decide(START, { by: 10, hold }, { limit })).hold!.name;
  };
  const by = (amount: number, name: string, key: string | null, ms = lastsMs) =>
    ({ by: amount, hold: { kind: 'extend', name, lastsMs: ms, key } }) as const;

  it('under one key are one, and another one under it is refused, also once the hold has ended', () => {
    const weur = new Place('weur');
    const name = opened(weur);
    decided(weur.decide(START, by(5, name, 'a'), { limit }));
    for (const now of [START, START + lastsMs]) {
      expect(weur.decide(now, by(5, name, 'a'), { limit })).toMatchObject({ replayed: true });
      expect(weur.decide(now, by(6, name, 'a'), { limit })).toEqual({ kind: 'conflict' });
      expect(weur.decide(now, by(5, name, 'a', 1_000), { limit })).toEqual({ kind: 'conflict' });
    }
    expect(weur.read(START)).toMatchObject({ held: { amount: 15 } });
  });

  it('are so many under keys, and in so many minutes', () => {
    const weur = new Place('weur');
    const name = opened(weur);
    for (let index = 0; index < MAX_EXTENSIONS; index++)
      decided(weur.decide(START, by(1, name, `k${index}`), { limit }));
    expect(weur.decide(START, by(1, name, 'more'), { limit })).toMatchObject({
      ...{ kind: 'hold-refused', why: 'too-often' },
    });
    expect(weur.decide(START, by(1, name, 'k7'), { limit })).toMatchObject({ replayed: true });
    for (let index = 1; index < MAX_EXTENSIONS; index++)
      for (let times = 0; times < 3; times++)
        decided(weur.decide(START + index * MINUTE, by(1, name, null), { limit }));
    const later = START + MAX_EXTENSIONS * MINUTE;
    expect(weur.decide(later, by(1, name, null), { limit })).toMatchObject({ why: 'too-often' });
    decided(weur.decide(later, by(0, name, null), { limit }));
    const amount = 10 + MAX_EXTENSIONS + 3 * (MAX_EXTENSIONS - 1);
    expect(weur.read(later)).toMatchObject({ used: amount, held: { amount } });
    const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
    decided(weur.decide(later, { by: 3, hold: settle, enforce: false }, { limit }));
    expect(weur.read(later)).toEqual({ used: 3, resetsAt: null });
  });
});

it('a settlement that was not capped is not repeated by one that would be', () => {
  const weur = new Place('weur');
  const limit = 100;
  const hold = { kind: 'open', id: 'one', lastsMs: MINUTE, orLess: false } as const;
  const { name } = decided(weur.decide(START, { by: 50, hold }, { limit })).hold!;
  const settle = (by: number, onExcess: 'cap' | 'overflow') =>
    weur.decide(START, { by, enforce: false, hold: { kind: 'settle', name, onExcess } }, { limit });
  expect(settle(31, 'overflow')).toMatchObject({ applied: 31 });
  expect(settle(45, 'cap')).toMatchObject({ kind: 'hold-refused', why: 'settled' });
  expect(settle(31, 'cap')).toMatchObject({ replayed: true });
});

describe('a count that would become too large', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const open = (weur: Place) => {
    const value = { state: 'on' } as const;
    decided(weur.decide(START, { by: most - 10, value }, { limit: 0 }));
    const hold = { kind: 'open', id: 'one', lastsMs: MINUTE, orLess: false } as const;
    return decided(weur.decide(START, { by: 10, hold, value }, { limit: 0 })).hold!.name;
  };

  it('refuses an extension and a settlement, and leaves the hold', () => {
    const weur = new Place('weur');
    const name = open(weur);
    const value = { state: 'on' } as const;
    const extend = { kind: 'extend', name, lastsMs: MINUTE, key: null } as const;
    expect(weur.decide(START, { by: 1, hold: extend, value }, { limit: 0 })).toEqual({ kind: 'too-large' });
    const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
    expect(weur.decide(START, { by: 11, hold: settle, value, enforce: false }, { limit: 0 })).toEqual({
      kind: 'too-large',
    });
    expect(weur.read(START)).toMatchObject({ used: most, held: { amount: 10 } });
    expect(weur.decide(START, { by: 10, hold: settle, value, enforce: false }, { limit: 0 })).toMatchObject({
      applied: 10,
    });
  });
});

it('what was used is counted also once the meter counts unique resources', () => {
  const weur = new Place('weur');
  const hold = { kind: 'open', id: 'one', lastsMs: MINUTE, orLess: false } as const;
  const { name } = decided(weur.decide(START, { by: 50, hold }, { limit: 50 })).hold!;
  const meter = { ...METER, uniqueResourceIds: true, limit: 3 };
  const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
  const value = { state: 'metered', meter } as const;
  expect(weur.decide(START, { by: 60, enforce: false, hold: settle, value }, { limit: 0 })).toMatchObject({
    ...{ applied: 60, reading: { used: 0 }, hold: { settled: { amount: 60, released: 0, overage: 0 } } },
  });
  expect(weur.read(START)).toEqual({ used: 60, resetsAt: null });
});

describe('what the alarm has to end', () => {
  const limit = 10 ** 6;
  const open = (id: string, lastsMs: number) =>
    ({ by: 1, hold: { kind: 'open', id, lastsMs, orLess: false } as const }) as const;

  it('is found also if another one is settled in the same transaction, and without a search for each settlement', () => {
    const weur = new Place('weur');
    const searched = vi.spyOn(weur.store, 'openRegisters');
    const [early, late] = [START + MINUTE, START + 2 * MINUTE];
    const names = ['a', 'b', 'c'].map(
      (id) => decided(weur.decide(START, open(id, MINUTE), { limit })).hold!.name,
    );
    expect(weur.ledger.nextHoldEnd).toBe(early);
    searched.mockClear();
    const settle = { kind: 'settle', name: names[0]!, onExcess: 'overflow' } as const;
    weur.decideAll(START, [{ by: 1, hold: settle, enforce: false }, open('d', 2 * MINUTE)], { limit });
    expect(weur.ledger.nextHoldEnd).toBe(early);
    for (const name of names.slice(1))
      weur.decide(START, { by: 1, enforce: false, hold: { ...settle, name } }, { limit });
    expect(weur.ledger.nextHoldEnd).toBe(early);
    expect(searched).not.toHaveBeenCalled();
    weur.ledger.endHolds(early);
    expect(weur.ledger.nextHoldEnd).toBe(late);
  });

  it('ends in as many transactions as it needs', () => {
    const weur = new Place('weur');
    for (let index = 0; index < 600; index++)
      decided(weur.decide(START + index * 15 * MINUTE, open(`h${index}`, 1_000), { limit }));
    const over = START + 600 * 15 * MINUTE;
    let transactions = 0;
    for (; weur.ledger.nextHoldEnd <= over; transactions++) weur.ledger.endHolds(over);
    expect([transactions, weur.ledger.nextHoldEnd]).toEqual([2, Number.POSITIVE_INFINITY]);
    expect(weur.store.openRegisters(Number.POSITIVE_INFINITY)).toEqual([]);
  });

  it('is not what another location has extended since', () => {
    const [apac, weur] = [new Place('apac'), new Place('weur')];
    const { name } = decided(weur.decide(START, open('a', MINUTE), { limit })).hold!;
    apac.receive(weur, START);
    // The location was disabled, the other one took over, and it is enabled again.
    const [register] = apac.store.findRegisters('ada', { kind: 'hold', name });
    const body = { ...(JSON.parse(register!.body) as object), expiresAt: START + 9 * MINUTE };
    apac.ledger.commit(() => {
      const { state } = apac.ledger;
      const [origin, version] = [state.liveOrigin(), state.nextVersion()];
      const extended = { ...register!, until: register!.until + 8 * MINUTE, body: JSON.stringify(body) };
      apac.store.putRegister('ada', { ...extended, origin, stamp: START + 1, version }, version);
    });
    weur.receive(apac, START);
    weur.restart();
    expect(weur.ledger.nextHoldEnd).toBe(Number.POSITIVE_INFINITY);
    apac.restart();
    expect(apac.ledger.nextHoldEnd).toBe(START + 9 * MINUTE);
    const settle = { by: 1, hold: { kind: 'settle', name, onExcess: 'overflow' } as const };
    expect(weur.decide(START, settle, { limit })).toMatchObject({ why: 'away', at: 'apac' });
    expect(decided(apac.decide(START, settle, { limit })).applied).toBe(1);
  });
});

it('what a name holds has the quota and grants that the customer has left, and is read with what the customer has beside it', () => {
  const [weur, whole] = [new Place('weur'), new Place('apac')];
  const quota = { limit: 100, sources: ['quota', { grant: 'bal_a', amount: 50 }] } as const;
  const open = { kind: 'open', id: 'one', lastsMs: MINUTE, orLess: false } as const;
  const { name } = decided(weur.decide(START, { by: 40, hold: open }, quota)).hold!;
  // The customer's ledger has 70 more, of which its grant paid for 10.
  decided(whole.decide(START, { by: 40, hold: open }, quota));
  decided(whole.decide(START, { by: 70 }, quota));
  const customerReading = whole.read(START);
  expect(customerReading).toMatchObject({
    used: 110,
    draws: { grants: { bal_a: 10 } },
    held: { amount: 40 },
  });
  const extend = { kind: 'extend', name, lastsMs: MINUTE, key: null } as const;
  const refused = weur.decide(START, { by: 41, hold: extend, customerReading }, quota);
  expect(decided(refused)).toMatchObject({ accepted: false, reading: customerReading });
  const more = decided(weur.decide(START, { by: 40, hold: extend, customerReading }, quota));
  expect(more).toMatchObject({ accepted: true, draws: [{ grant: 'bal_a', amount: 40 }] });
  expect(more.value).toMatchObject({ meter: { limit: 100 } });
  expect(more.reading).toMatchObject({
    ...{
      used: 150,
      draws: { grants: { bal_a: 50 } },
      held: { amount: 80, draws: { grants: { bal_a: 40 } } },
    },
  });
});

it('so does what it also holds, on other meters and entities', () => {
  const [weur, whole] = [new Place('weur'), new Place('apac')];
  const quota = { limit: 1000 };
  const value = { state: 'metered', meter: { ...METER, limit: 100 } } as const;
  const also = [
    { propertyId: 'prop_credits', per: 2000, value },
    { propertyId: 'prop_calls', entity: 'user_7', value },
  ];
  const open = { kind: 'open', id: 'one', lastsMs: MINUTE, orLess: false } as const;
  const { name } = decided(weur.decide(START, { by: 10, hold: open, also }, quota)).hold!;
  decided(whole.decide(START, { by: 10, hold: open, also }, quota));
  decided(whole.decide(START, { by: 30, also }, quota));
  const beside = [
    { ...also[0]!, customerReading: whole.read(START, { propertyId: 'prop_credits' }) },
    { ...also[1]!, customerReading: whole.read(START, { entity: 'user_7' }) },
  ];
  const extend = { kind: 'extend', name, lastsMs: MINUTE, key: null } as const;
  const refused = decided(weur.decide(START, { by: 11, hold: extend, also: beside }, quota));
  expect(refused).toMatchObject({ accepted: false, also: [{ fits: false }, { fits: true }] });
  const more = decided(weur.decide(START, { by: 10, hold: extend, also: beside }, quota));
  expect(more).toMatchObject({
    accepted: true,
    also: [
      { value: { meter: { limit: 100 } }, reading: { used: 100, held: { amount: 40 } } },
      { value: { meter: { limit: 100 } }, reading: { used: 50, held: { amount: 20 } } },
    ],
  });
});
