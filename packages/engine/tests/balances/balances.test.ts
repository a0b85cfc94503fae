// The order of drawing and what is left: laws for any balances.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import { compareDrawing, nextChangeOf, QUOTA_PRIORITY, sourcesOf } from '#engine/balances/drawing-order';
import { readBalances } from '#engine/balances/read-balances';
import { splitAmount } from '#engine/ledger/draws';

const NOW = 1_000;
const instant = fc.integer({ min: NOW - 3, max: NOW + 3 });
const balance = fc.record({
  id: fc.string({ minLength: 1, maxLength: 3 }).map((id) => `bal_${id}`),
  propertyId: fc.constant('prop_credits'),
  amount: fc.integer({ min: 0, max: 20 }),
  category: fc.constantFrom('paid', 'promotional', 'plan'),
  startsAt: instant,
  endsAt: fc.option(instant),
  priority: fc.constantFrom(0, 39, QUOTA_PRIORITY, 50, 100),
  isFrozen: fc.constantFrom(undefined, undefined, true),
}) as fc.Arbitrary<BalanceFacts>;
const balances = fc.uniqueArray(balance, { maxLength: 8, selector: ({ id }) => id });

const someBalance = (given: Partial<BalanceFacts> = {}): BalanceFacts => ({
  id: 'bal_1',
  propertyId: 'prop_credits',
  amount: 10,
  category: 'paid',
  startsAt: 0,
  endsAt: null,
  priority: 50,
  ...given,
});

const order = (given: readonly BalanceFacts[], quotaEndsAt: number | null = NOW + 2) =>
  sourcesOf(given, quotaEndsAt, NOW).map(({ source }) => (source === 'quota' ? source : source.grant));

describe('the order of drawing', () => {
  it('is the same, however the balances arrive', () => {
    fc.assert(
      fc.property(
        balances.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([one, other]) => {
          expect(order(one)).toEqual(order(other));
        },
      ),
    );
  });

  it('is total', () => {
    fc.assert(
      fc.property(balance, balance, balance, (a, b, c) => {
        expect(Math.sign(compareDrawing(a, b))).toBe(0 - Math.sign(compareDrawing(b, a)));
        if (a.id !== b.id) expect(compareDrawing(a, b)).not.toBe(0);
        if (compareDrawing(a, b) < 0 && compareDrawing(b, c) < 0)
          expect(compareDrawing(a, c)).toBeLessThan(0);
      }),
    );
  });

  it.each<[string, Partial<BalanceFacts>, Partial<BalanceFacts>]>([
    ['by priority', { priority: 49, category: 'paid' }, { endsAt: NOW + 1, category: 'promotional' }],
    ['what ends first', { endsAt: NOW + 1 }, { endsAt: NOW + 2, category: 'promotional' }],
    ['what ends before what does not', { endsAt: NOW + 9 }, { startsAt: -5 }],
    ['promotional before paid', { category: 'promotional' }, { startsAt: -5 }],
    ['what started first', { startsAt: 1, id: 'bal_9' }, { startsAt: 2 }],
    ['by id', { id: 'bal_0' }, {}],
  ])('%s', (_, first, second) => {
    const [one, other] = [someBalance({ id: 'bal_0', ...first }), someBalance({ id: 'bal_1', ...second })];
    expect(order([other, one])).toEqual(['quota', one.id, other.id]);
  });

  it('has the quota before balances, unless they say otherwise', () =>
    expect(order([someBalance(), someBalance({ id: 'bal_0', priority: 39 })])).toEqual([
      'bal_0',
      'quota',
      'bal_1',
    ]));

  it('leaves out what has not started, has ended or is frozen', () =>
    expect(
      order([
        someBalance({ id: 'early', startsAt: NOW + 1 }),
        someBalance({ id: 'over', endsAt: NOW }),
        someBalance({ id: 'frozen', isFrozen: true }),
        someBalance({ id: 'now', startsAt: NOW, endsAt: NOW + 1 }),
      ]),
    ).toEqual(['quota', 'now']));

  it('holds until the next start or end', () => {
    fc.assert(
      fc.property(balances, (given) => {
        const until = nextChangeOf(given, NOW);
        const last = Math.min(until - 1, NOW + 10);
        expect(sourcesOf(given, null, last)).toEqual(sourcesOf(given, null, NOW));
        if (until < Number.POSITIVE_INFINITY) expect(until).toBeGreaterThan(NOW);
      }),
    );
  });
});

describe('what is left', () => {
  it('says what is held in full, also above a quota that has become smaller, and never as used', () => {
    const reading = { used: 27, held: { amount: 11, until: NOW + 1 } };
    for (const given of [[], [someBalance()]])
      expect(readBalances(sourcesOf(given, null, NOW), 9, reading)).toMatchObject({
        ...{ used: 16, held: 11, overage: 18, remaining: given.length * 10 },
      });
  });

  const reading = fc.record({
    quotaUsed: fc.nat(30),
    drawn: fc.array(fc.nat(25), { minLength: 8, maxLength: 8 }),
  });

  it('adds up, in all and in each line, whatever was used', () => {
    fc.assert(
      fc.property(balances, fc.nat(20), reading, (given, quota, { quotaUsed, drawn }) => {
        const grants = Object.fromEntries(given.map(({ id }, index) => [id, drawn[index]!]));
        const inWindow = Object.values(grants).reduce((sum, each) => sum + each, 0);
        const read = readBalances(sourcesOf(given, null, NOW), quota, {
          used: quotaUsed + inWindow,
          draws: { inWindow, grants },
        });
        expect(read.remaining).toBe(read.limit - read.used + read.overage);
        for (const { amount, used, remaining } of read.lines) {
          expect(amount).toBe(used + remaining);
          expect(Math.min(used, remaining)).toBeGreaterThanOrEqual(0);
        }
        expect(read.overage).toBe(Math.max(0, quotaUsed - quota));
        expect(read.limit).toBe(read.lines.reduce((sum, { amount }) => sum + amount, 0));
      }),
    );
  });

  it('is what an update may still take', () => {
    fc.assert(
      fc.property(balances, fc.nat(20), reading, fc.nat(60), (given, quota, { quotaUsed, drawn }, amount) => {
        const grants = Object.fromEntries(given.map(({ id }, index) => [id, drawn[index]!]));
        const inWindow = Object.values(grants).reduce((sum, each) => sum + each, 0);
        const sources = sourcesOf(given, null, NOW);
        const read = readBalances(sources, quota, {
          used: quotaUsed + inWindow,
          draws: { inWindow, grants },
        });
        const { overage } = splitAmount(
          amount,
          0,
          sources.map(({ source }) => source),
          (source) => (source === 'quota' ? quota - quotaUsed : source.amount - (grants[source.grant] ?? 0)),
        );
        expect(overage).toBe(Math.max(0, amount - read.remaining));
      }),
    );
  });
});
