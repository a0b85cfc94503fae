// Draws from quota and grants, compared with a plain list: no buckets, no sums that are kept.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CounterUpdate, DrawSource } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { decideUpdate } from '#engine/ledger/decide-update';
import type { UpdateRecords } from '#engine/ledger/update-records';
import { windowOf } from '#engine/metering/window-of';

const MINUTE = 60_000;
const START = Date.UTC(2026, 11, 31, 23, 20);
const METERS: readonly Omit<Meter, 'limit'>[] = [
  { periodType: 'lifetime', uniqueResourceIds: false },
  { periodType: 'rolling', periodCount: 1, periodLength: 'hour', uniqueResourceIds: false },
];

/** Usage of a minute that one source paid for. */
interface Part {
  readonly minute: number;
  readonly source: string;
  amount: number;
}

const nameOf = (source: DrawSource) => (source === 'quota' ? 'quota' : source.grant);

class Reference {
  readonly #parts: Part[] = [];
  readonly #meter: Omit<Meter, 'limit'>;

  constructor(meter: Omit<Meter, 'limit'>) {
    this.#meter = meter;
  }

  /** @returns by source, what the update drew; null if it was refused */
  add(now: number, amount: number, limit: number, enforce: boolean, sources: readonly DrawSource[]) {
    const drawn = new Map<string, number>();
    let rest = amount;
    for (const source of sources) {
      const name = nameOf(source);
      const has = source === 'quota' ? limit - this.quotaUsed(now) : source.amount - this.drawn(name);
      const part = Math.max(0, Math.min(rest, has));
      if (part > 0) drawn.set(name, part);
      rest -= part;
    }
    if (rest > 0 && enforce) return null;
    if (rest > 0) drawn.set('quota', (drawn.get('quota') ?? 0) + rest);
    const minute = Math.floor(now / MINUTE);
    for (const [source, part] of drawn) this.#parts.push({ minute, source, amount: part });
    return drawn;
  }

  /** Newest first; of a minute, what was drawn last first. @returns what is given back in all */
  giveBack(now: number, amount: number, sources: readonly DrawSource[]): number {
    let [rest, given] = [amount, 0];
    const minutes = [...new Set(this.#inWindow(now).map(({ minute }) => minute))].sort((a, b) => b - a);
    for (const minute of minutes) {
      const used = this.#parts.filter((part) => part.minute === minute);
      let share = Math.min(
        rest,
        used.reduce((sum, part) => sum + part.amount, 0),
      );
      rest -= share;
      for (const source of sources.toReversed())
        for (const part of used.filter((each) => each.source === nameOf(source))) {
          const taken = Math.min(share, part.amount);
          part.amount -= taken;
          share -= taken;
          given += taken;
        }
    }
    return given;
  }

  quotaUsed(now: number): number {
    return sum(this.#inWindow(now).filter(({ source }) => source === 'quota'));
  }

  used(now: number): number {
    return sum(this.#inWindow(now));
  }

  drawn(grant: string): number {
    return sum(this.#parts.filter(({ source }) => source === grant));
  }

  #inWindow(now: number): Part[] {
    const from = Math.floor(windowOf(this.#meter, now).startsAt / MINUTE);
    return this.#parts.filter(({ minute }) => minute >= from);
  }
}

const sum = (parts: readonly Part[]) => parts.reduce((total, { amount }) => total + amount, 0);

const GRANTS = ['bal_a', 'bal_b', 'bal_c'];
const sources = fc
  .tuple(
    fc.shuffledSubarray(GRANTS),
    fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 3 }),
    fc.nat(3),
  )
  .map(([grants, amounts, at]): readonly DrawSource[] =>
    (grants.map((grant, index) => ({ grant, amount: amounts[index]! })) as DrawSource[]).toSpliced(
      at,
      0,
      'quota',
    ),
  );
const step = fc.record({
  minutes: fc.integer({ min: 0, max: 3 }),
  by: fc.integer({ min: -8, max: 9 }),
  limit: fc.integer({ min: 0, max: 15 }),
  enforce: fc.boolean(),
  sources,
});

const records: UpdateRecords = {
  origin: 'weur/1',
  accountOf: () => null,
  findUses: () => [],
  putUse: () => undefined,
  findKeys: () => [],
  putKey: () => undefined,
  shares: null,
  holdName: (id) => id,
  findHold: () => null,
  putHold: () => undefined,
  changerOf: () => 'here',
  isErased: () => false,
};

it('what is drawn, given back, left and refused is what the list says, after each update', () => {
  fc.assert(
    fc.property(fc.constantFrom(...METERS), fc.array(step, { maxLength: 30 }), (window, steps) => {
      const meters = new CustomerMeters('ada', [], () => []);
      const reference = new Reference(window);
      let now = START;
      for (const { minutes, by, limit, enforce, sources: from } of steps) {
        now += minutes * MINUTE;
        const update: CounterUpdate = {
          propertyId: 'prop_calls',
          by,
          enforce,
          value: { state: 'metered', meter: { ...window, limit } },
          sources: from,
        };
        const outcome = decideUpdate(meters, update, now, records);
        if (outcome.kind !== 'decided') throw new Error(outcome.kind);
        if (by < 0) expect(outcome.applied).toBe(0 - reference.giveBack(now, -by, from));
        else {
          const drawn = reference.add(now, by, limit, enforce, from);
          expect(outcome.accepted).toBe(drawn !== null);
          drawn?.delete('quota');
          expect(new Map(outcome.draws?.map(({ grant, amount }) => [grant, amount]))).toEqual(
            drawn ?? new Map(),
          );
        }
        const reading = meters.read('prop_calls', window, now);
        expect(reading.used).toBe(reference.used(now));
        for (const grant of GRANTS)
          expect(reading.draws?.grants[grant] ?? 0, grant).toBe(reference.drawn(grant));
        expect(reading.used - (reading.draws?.inWindow ?? 0)).toBe(reference.quotaUsed(now));
      }
    }),
    { numRuns: 1_000 },
  );
});

it('usage of what is unlimited, and what has no grants, draws nothing', () => {
  const meters = new CustomerMeters('ada', [], () => []);
  const update = { propertyId: 'prop_calls', by: 5, enforce: true } as const;
  const grant: DrawSource = { grant: 'bal_a', amount: 9 };
  const unlimited = { ...update, value: { state: 'on' as const }, sources: [grant, 'quota' as const] };
  expect(decideUpdate(meters, unlimited, START, records)).not.toHaveProperty('draws');
  const value = { state: 'metered', meter: { ...METERS[0]!, limit: 20 } } as const;
  expect(decideUpdate(meters, { ...update, value }, START, records)).not.toHaveProperty('draws');
  expect(meters.read('prop_calls', METERS[0]!, START)).toEqual({ used: 10, resetsAt: null });
});
