// The balances of a customer's page: which meter they belong to, in which order they are listed, and how they read.
import { describe, expect, test } from 'vitest';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { Entitlement } from '#contracts/console/customers';
import type { BalanceLine } from '#contracts/public/balance-lines';
import { hueOf } from '../../web/domains/customers/balances/balance-bar.tsx';
import { balanceGroups, isClosed } from '../../web/domains/customers/balances/balance-groups.ts';
import {
  balanceName,
  originWords,
  overageWords,
  rolledWords,
  termsWords,
  usedWords,
} from '../../web/domains/customers/balances/balance-words.ts';
import type { MeteredAnswer } from '../../web/domains/customers/entitlements/meter-window.ts';
import { formatUtcDay } from '../../web/ui/format.ts';
import { levelOf } from '../../web/values/meter-level.ts';
import { readMinor } from '../../web/values/money-text.ts';

const balance = (id: string, more: Partial<CustomerBalance> = {}): CustomerBalance => ({
  ...{ id: `bal_${id}`, name: id, identifier: 'acme', environmentId: null, propertyId: 'exports' },
  ...{ amount: 100, takenBack: 0, used: 0, remaining: 100, state: 'active', category: 'paid' },
  ...{ source: { kind: 'api' }, integrationId: null, paymentId: null, costBasis: null },
  ...{
    startsAt: 0,
    endsAt: null,
    priority: 50,
    needsPlan: false,
    isFrozen: false,
    paysOverage: false,
    entityId: null,
    reason: 'Bought',
  },
  ...{ createdAt: 0, updatedAt: 0, createdByUserId: null, createdByKey: null },
  ...more,
});

const line = (id: string | null, used: number, amount = 100): BalanceLine => ({
  ...(id === null ? { kind: 'quota' } : { kind: 'balance', id }),
  ...{ amount, used, remaining: amount - used, endsAt: null },
});

const metered = (propertyId: string, balances?: BalanceLine[]) =>
  ({ propertyId, meter: { state: 'metered', balances } }) as unknown as Entitlement;

describe('a customer’s balances', () => {
  test('are listed as they are drawn from, and the first with something left is next', () => {
    const lines = [line(null, 100), line('gift', 100), line('bal_two', 40), line('inv-1', 0)];
    const two = balance('two', { name: null });
    const [group] = balanceGroups(
      [metered('exports', lines)],
      [balance('inv-1'), two, balance('gift', { state: 'used-up', remaining: 0 })],
    );
    expect(group?.sources.map(({ line: { id }, balance: found, isNext }) => [id, found?.id, isNext])).toEqual(
      [
        [undefined, undefined, false],
        ['gift', 'bal_gift', false],
        ['bal_two', 'bal_two', true],
        ['inv-1', 'bal_inv-1', false],
      ],
    );
    expect(group?.others).toEqual([]);
    expect(group?.sources.map((each, place, all) => hueOf(each, place, all))).toEqual([0, 1, 2, 3]);
  });

  test('that cannot be drawn from follow: what may still count first, what is over last', () => {
    const states = ['ended', 'used-up', 'frozen', 'needs-plan', 'scheduled'] as const;
    const [group] = balanceGroups(
      [metered('exports', [line(null, 0)])],
      states.map((state) => balance(state, { state })),
    );
    expect(group?.others.map(({ state }) => state)).toEqual([
      'scheduled',
      'needs-plan',
      'frozen',
      'used-up',
      'ended',
    ]);
    expect(group?.others.filter(isClosed).map(({ state }) => state)).toEqual(['used-up', 'ended']);
  });

  test('of two names of one customer can have one ID, and each keeps its line', () => {
    const both = [
      balance('one', { name: 'gift' }),
      balance('two', { name: 'gift', identifier: 'a@x.example' }),
    ];
    const [group] = balanceGroups([metered('exports', [line('gift', 1), line('gift', 2)])], both);
    expect(new Set(group?.sources.map((each) => each.balance?.id))).toEqual(new Set(['bal_one', 'bal_two']));
  });

  test('come in the order of the entitlements; meters without any are left out, and undeployed ones stay', () => {
    const groups = balanceGroups(
      [metered('seats'), metered('requests', [line(null, 0)]), metered('exports', [line(null, 0)])],
      ['gone', 'exports', 'requests'].map((propertyId) => balance(propertyId, { propertyId })),
    );
    expect(groups.map(({ propertyId, entitlement }) => [propertyId, entitlement !== undefined])).toEqual([
      ['requests', true],
      ['exports', true],
      ['gone', false],
    ]);
    expect(groups[2]?.meter).toBeNull();
  });

  test('have what rolled over of a meter, also where nothing was bought or given', () => {
    const rolled = { ...line('roll:exports:1790812800000', 40), source: 'rollover' as const };
    const from = Date.UTC(2026, 9, 1);
    const [group, ...others] = balanceGroups(
      [
        metered('exports', [{ ...rolled, rolledFrom: from }, line(null, 100)]),
        metered('seats', [line(null, 1)]),
      ],
      [],
    );
    expect(others).toEqual([]);
    expect(group?.sources.map(({ balance: found, isNext }) => [found, isNext])).toEqual([
      [null, true],
      [null, false],
    ]);
    expect(rolledWords(from)).toBe('Rolled over from October 2026');
    expect(rolledWords(Date.UTC(2026, 9, 31, 14))).toBe(
      `Rolled over from ${formatUtcDay(Date.UTC(2026, 9, 31))}`,
    );
  });

  test('of members are listed beside the quota, although the customer’s own calls draw from none', () => {
    const meter = { state: 'metered', limit: 100, used: 30, remaining: 70, resetsAt: null };
    const exported = { propertyId: 'exports', meter } as unknown as Entitlement;
    const [group] = balanceGroups([exported], [balance('one', { entityId: 'user_7' })]);
    expect(group?.sources).toMatchObject([{ line: { kind: 'quota', amount: 100, used: 30, remaining: 70 } }]);
    expect(group?.others.map(({ entityId }) => entityId)).toEqual(['user_7']);
  });

  test('of an unlimited meter have no sources', () => {
    const unlimited = { propertyId: 'exports', meter: { state: 'on' } } as unknown as Entitlement;
    const [group] = balanceGroups([unlimited], [balance('one')]);
    expect([group?.meter, group?.sources, group?.others.length]).toEqual([null, [], 1]);
  });
});

describe('the words of a balance', () => {
  test('name it by its own ID, or by what it is', () => {
    expect(balanceName(balance('inv-118'))).toBe('inv-118');
    expect(balanceName(balance('x', { name: null }))).toBe('Paid balance');
    expect(balanceName(balance('x', { name: null, category: 'promotional' }))).toBe('Promotional balance');
    expect(balanceName(balance('x', { name: null, source: { kind: 'top-up' } }))).toBe('Paid top-up');
  });

  test('say what is used, taken back and unknown', () => {
    expect(usedWords({ amount: 10_000, takenBack: 0, used: 2_150 })).toBe('2,150 of 10,000 used');
    expect(usedWords({ amount: 10_000, takenBack: 500, used: 0 })).toBe('0 of 10,000 used, 500 taken back');
    expect(usedWords({ amount: 10_000, takenBack: 0, used: 2_150, held: 250 })).toBe(
      '2,150 of 10,000 used, 250 held',
    );
    expect(usedWords({ amount: 10_000, takenBack: 0, used: null })).toBe('10,000 given');
  });

  test('say where it comes from, with what was paid in the currency’s own digits', () => {
    expect(originWords(balance('x'))).toBe('Paid');
    expect(originWords(balance('x', { category: 'promotional' }))).toBe('Promotional');
    expect(originWords(balance('x', { costBasis: { currency: 'gbp', amountMinor: 4_990 } }))).toBe(
      'Paid £49.90',
    );
    expect(originWords(balance('x', { name: null }))).toBeNull();
    expect(originWords(balance('x', { name: null, costBasis: { currency: 'jpy', amountMinor: 500 } }))).toBe(
      '¥500',
    );
  });

  test('say the terms that a change left', () => {
    const terms = { endsAt: null, priority: 10, needsPlan: true, isFrozen: true };
    expect(termsWords(terms)).toBe('no end, priority 10, needs a plan, frozen');
    expect(
      termsWords({ ...terms, endsAt: Date.UTC(2026, 11, 3, 12), needsPlan: false, isFrozen: false }),
    ).toBe('ends on 3 Dec 2026, priority 10');
  });
});

test.each([
  ['49.90', 'eur', 4_990],
  ['49.9', 'eur', 4_990],
  [' 1,234.50 ', 'usd', 123_450],
  ['0', 'usd', 0],
  ['500', 'jpy', 500],
  ['1.250', 'kwd', 1_250],
  ['', 'eur', null],
  ['49,90', 'eur', Number.NaN],
  ['49.901', 'eur', Number.NaN],
  ['5.5', 'jpy', Number.NaN],
  ['-1', 'eur', Number.NaN],
  ['about 5', 'eur', Number.NaN],
])('what was paid, %j of %s, is %d in the smallest unit', (text, currency, minor) => {
  expect(readMinor(text, currency)).toBe(minor);
});

test('usage beyond the limit is overage while more is allowed, and at the limit otherwise', () => {
  const level = (used: number, more: Partial<MeteredAnswer> = {}) =>
    levelOf({ ...{ used, limit: 100, allowed: used < 100 }, ...more } as MeteredAnswer);
  expect([level(50), level(85), level(100)]).toEqual(['within', 'near', 'reached']);
  expect(level(85, { held: 20, overage: 5, overageLimit: 50, allowed: true })).toBe('over');
  expect(level(150, { overage: 50, overageLimit: 50 })).toBe('reached');
  expect(level(900, { overage: 800, overageLimit: null, allowed: true })).toBe('over');
  const unlimited = { overageLimit: null, allowed: true };
  expect([level(100, unlimited), level(0, { ...unlimited, limit: 0 })]).toEqual(['near', 'within']);
  const costs = { feature: 'ai', property: 'credits', per: 1, allowed: false } as const;
  expect(level(50, { allowed: false, costs })).toBe('within');
  expect(level(120, { allowed: false, costs, overage: 20, overageLimit: null })).toBe('over');
  expect(overageWords(240, 500)).toBe('240 overage, 500 allowed');
  expect([overageWords(1_240, null), overageWords(1_240, undefined)]).toEqual(Array(2).fill('1,240 overage'));
});
