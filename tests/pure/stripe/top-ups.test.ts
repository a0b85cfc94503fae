// What payments make of balances: laws for any payments, refunds and disputes, read in any order and however often.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountOf,
  decideTopUps,
  type FundedBalance,
  type TopUp,
  unlinkedPrices,
} from '#worker/domains/integrations/stripe/top-ups/decide-top-ups';
import {
  type Payment,
  paymentsOf,
  type ReadPayments,
} from '#worker/domains/integrations/stripe/top-ups/paid-lines';

const TOP_UPS: readonly TopUp[] = [
  {
    ...{ priceId: 'price_small', propertyId: 'prop_1', amount: 100, category: 'paid', priority: 50 },
    ...{ lastsMonths: null, paysOverage: false, createdAt: 10_999 },
  },
  {
    ...{ priceId: 'price_large', propertyId: 'prop_1', amount: 1_000, category: 'paid', priority: 50 },
    ...{ lastsMonths: 12, paysOverage: false, createdAt: 10_999 },
  },
];

const line = fc.record({
  id: fc.constantFrom('li_1', 'li_2', 'li_3'),
  priceId: fc.constantFrom('price_small', 'price_large', 'price_other'),
  quantity: fc.integer({ min: 1, max: 3 }),
  currency: fc.constant('usd'),
  amountMinor: fc.nat(5_000),
});
const payment = fc.record({
  id: fc.constantFrom('pi_1', 'pi_2', 'in_1'),
  intent: fc.constant(null),
  paidAt: fc.constantFrom(9_000, 10_000, 20_000),
  lines: fc.uniqueArray(line, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
  refunded: fc.constantFrom(0, 0, 0.25, 0.5, 1),
  dispute: fc.constantFrom('none' as const, 'none' as const, 'open' as const, 'lost' as const),
});
const payments = fc.uniqueArray(payment, { maxLength: 3, selector: ({ id }) => id });

/** As stored: what is asked back is taken as far as it is left. */
function settle(given: readonly Payment[], before: readonly FundedBalance[], used: number): FundedBalance[] {
  let balances = [...before];
  for (let round = 0; round < 5; round += 1) {
    const actions = decideTopUps(given, TOP_UPS, balances);
    if (actions.length === 0) return balances;
    for (const action of actions) {
      if (action.kind === 'give')
        balances.push({
          id: `${action.payment.id} ${action.line.id}`,
          paymentId: action.payment.id,
          paymentLine: action.line.id,
          amount: amountOf(action.line, action.topUp),
          takenBack: 0,
          isFrozen: false,
          source: {},
        });
      else
        balances = balances.map((each) =>
          each.id === action.id
            ? {
                ...each,
                takenBack:
                  each.takenBack + Math.max(0, Math.min(action.wish, each.amount - each.takenBack - used)),
                isFrozen: action.isFrozen,
                source: action.source,
              }
            : each,
        );
    }
  }
  throw new Error('Payments never settle');
}

const sorted = (balances: readonly FundedBalance[]) =>
  balances.toSorted((one, other) => (one.id < other.id ? -1 : 1));

describe('payments', () => {
  it('settle, and then decide nothing more, in whatever order they are read', () => {
    fc.assert(
      fc.property(payments, fc.nat(50), (given, used) => {
        const once = settle(given, [], used);
        expect(decideTopUps(given, TOP_UPS, once)).toEqual([]);
        expect(sorted(settle(given.toReversed(), [], used))).toEqual(sorted(once));
      }),
    );
  });

  it('give what is linked, to the unit, times the quantity, once', () => {
    fc.assert(
      fc.property(payments, (given) => {
        const paid = given.filter(({ paidAt, dispute }) => paidAt >= 10_000 && dispute !== 'lost');
        const expected = paid.flatMap(({ lines }) =>
          lines.flatMap(({ priceId, quantity }) => {
            const topUp = TOP_UPS.find((each) => each.priceId === priceId);
            return topUp === undefined ? [] : [topUp.amount * quantity];
          }),
        );
        const given2 = settle(given, settle(given, [], 0), 0).map(({ amount }) => amount);
        expect(given2.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  it('take back the refunded share as far as it is left, and a refund after a lost dispute takes nothing more', () => {
    const paid: Payment = {
      ...{ id: 'pi_1', intent: 'pi_1', paidAt: 20_000, refunded: 0, dispute: 'none' },
      lines: [{ id: 'li_1', priceId: 'price_large', quantity: 1, currency: 'usd', amountMinor: 2_000 }],
    };
    const first = settle([paid], [], 720);
    const half = settle([{ ...paid, refunded: 0.25 }], first, 720);
    expect(half).toMatchObject([{ amount: 1_000, takenBack: 250, source: { asked: 250 } }]);
    const lost = settle([{ ...paid, refunded: 0.25, dispute: 'lost' }], half, 720);
    expect(lost).toMatchObject([{ takenBack: 280, source: { asked: 1_000 } }]);
    expect(settle([{ ...paid, refunded: 1, dispute: 'lost' }], lost, 0)).toEqual(lost);
  });

  it('are frozen while disputed, and a person’s freeze stays when the dispute is won', () => {
    const paid: Payment = {
      ...{ id: 'pi_1', intent: 'pi_1', paidAt: 20_000, refunded: 0, dispute: 'none' },
      lines: [{ id: 'li_1', priceId: 'price_small', quantity: 1, currency: 'usd', amountMinor: 500 }],
    };
    const [given] = settle([paid], [], 0);
    const disputed = settle([{ ...paid, dispute: 'open' }], [given!], 0);
    expect(disputed).toMatchObject([{ isFrozen: true, source: { isDisputed: true } }]);
    expect(settle([paid], disputed, 0)).toMatchObject([{ isFrozen: false, source: {} }]);
    const byPerson = [{ ...given!, isFrozen: true }];
    expect(settle([paid], byPerson, 0)).toEqual(byPerson);
  });

  it('of prices that nothing is linked to are named', () => {
    const other = { id: 'li_1', priceId: 'price_other', quantity: 1, currency: 'usd', amountMinor: 1 };
    const at = (paidAt: number): Payment => ({
      ...{ id: `pi_${paidAt}`, intent: null, paidAt, refunded: 0, dispute: 'none', lines: [other] },
    });
    expect([...unlinkedPrices([at(7), at(9)], TOP_UPS)]).toEqual([['price_other', 9]]);
  });
});

describe('what Stripe says', () => {
  const nothing: ReadPayments = { sessions: [], invoices: [], charges: [], disputes: [] };
  const session = (more: object) =>
    ({
      ...{
        id: 'cs_1',
        mode: 'payment',
        payment_status: 'paid',
        created: 1,
        invoice: null,
        payment_intent: 'pi_1',
      },
      line_items: {
        data: [{ id: 'li_1', price: { id: 'price_small' }, quantity: 2, amount_total: 900, currency: 'usd' }],
      },
      ...more,
    }) as never;

  it('is a payment once it is paid, not while a delayed method is open, and not twice with its invoice', () => {
    const read = (more: object) => paymentsOf({ ...nothing, sessions: [session(more)] });
    expect(read({})).toEqual([
      {
        ...{ id: 'pi_1', intent: 'pi_1', paidAt: 1_000, refunded: 0, dispute: 'none' },
        lines: [{ id: 'li_1', priceId: 'price_small', quantity: 2, currency: 'usd', amountMinor: 900 }],
      },
    ]);
    expect(read({ payment_status: 'unpaid' })).toEqual([]);
    expect(read({ invoice: 'in_1' })).toEqual([]);
    expect(read({ mode: 'subscription' })).toEqual([]);
    expect(read({ payment_intent: null, payment_status: 'no_payment_required' })).toMatchObject([
      { id: 'cs_1' },
    ]);
  });

  it('is for what was sold, not for a plan, a part of one, or what was given back', () => {
    const line = (id: string, more: object) => ({
      ...{ id, amount: 900, currency: 'usd', quantity: 1, parent: null },
      pricing: { price_details: { price: 'price_small' } },
      ...more,
    });
    const item = (proration: boolean) => ({
      type: 'invoice_item_details',
      invoice_item_details: { proration },
    });
    const data = [
      line('il_checkout', {}),
      line('il_item', { parent: item(false) }),
      line('il_plan', { parent: { type: 'subscription_item_details', subscription_item_details: {} } }),
      line('il_part', { parent: item(true) }),
      line('il_back', { amount: -900, parent: item(false) }),
    ];
    const invoice = { id: 'in_1', status: 'paid', created: 1, status_transitions: {}, lines: { data } };
    const [payment] = paymentsOf({ ...nothing, invoices: [invoice as never] });
    expect(payment?.lines.map(({ id }) => id)).toEqual(['il_checkout', 'il_item']);
  });

  it('is refunded by its charges, and disputed by its disputes', () => {
    const charges = [
      { payment_intent: 'pi_1', amount_captured: 900, amount_refunded: 225, created: 5 },
    ] as never;
    const disputes = (status: string) => [{ payment_intent: { id: 'pi_1' }, status }] as never;
    const read = (status: string) =>
      paymentsOf({ ...nothing, sessions: [session({})], charges, disputes: disputes(status) })[0];
    expect(read('won')).toMatchObject({ refunded: 0.25, dispute: 'none', paidAt: 5_000 });
    expect(read('needs_response')).toMatchObject({ dispute: 'open' });
    expect(read('lost')).toMatchObject({ dispute: 'lost' });
  });
});
