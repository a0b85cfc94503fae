// Bank debits, of which Stripe learns days later whether they succeed: what a checkout, an invoice and a subscription are meanwhile.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { AccountRequest } from '../control/create-account.ts';
import { type OwnAccount, ownEmulator, press, refusalOf } from './own-emulator.ts';

let nowMs = Date.parse('2026-03-01T12:00:00Z');
const emulator = ownEmulator({ sendsWebhooks: false, now: () => nowMs });
const success_url = 'https://tessera.example/ok';

interface Shop extends OwnAccount {
  monthly: string;
  once: string;
}

async function newShop(request: AccountRequest = {}): Promise<Shop> {
  const account = emulator.account(request);
  const sell = async (name: string, data: Stripe.ProductCreateParams.DefaultPriceData) =>
    String((await account.stripe.products.create({ name, default_price_data: data })).default_price);
  return {
    ...account,
    monthly: await sell('Pro', { currency: 'eur', unit_amount: 900, recurring: { interval: 'month' } }),
    once: await sell('Credits', { currency: 'eur', unit_amount: 2000 }),
  };
}

/** Completes a checkout by SEPA Direct Debit. */
async function checkout(shop: Shop, mode: 'payment' | 'subscription') {
  const { stripe, monthly, once } = shop;
  const { id, url, payment_method_types } = await stripe.checkout.sessions.create({
    mode,
    success_url,
    line_items: [{ price: mode === 'payment' ? once : monthly, quantity: 1 }],
  });
  expect(payment_method_types).toEqual(['card', 'sepa_debit']);
  const paid = await press(`${url}/pay`, { email: 'payer@customers.example', method: 'sepa_debit' });
  expect(paid.status).toBe(303);
  const [intent] = (await stripe.paymentIntents.list()).data;
  const again = await press(`${url}/pay`, { email: 'again@customers.example' });
  expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('Payment on its way')]);
  const read = () => stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice'] });
  return { intent: intent?.id ?? '', read };
}

function answer({ control }: Shop, intent: string, given: 'fail' | 'succeed') {
  return control<Stripe.PaymentIntent>('POST', `/payment_intents/${intent}`, { answer: given });
}

async function eventsOf({ stripe }: Shop): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.map(({ type }) => type).reverse();
}

test.for([
  ['succeed', 'paid', 'succeeded'],
  ['fail', 'unpaid', 'failed'],
] as const)(
  'a one-time checkout is unpaid until the bank answers, then %s',
  async ([given, status, outcome]) => {
    const shop = await newShop();
    const { intent, read } = await checkout(shop, 'payment');
    expect(await read()).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: intent,
    });
    expect(await shop.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })).toMatchObject({
      status: 'processing',
      amount_received: 0,
      latest_charge: { status: 'pending', paid: false, payment_method_details: { type: 'sepa_debit' } },
    });
    const before = await eventsOf(shop);
    expect(before.slice(-4)).toEqual([
      'payment_intent.created',
      'charge.pending',
      'payment_intent.processing',
      'checkout.session.completed',
    ]);
    await answer(shop, intent, given);
    expect((await read()).payment_status).toBe(status);
    const after = (await eventsOf(shop)).slice(before.length);
    expect(after[0]).toBe(`charge.${outcome}`);
    expect(after.at(-1)).toBe(`checkout.session.async_payment_${outcome}`);
    await expect(answer(shop, intent, given)).rejects.toThrow('only one that is processing can be settled');
  },
);

test.for(['active', 'incomplete'] as const)(
  'a subscription is %s while the bank processes its first payment, and active once it is paid',
  async (whileProcessing) => {
    const shop = await newShop({ whileProcessing });
    const { intent, read } = await checkout(shop, 'subscription');
    expect(await read()).toMatchObject({
      payment_status: 'unpaid',
      subscription: { status: whileProcessing },
      invoice: { status: 'open', amount_paid: 0, attempted: false },
    });
    nowMs += 3 * 86_400_000;
    await answer(shop, intent, 'succeed');
    expect(await read()).toMatchObject({
      payment_status: 'paid',
      subscription: { status: 'active' },
      invoice: { status: 'paid', amount_paid: 900 },
    });
    expect((await eventsOf(shop)).at(-1)).toBe('checkout.session.async_payment_succeeded');
  },
);

test.for([
  ['active', 'past_due'],
  ['incomplete', 'incomplete_expired'],
] as const)(
  'a first payment that is returned leaves an %s subscription %s',
  async ([whileProcessing, status]) => {
    const shop = await newShop({ whileProcessing });
    const { intent, read } = await checkout(shop, 'subscription');
    nowMs += 86_400_000;
    await expect
      .poll(async () => ((await read()).subscription as Stripe.Subscription).status)
      .toBe(whileProcessing);
    await answer(shop, intent, 'fail');
    await expect.poll(async () => ((await read()).subscription as Stripe.Subscription).status).toBe(status);
    const { payment_status, invoice } = await read();
    expect(payment_status).toBe('unpaid');
    expect((invoice as Stripe.Invoice).status).toBe(status === 'past_due' ? 'open' : 'void');
  },
);

test('a renewal by bank debit leaves the subscription active, its invoice open, and is past due if it is returned', async () => {
  const shop = await newShop();
  const { stripe, control, monthly } = shop;
  const { id: customer } = await stripe.customers.create();
  const { id: method } = await stripe.paymentMethods.create({
    type: 'sepa_debit',
    sepa_debit: { iban: 'AT611904300234573201' },
    billing_details: { name: 'Ada', email: 'ada@customers.example' },
  });
  await stripe.paymentMethods.attach(method, { customer });
  const { id, status } = await stripe.subscriptions.create({
    customer,
    items: [{ price: monthly }],
    default_payment_method: method,
  });
  expect(status).toBe('active');
  const latest = async () => {
    const found = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] });
    const invoice = found.latest_invoice as Stripe.Invoice;
    return {
      status: found.status,
      invoice: invoice.status,
      intent: String(invoice.payments?.data[0]?.payment.payment_intent),
    };
  };
  const first = await latest();
  expect(first.invoice).toBe('open');
  await answer(shop, first.intent, 'succeed');
  expect(await latest()).toMatchObject({ status: 'active', invoice: 'paid' });
  await control('POST', `/subscriptions/${id}`, { change: 'end-period' });
  const renewal = await latest();
  expect(renewal).toMatchObject({ status: 'active', invoice: 'open' });
  expect(
    (await refusalOf(stripe.invoices.pay((await stripe.invoices.list({ customer })).data[0]?.id ?? ''))).code,
  ).toBe('payment_intent_unexpected_state');
  await answer(shop, renewal.intent, 'fail');
  expect(await latest()).toMatchObject({ status: 'past_due', invoice: 'open' });
});

test('a refund of a bank debit is pending until the bank answers, and one that is returned is owed again', async () => {
  const shop = await newShop();
  const { stripe, control } = shop;
  const { intent } = await checkout(shop, 'payment');
  expect((await refusalOf(stripe.refunds.create({ payment_intent: intent }))).param).toBe('payment_intent');
  const { latest_charge } = await answer(shop, intent, 'succeed');
  const charge = String(latest_charge);
  const refund = await stripe.refunds.create({ charge, amount: 500 });
  expect(refund.status).toBe('pending');
  await control('POST', `/refunds/${refund.id}`, { answer: 'succeed' });
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  await control('POST', `/refunds/${refund.id}`, { answer: 'fail' });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect((await eventsOf(shop)).slice(-4)).toEqual([
    'refund.failed',
    'refund.updated',
    'charge.refund.updated',
    'charge.updated',
  ]);
});

test('paying the invoice of a subscription settles the payment that waits for a bank', async () => {
  const shop = await newShop({ whileProcessing: 'incomplete' });
  const { read } = await checkout(shop, 'subscription');
  const { id } = (await read()).subscription as Stripe.Subscription;
  await shop.control('POST', `/subscriptions/${id}`, { change: 'pay' });
  expect(await read()).toMatchObject({ payment_status: 'paid', subscription: { status: 'active' } });
});

test('a checkout offers cards and the bank debit of its currency, without what is excluded', async () => {
  const { stripe, once } = await newShop();
  const line_items = [{ price: once, quantity: 1 }];
  const open = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({ mode: 'payment', success_url, line_items, ...params });
  const typesOf = async (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
    (await open(params)).payment_method_types;
  expect(await typesOf({ allowed_payment_method_types: ['sepa_debit', 'ideal'] })).toEqual(['sepa_debit']);
  expect(await typesOf({ excluded_payment_method_types: ['sepa_debit'] })).toEqual(['card']);
  expect(await refusalOf(open({ allowed_payment_method_types: ['bacs_debit'] }))).toMatchObject({
    statusCode: 400,
    param: 'allowed_payment_method_types',
  });
  const removed = { payment_method_types: ['card'] } as Partial<Stripe.Checkout.SessionCreateParams>;
  expect((await refusalOf(open(removed))).code).toBe('parameter_unknown');
  const { url } = await open({ allowed_payment_method_types: ['card'] });
  const shown = await (await fetch(url!)).text();
  expect(shown).not.toContain('SEPA Direct Debit');
  expect((await press(`${url}/pay`, { email: 'a@b.example', method: 'sepa_debit' })).status).toBe(400);
  expect(await (await fetch((await open()).url!)).text()).toContain('SEPA Direct Debit');
});
