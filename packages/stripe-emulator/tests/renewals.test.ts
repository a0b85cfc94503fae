// What time does to subscriptions: renewals that fail, trials without a card, paused collection, several intervals.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { AccountRequest } from '../control/create-account.ts';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });
const day = 86_400;
const begin = Date.parse('2026-01-01T00:00:00Z') / 1000;

async function clocked(request: AccountRequest = {}, card: string | null = 'pm_card_visa') {
  const { stripe } = emulator.account({ givesCards: false, ...request });
  const { price } = await newPlan(stripe);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begin });
  const paying = { payment_method: card!, invoice_settings: { default_payment_method: card! } };
  const { id: customer } = await stripe.customers.create({
    test_clock: clock.id,
    ...(card === null ? {} : paying),
  });
  const advance = async (days: number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: begin + days * day });
    await expect
      .poll(async () => (await stripe.testHelpers.testClocks.retrieve(clock.id)).status)
      .toBe('ready');
  };
  const begun = async (params: Partial<Stripe.SubscriptionCreateParams> = {}) => {
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], ...params });
    return () => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  };
  const types = async () => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).reverse();
  const failing = async () => {
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: bad.id } });
  };
  return { stripe, customer, price, advance, begun, types, failing };
}

test.for([
  [undefined, 'canceled'],
  ['unpaid', 'unpaid'],
  ['past_due', 'past_due'],
] as const)(
  'a renewal that fails is past due, is tried again, and ends by the setting %s as %s',
  async ([afterRetries, status]) => {
    const { advance, begun, failing, types } = await clocked({ afterRetries });
    const read = await begun();
    await failing();
    await advance(32);
    expect(await read()).toMatchObject({
      status: 'past_due',
      items: { data: [{ current_period_start: begin + 31 * day }] },
      latest_invoice: { status: 'open', attempt_count: 1, next_payment_attempt: begin + 34 * day },
    });
    await advance(47);
    const ended = await read();
    expect(ended).toMatchObject({ status, latest_invoice: { attempt_count: 4, next_payment_attempt: null } });
    expect(ended.cancellation_details?.reason).toBe(status === 'canceled' ? 'payment_failed' : null);
    expect((await types()).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4);
  },
);

test('a retry with a good card, or the payment of the invoice, makes a subscription active again', async () => {
  const { stripe, customer, advance, begun, failing } = await clocked();
  const read = await begun();
  await failing();
  await advance(32);
  const { id: invoice } = (await read()).latest_invoice as Stripe.Invoice;
  expect((await refusalOf(stripe.invoices.pay(invoice))).code).toBe('card_declined');
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  await advance(35);
  expect(await read()).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
  await failing();
  await advance(60);
  expect((await read()).status).toBe('past_due');
  await stripe.invoices.pay(((await read()).latest_invoice as Stripe.Invoice).id, { paid_out_of_band: true });
  expect(await read()).toMatchObject({ status: 'active' });
});

test('an unpaid subscription goes on with drafts', async () => {
  const { advance, begun, failing } = await clocked({ afterRetries: 'unpaid' });
  const read = await begun();
  await failing();
  await advance(47);
  await advance(60);
  expect(await read()).toMatchObject({ status: 'unpaid', latest_invoice: { status: 'draft', number: null } });
});

test.for([
  ['pause', 'paused', 'customer.subscription.paused'],
  ['cancel', 'canceled', 'customer.subscription.deleted'],
  ['create_invoice', 'past_due', 'invoice.payment_failed'],
] as const)(
  'a trial without a card that ends by %s leaves the subscription %s',
  async ([behaviour, status, expected]) => {
    const { advance, begun, types } = await clocked({}, null);
    const trial_settings = { end_behavior: { missing_payment_method: behaviour } };
    const read = await begun({ trial_period_days: 10, trial_settings });
    expect((await read()).status).toBe('trialing');
    await advance(8);
    expect(await types()).toContain('customer.subscription.trial_will_end');
    await advance(11);
    expect(await read()).toMatchObject({ status, trial_end: begin + 10 * day });
    expect(await types()).toContain(expected);
  },
);

test('a subscription that its trial paused is resumed with a card and a new period', async () => {
  const { stripe, customer, advance, begun, types } = await clocked({}, null);
  const read = await begun({
    trial_period_days: 10,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  });
  await advance(20);
  const paused = await read();
  expect(paused.status_details?.paused).toMatchObject({
    subscription: { type: 'trial_end_without_payment_method' },
    transitioned_at: begin + 10 * day,
  });
  expect((await refusalOf(stripe.subscriptions.resume(paused.id))).code).toBe('resource_missing');
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.update(paused.id, { default_payment_method: id });
  const resumed = await stripe.subscriptions.resume(paused.id);
  expect(resumed).toMatchObject({
    status: 'active',
    items: { data: [{ current_period_start: begin + 20 * day }] },
  });
  expect(resumed.status_details).toBeUndefined();
  expect(await types()).toContain('customer.subscription.resumed');
});

test('a trial with a card ends active, and can be ended now', async () => {
  const { stripe, advance, begun } = await clocked();
  const read = await begun({ trial_period_days: 10 });
  const other = await begun({ trial_period_days: 20 });
  await advance(11);
  expect((await read()).status).toBe('active');
  const ended = await stripe.subscriptions.update((await other()).id, { trial_end: 'now' });
  expect(ended).toMatchObject({
    status: 'active',
    items: { data: [{ current_period_start: begin + 11 * day }] },
  });
});

test.for([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)(
  'collection paused by %s leaves the subscription active and its invoice %s, until it resumes',
  async ([behavior, invoice]) => {
    const { stripe, advance, begun } = await clocked();
    const read = await begun();
    const pause_collection = { behavior, resumes_at: begin + 40 * day };
    const { id } = await stripe.subscriptions.update((await read()).id, { pause_collection });
    await advance(32);
    expect(await read()).toMatchObject({
      status: 'active',
      pause_collection,
      latest_invoice: { status: invoice },
    });
    await advance(60);
    expect(await read()).toMatchObject({
      status: 'active',
      pause_collection: null,
      latest_invoice: { status: 'paid' },
    });
    const past = { behavior, resumes_at: begin };
    const refused = await refusalOf(stripe.subscriptions.update(id, { pause_collection: past }));
    expect(refused.param).toBe('pause_collection[resumes_at]');
  },
);

test('an invoice that is sent makes the subscription past due once it is overdue', async () => {
  const { advance, begun } = await clocked({}, null);
  const read = await begun({ collection_method: 'send_invoice', days_until_due: 5 });
  expect(await read()).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'open', due_date: begin + 5 * day },
  });
  await advance(6);
  expect((await read()).status).toBe('past_due');
});

test('a subscription whose first payment does not come expires after 23 hours', async () => {
  const { advance, begun } = await clocked();
  const read = await begun({ payment_behavior: 'default_incomplete' });
  expect((await read()).status).toBe('incomplete');
  await advance(1);
  expect(await read()).toMatchObject({ status: 'incomplete_expired', latest_invoice: { status: 'void' } });
});

test('items of several intervals have periods of their own in flexible mode, and are refused in classic mode', async () => {
  const { stripe, customer, price, advance } = await clocked();
  const seats = await stripe.products.create({
    name: 'Seats',
    default_price_data: { currency: 'gbp', unit_amount: 500, recurring: { interval: 'week' } },
  });
  const items = [{ price }, { price: String(seats.default_price), quantity: 7 }];
  const classic = stripe.subscriptions.create({ customer, items, billing_mode: { type: 'classic' } });
  expect((await refusalOf(classic)).message).toMatch(/Found mismatch in interval field/);
  const { id } = await stripe.subscriptions.create({ customer, items });
  const ends = async () =>
    (await stripe.subscriptions.retrieve(id)).items.data.map(
      (item) => (item.current_period_end - begin) / day,
    );
  expect(await ends()).toEqual([31, 7]);
  await advance(8);
  expect(await ends()).toEqual([31, 14]);
  const { latest_invoice } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect((latest_invoice as Stripe.Invoice).total).toBe(3500);
});
