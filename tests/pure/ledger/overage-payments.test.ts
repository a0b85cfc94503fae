// A grant that pays overage: usage above quota and grants becomes its own, once, wherever it is paid.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CounterUpdate, DrawSource } from '#contracts/internal/ledger';
import { Place } from './place.ts';

const NOW = Date.UTC(2026, 10, 29, 9);
const OLD = { grant: 'bal_old', amount: 10 };
const MINUTE = 60_000;

const usage = fc.array(fc.record({ by: fc.integer({ min: 1, max: 9 }), at: fc.nat(3) }), { maxLength: 12 });
const given = fc.record({
  limit: fc.integer({ min: 0, max: 30 }),
  sources: fc.constantFrom<(readonly DrawSource[] | undefined)[]>(undefined, ['quota', OLD], [OLD, 'quota']),
  amount: fc.integer({ min: 1, max: 40 }),
});

const payment = (amount: number): Partial<CounterUpdate> => ({
  enforce: false,
  paysOverage: { grant: 'bal_new', amount },
  key: { text: 'pays', bodyHash: 'pays' },
});

const readOf = (place: Place) => {
  const { used, draws } = place.read(NOW);
  const { inWindow = 0, grants = {} } = draws ?? {};
  return { used, onQuota: used - inWindow, old: grants.bal_old ?? 0, paid: grants.bal_new ?? 0 };
};

it('pays what is above quota and grants, as far as it lasts, and nothing else changes', () => {
  fc.assert(
    fc.property(given, usage, ({ limit, sources, amount }, used) => {
      const place = new Place('weur', ['weur']);
      const quota = { limit, ...(sources && { sources }) };
      for (const { by, at } of used)
        place.decide(NOW, { by, enforce: false, occurredAt: NOW - at * MINUTE }, quota);
      const before = readOf(place);
      const paid = Math.min(amount, Math.max(0, before.onQuota - limit));
      expect(place.decide(NOW, payment(amount), quota)).toMatchObject({ accepted: true, applied: paid });
      const after = { ...before, onQuota: before.onQuota - paid, paid };
      expect(readOf(place)).toEqual(after);
      expect(place.decide(NOW, payment(amount), quota)).toMatchObject({ replayed: true, applied: paid });
      expect(readOf(place)).toEqual(after);
      // What it paid for is given back to it.
      const all = [...(sources ?? ['quota' as const]), { grant: 'bal_new', amount }];
      place.decide(NOW, { by: -before.used }, { limit, sources: all });
      expect(readOf(place)).toEqual({ used: 0, onQuota: 0, old: 0, paid: 0 });
    }),
    { numRuns: 500 },
  );
});

it('is paid once, also in two locations at a time, and both come to the same', () => {
  fc.assert(
    fc.property(given, usage, usage, ({ limit, amount }, used, others) => {
      const [one, other] = [new Place('apac'), new Place('weur')] as const;
      const quota = { limit };
      for (const { by } of used) one.decide(NOW, { by, enforce: false }, quota);
      for (const { by } of others) other.decide(NOW, { by, enforce: false }, quota);
      const applied = [one, other].map((place) => place.decide(NOW, payment(amount), quota));
      for (let round = 0; round < 3; round++) {
        one.receive(other, NOW);
        other.receive(one, NOW);
      }
      const [first, second] = [readOf(one), readOf(other)];
      expect(first).toEqual(second);
      const decided = applied.flatMap((each) => (each.kind === 'decided' ? [each.applied] : []));
      expect(decided).toContain(first.paid);
      expect(first.paid).toBeLessThanOrEqual(amount);
      expect(first.used).toBe([...used, ...others].reduce((sum, { by }) => sum + by, 0));
      expect(one.decide(NOW, payment(amount), quota)).toMatchObject({ replayed: true });
      expect(readOf(one)).toEqual(first);
    }),
    { numRuns: 300 },
  );
});
