// Line items of a checkout session.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { CheckoutLine, CheckoutSessionRecord } from '../store/records.ts';
import { getRecord, innerList, type List } from './list-page.ts';
import { priceOfUnits } from './price-of-units.ts';
import { showPrice } from './price-record.ts';

export function showLineItems(context: Context, session: CheckoutSessionRecord): List<Stripe.LineItem> {
  return innerList(
    `/v1/checkout/sessions/${session.id}/line_items`,
    session.lines.map((line) => showLineItem(context, line)),
  );
}

/** Amount due today in minor units: zero for metered prices and during a trial. */
export function amountDue(context: Context, session: CheckoutSessionRecord): number {
  if (session.trial_period_days !== null) return 0;
  return session.lines.reduce((sum, line) => sum + amountOf(context, line), 0);
}

export function amountOf(context: Context, { price: id, quantity }: CheckoutLine): number {
  const price = getRecord(context, 'price', id);
  return price.recurring?.usage_type === 'metered' ? 0 : priceOfUnits(price, quantity ?? 1);
}

function showLineItem(context: Context, line: CheckoutLine): Stripe.LineItem {
  const price = getRecord(context, 'price', line.price);
  const amount = amountOf(context, line);
  return {
    id: line.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: getRecord(context, 'product', price.product).name,
    metadata: {},
    price: showPrice(context, price),
    quantity: line.quantity ?? null,
  };
}
