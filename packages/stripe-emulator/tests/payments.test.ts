// One-time payments: checkout, payment intents, refunds and disputes, with their events in order.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { type OwnAccount, ownEmulator, press, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });
const success_url = 'https://tessera.example/ok';

interface Shop extends OwnAccount {
  price: string;
}

/** A shop that sells a top-up of £20. */
async function newShop(): Promise<Shop> {
  const account = emulator.account();
  const { default_price } = await account.stripe.products.create({
    name: '10,000 credits',
    default_price_data: { currency: 'gbp', unit_amount: 2000 },
  });
  return { ...account, price: String(default_price) };
}

/** The types of an account's events, oldest first, without those of the catalogue. */
async function eventsOf({ stripe }: OwnAccount): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .map(({ type }) => type)
    .filter((type) => !/^(product|price|plan|coupon)\./.test(type))
    .reverse();
}

async function pay({ stripe }: OwnAccount, fields: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    confirm: true,
    ...fields,
  });
  return { intent, charge: String(intent.latest_charge) };
}

test('a checkout in payment mode makes a payment intent and a charge, and no customer unless it is asked for', async () => {
  const shop = await newShop();
  const { stripe, price } = shop;
  const { id, url, ...session } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url,
    line_items: [{ price, quantity: 2 }],
    metadata: { cart: '17' },
    payment_intent_data: { metadata: { cart: '17' }, description: 'Top-up' },
  });
  expect(session).toMatchObject({ mode: 'payment', payment_intent: null, amount_total: 4000 });
  expect(await (await fetch(url!)).text()).toContain('Pay £40.00');
  expect((await press(`${url}/pay`, { email: 'payer@customers.example', name: 'Pay Er' })).status).toBe(303);
  const paid = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer: null,
    subscription: null,
    invoice: null,
    customer_details: { email: 'payer@customers.example' },
    payment_intent: {
      status: 'succeeded',
      amount_received: 4000,
      description: 'Top-up',
      metadata: { cart: '17' },
      latest_charge: {
        paid: true,
        amount: 4000,
        billing_details: { email: 'payer@customers.example', name: 'Pay Er' },
      },
    },
  });
  expect(await eventsOf(shop)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'checkout.session.completed',
  ]);
  const intent = (paid.payment_intent as Stripe.PaymentIntent).id;
  const found = await stripe.checkout.sessions.list({ payment_intent: intent });
  expect(found.data.map((each) => each.id)).toEqual([id]);
});

test('a declined card leaves the checkout open, and its payment intent is paid by the next one', async () => {
  const shop = await newShop();
  const { stripe, price } = shop;
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url,
    line_items: [{ price, quantity: 1 }],
  });
  expect((await press(`${url}/decline`)).status).toBe(402);
  const declined = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
  expect(declined).toMatchObject({
    status: 'open',
    payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } },
  });
  await press(`${url}/pay`, { email: 'payer@customers.example' });
  const intent = (declined.payment_intent as Stripe.PaymentIntent).id;
  expect((await stripe.checkout.sessions.retrieve(id)).payment_intent).toBe(intent);
  expect((await stripe.charges.list({ payment_intent: intent })).data.map(({ status }) => status)).toEqual([
    'succeeded',
    'failed',
  ]);
});

test('a checkout makes the customer and the invoice that it is asked for', async () => {
  const { stripe, price } = await newShop();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25 });
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url,
    line_items: [{ price, quantity: 1 }],
    discounts: [{ coupon }],
    invoice_creation: { enabled: true },
  });
  await press(`${url}/pay`, { email: 'payer@customers.example' });
  const session = await stripe.checkout.sessions.retrieve(id, {
    expand: ['customer', 'invoice.payments', 'invoice.discounts'],
  });
  expect(session).toMatchObject({
    customer: { email: 'payer@customers.example' },
    invoice: {
      status: 'paid',
      billing_reason: 'manual',
      parent: null,
      subtotal: 2000,
      total: 1500,
      lines: {
        data: [{ amount: 2000, discount_amounts: [{ amount: 500 }], pricing: { price_details: { price } } }],
      },
      discounts: [{ source: { coupon }, checkout_session: id }],
      payments: { data: [{ status: 'paid', payment: { payment_intent: session.payment_intent } }] },
    },
  });
  expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(1);
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: String(session.payment_intent) },
  });
  expect(data.map(({ invoice }) => invoice)).toEqual([(session.invoice as Stripe.Invoice).id]);
});

test('a free checkout needs no payment', async () => {
  const shop = await newShop();
  const { stripe, price } = shop;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 100 });
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url,
    line_items: [{ price, quantity: 1 }],
    discounts: [{ coupon }],
  });
  expect(await (await fetch(url!)).text()).toContain('Complete order');
  await press(`${url}/pay`, { email: 'payer@customers.example' });
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    payment_status: 'no_payment_required',
    payment_intent: null,
    amount_total: 0,
  });
  expect(await eventsOf(shop)).toEqual(['checkout.session.completed']);
});

test('prices go with the mode: recurring ones are not paid once, and a subscription needs one', async () => {
  const { stripe, price } = await newShop();
  const { id: product } = await stripe.products.create({ name: 'Pro' });
  const monthly = await stripe.prices.create({
    product,
    currency: 'gbp',
    unit_amount: 900,
    recurring: { interval: 'month' },
  });
  const open = (mode: 'payment' | 'subscription', prices: string[]) =>
    stripe.checkout.sessions.create({
      mode,
      success_url,
      line_items: prices.map((each) => ({ price: each, quantity: 1 })),
    });
  expect((await refusalOf(open('payment', [monthly.id]))).param).toBe('line_items[0][price]');
  expect((await refusalOf(open('subscription', [price]))).param).toBe('line_items');
  const { id, url, amount_total } = await open('subscription', [monthly.id, price]);
  expect(amount_total).toBe(2900);
  await press(`${url}/pay`, { email: 'payer@customers.example' });
  const { invoice, subscription } = await stripe.checkout.sessions.retrieve(id, {
    expand: ['invoice', 'subscription'],
  });
  expect((invoice as Stripe.Invoice).lines.data.map(({ amount }) => amount)).toEqual([900, 2000]);
  expect((subscription as Stripe.Subscription).items.data.map((item) => item.price.id)).toEqual([monthly.id]);
});

test('a payment intent is confirmed, declined and canceled by the rules of its status', async () => {
  const shop = await newShop();
  const { stripe } = shop;
  const open = await stripe.paymentIntents.create({ amount: 500, currency: 'GBP', metadata: { a: '1' } });
  expect(open).toMatchObject({ status: 'requires_payment_method', currency: 'gbp', latest_charge: null });
  expect((await refusalOf(stripe.paymentIntents.confirm(open.id))).code).toBe(
    'payment_intent_unexpected_state',
  );
  const bad = await refusalOf(
    stripe.paymentIntents.confirm(open.id, { payment_method: 'pm_card_chargeCustomerFail' }),
  );
  expect(bad).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' });
  const paid = await stripe.paymentIntents.confirm(open.id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge.refunds'],
  });
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 500, metadata: { a: '1' } });
  expect(paid.latest_charge).toMatchObject({ paid: true, refunds: { data: [] } });
  for (const call of [stripe.paymentIntents.confirm(open.id), stripe.paymentIntents.cancel(open.id)]) {
    expect(await refusalOf(call)).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
  }
  const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' });
  expect(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'abandoned',
  });
  const malformed: [Promise<unknown>, string][] = [
    [stripe.paymentIntents.create({ currency: 'gbp' } as Stripe.PaymentIntentCreateParams), 'amount'],
    [stripe.paymentIntents.create({ amount: 0, currency: 'gbp' }), 'amount'],
    [stripe.paymentIntents.create({ amount: 100_000_000, currency: 'gbp' }), 'amount'],
    [stripe.paymentIntents.create({ amount: 5, currency: 'pounds' }), 'currency'],
    [stripe.paymentIntents.create({ amount: 5, currency: 'gbp', customer: 'cus_none' }), 'customer'],
    [
      stripe.paymentIntents.create({ amount: 5, currency: 'gbp', payment_method: 'pm_none' }),
      'payment_method',
    ],
  ];
  for (const [call, param] of malformed) {
    expect(await refusalOf(call)).toMatchObject({ statusCode: 400, param });
  }
});

test('a charge is refunded in parts, never by more than is left, and the events say what changed', async () => {
  const shop = await newShop();
  const { stripe } = shop;
  const { charge, intent } = await pay(shop);
  const before = (await eventsOf(shop)).length;
  const first = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 500,
    reason: 'requested_by_customer',
    metadata: { order: '9' },
  });
  expect(first).toMatchObject({
    amount: 500,
    charge,
    payment_intent: intent.id,
    status: 'succeeded',
    reason: 'requested_by_customer',
    metadata: { order: '9' },
  });
  expect((await eventsOf(shop)).slice(before)).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'charge.refund.updated',
  ]);
  const [event] = (await stripe.events.list({ type: 'charge.refunded' })).data;
  expect(event?.data).toMatchObject({
    object: { id: charge, amount_refunded: 500, refunded: false },
    previous_attributes: { amount_refunded: 0 },
  });
  const tooMuch = await refusalOf(stripe.refunds.create({ charge, amount: 1501 }));
  expect(tooMuch).toMatchObject({
    statusCode: 400,
    param: 'amount',
    message: 'Refund amount (£15.01) is greater than unrefunded amount on charge (£15.00)',
  });
  expect((await stripe.refunds.create({ charge })).amount).toBe(1500);
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 2000, refunded: true });
  expect(await refusalOf(stripe.refunds.create({ charge, amount: 1 }))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
    message: `Charge ${charge} has already been refunded.`,
  });
  expect((await stripe.refunds.list({ charge })).data.map(({ amount }) => amount)).toEqual([1500, 500]);
});

test('a refund is made once per idempotency key, and concurrent ones do not refund too much', async () => {
  const shop = await newShop();
  const { stripe } = shop;
  const { charge } = await pay(shop);
  const idempotencyKey = 'refund-of-order-9';
  const once = await stripe.refunds.create({ charge, amount: 700 }, { idempotencyKey });
  expect((await stripe.refunds.create({ charge, amount: 700 }, { idempotencyKey })).id).toBe(once.id);
  expect((await refusalOf(stripe.refunds.create({ charge, amount: 701 }, { idempotencyKey }))).type).toBe(
    'StripeIdempotencyError',
  );
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => stripe.refunds.create({ charge, amount: 650 })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(2000);
});

test('a refund of an unknown or unpaid payment names the parameter', async () => {
  const { stripe } = await newShop();
  const { id: unpaid } = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' });
  const calls: [Promise<unknown>, number, string | undefined, string | undefined][] = [
    [stripe.refunds.create({ charge: 'ch_none' }), 400, 'resource_missing', 'charge'],
    [stripe.refunds.create({ payment_intent: 'pi_none' }), 400, 'resource_missing', 'payment_intent'],
    [stripe.refunds.create({ payment_intent: unpaid }), 400, undefined, 'payment_intent'],
    [stripe.refunds.create({}), 400, undefined, undefined],
    [stripe.refunds.retrieve('re_none'), 404, 'resource_missing', 'id'],
    [stripe.charges.retrieve('ch_none'), 404, 'resource_missing', 'id'],
    [stripe.paymentIntents.retrieve('pi_none'), 404, 'resource_missing', 'id'],
    [stripe.disputes.retrieve('du_none'), 404, 'resource_missing', 'id'],
  ];
  for (const [call, statusCode, code, param] of calls) {
    const refusal = await refusalOf(call);
    expect([refusal.statusCode, refusal.code, refusal.param]).toEqual([statusCode, code, param]);
  }
});

test('the payment of an invoice can be refunded, and the invoice stays paid', async () => {
  const { stripe } = await newShop();
  const { id: customer } = await stripe.customers.create();
  await stripe.invoiceItems.create({ customer, amount: 900, currency: 'gbp' });
  const { id } = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' });
  const paid = await stripe.invoices.pay(id, { expand: ['payments'] });
  const payment_intent = String(paid.payments?.data[0]?.payment.payment_intent);
  await stripe.refunds.create({ payment_intent, amount: 400 });
  expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid', amount_paid: 900 });
});

test.for(['won', 'lost'] as const)(
  'a dispute that is %s takes the money, and gives it back only if it is won',
  async (outcome) => {
    const shop = await newShop();
    const { stripe, control } = shop;
    const { charge, intent } = await pay(shop);
    await stripe.refunds.create({ charge, amount: 500 });
    const before = (await eventsOf(shop)).length;
    const { id } = await control<Stripe.Dispute>('POST', `/charges/${charge}/dispute`, {
      reason: 'product_not_received',
    });
    expect(await stripe.disputes.retrieve(id, { expand: ['charge'] })).toMatchObject({
      status: 'needs_response',
      reason: 'product_not_received',
      amount: 1500,
      payment_intent: intent.id,
      charge: { disputed: true },
      balance_transactions: [{ amount: -1500, fee: 1500, net: -3000 }],
    });
    expect(await refusalOf(stripe.refunds.create({ charge }))).toMatchObject({
      statusCode: 400,
      code: 'charge_disputed',
      message: `Charge ${charge} has been charged back; cannot issue a refund.`,
    });
    await expect(control('POST', `/charges/${charge}/dispute`)).rejects.toThrow('disputed already');
    await control('POST', `/disputes/${id}`, { outcome });
    expect((await stripe.disputes.retrieve(id)).status).toBe(outcome);
    await expect(control('POST', `/disputes/${id}`, { outcome })).rejects.toThrow('already closed');
    expect((await eventsOf(shop)).slice(before)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      ...(outcome === 'won' ? ['charge.dispute.funds_reinstated'] : []),
    ]);
    if (outcome === 'won') expect((await stripe.refunds.create({ charge })).amount).toBe(1500);
    else expect((await refusalOf(stripe.refunds.create({ charge }))).code).toBe('charge_disputed');
  },
);

test('a disputed card opens its dispute at once, and evidence decides it as in Stripe’s test mode', async () => {
  const shop = await newShop();
  const { stripe } = shop;
  for (const [uncategorized_text, status] of [
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
    ['A receipt', 'under_review'],
  ] as const) {
    const { charge } = await pay(shop, { payment_method: 'pm_card_createDispute' });
    const [dispute] = (await stripe.disputes.list({ charge })).data;
    const answered = await stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text } });
    expect(answered.status).toBe(status);
  }
  const { charge } = await pay(shop, { payment_method: 'pm_card_createDispute' });
  const [dispute] = (await stripe.disputes.list({ charge })).data;
  expect((await stripe.disputes.close(dispute?.id ?? '')).status).toBe('lost');
});

test('the control API refuses what it does not know, and names the field', async () => {
  const shop = await newShop();
  const { control } = shop;
  const { charge } = await pay(shop);
  await expect(control('POST', `/charges/${charge}/dispute`, { reason: 'rude' })).rejects.toThrow(
    /400.*reason is one of/,
  );
  await expect(control('POST', '/charges/ch_none/dispute')).rejects.toThrow(/No such charge/);
  await expect(control('POST', '/disputes/du_none', { outcome: 'draw' })).rejects.toThrow(
    /outcome is one of/,
  );
  await expect(control('POST', '/payment_intents/pi_none', { answer: 'maybe' })).rejects.toThrow(
    /answer is one of/,
  );
  await expect(control('POST', '/refunds/re_none', {})).rejects.toThrow(/answer is one of/);
});
