// Line items of a checkout session, and what they come to.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import type { CheckoutLine, CheckoutSessionRecord } from '../store/records.ts';
import { applyDiscounts, sumOf } from './apply-discounts.ts';
import { getRecord, innerList, type List, pageOf } from './list-page.ts';
import { priceOfUnits } from './price-of-units.ts';
import { showPrice } from './price-record.ts';

/** @param params of the page; without them the first ten, as inside the session */
export function showLineItems(
  context: Context,
  session: CheckoutSessionRecord,
  params?: Params,
): List<Stripe.LineItem> {
  const url = `/v1/checkout/sessions/${session.id}/line_items`;
  const items = amountsOf(context, session).lines.map((each) => showLineItem(context, each));
  return params === undefined ? innerList(url, items) : pageOf(params, { url, name: 'line item', items });
}

/** In minor units. Metered prices, and recurring ones during a trial, cost nothing today. */
export interface LineAmounts {
  line: CheckoutLine;
  subtotal: number;
  discount: number;
}

export interface CheckoutAmounts {
  lines: LineAmounts[];
  subtotal: number;
  discount: number;
  /** What is due today. */
  total: number;
}

export function amountsOf(
  context: Context,
  { currency, discounts = [], lines, trial_period_days: trial }: CheckoutSessionRecord,
): CheckoutAmounts {
  const priced = lines.map((line) => {
    const price = getRecord(context, 'price', line.price);
    const isFree = price.recurring?.usage_type === 'metered' || (trial !== null && price.recurring !== null);
    const amount = isFree ? 0 : priceOfUnits(price, line.quantity ?? 1);
    return { line, amount, isDiscountable: true, product: price.product };
  });
  const terms = discounts.map((each, index) => ({ discount: String(index), terms: each.terms }));
  const taken = applyDiscounts(priced, terms, currency ?? '');
  const shown = priced.map(({ line, amount }, index) => ({
    line,
    subtotal: amount,
    discount: sumOf(taken[index] ?? []),
  }));
  const subtotal = shown.reduce((sum, each) => sum + each.subtotal, 0);
  const discount = shown.reduce((sum, each) => sum + each.discount, 0);
  return { lines: shown, subtotal, discount, total: subtotal - discount };
}

function showLineItem(context: Context, { line, subtotal, discount }: LineAmounts): Stripe.LineItem {
  const price = getRecord(context, 'price', line.price);
  return {
    id: line.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: 0,
    amount_total: subtotal - discount,
    currency: price.currency,
    description: getRecord(context, 'product', price.product).name,
    metadata: {},
    price: showPrice(context, price),
    quantity: line.quantity ?? null,
  };
}
