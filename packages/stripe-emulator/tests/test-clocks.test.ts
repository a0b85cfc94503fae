// Test clocks: their customers live at the frozen time, are missing from lists, and renew when the clock advances.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });
const begin = Date.parse('2026-01-31T00:00:00Z') / 1000;

async function clocked() {
  const { stripe, live } = emulator.account();
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begin, name: 'Renewal' });
  const customer = await stripe.customers.create({ email: 'ada@customers.example', test_clock: clock.id });
  const { price } = await newPlan(stripe);
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
  return { stripe, live, clock, customer, price, subscription };
}

async function advance(stripe: Stripe, id: string, to: string): Promise<void> {
  const advancing = await stripe.testHelpers.testClocks.advance(id, { frozen_time: Date.parse(to) / 1000 });
  expect(advancing.status).toBe('advancing');
  await expect.poll(async () => (await stripe.testHelpers.testClocks.retrieve(id)).status).toBe('ready');
}

test('a customer on a test clock can be retrieved, but lists omit it and its subscriptions', async () => {
  const { stripe, clock, customer, subscription } = await clocked();
  const other = await stripe.customers.create({ email: 'grace@customers.example' });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    test_clock: clock.id,
    created: begin,
  });
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  expect(idsOf(await stripe.customers.list())).toEqual([other.id]);
  expect(idsOf(await stripe.customers.list({ email: 'ada@customers.example' }))).toEqual([]);
  expect(idsOf(await stripe.customers.list({ test_clock: clock.id }))).toEqual([customer.id]);
  expect(idsOf(await stripe.subscriptions.list({ status: 'all' }))).toEqual([]);
  expect(idsOf(await stripe.subscriptions.list({ customer: customer.id }))).toEqual([subscription.id]);
  expect(idsOf(await stripe.subscriptions.list({ test_clock: clock.id }))).toEqual([subscription.id]);
});

test('advancing renews subscriptions in order and says so in events, at the real time', async () => {
  const { stripe, clock, customer, subscription } = await clocked();
  expect(subscription).toMatchObject({ test_clock: clock.id, start_date: begin });
  const before = Math.floor(Date.now() / 1000);
  await advance(stripe, clock.id, '2026-03-27T00:00:00Z');
  const renewed = await stripe.subscriptions.retrieve(subscription.id);
  expect(renewed.items.data[0]).toMatchObject({
    current_period_start: Date.parse('2026-02-28T00:00:00Z') / 1000,
    current_period_end: Date.parse('2026-03-31T00:00:00Z') / 1000,
  });
  const invoices = await stripe.invoices.list({ customer: customer.id });
  expect(invoices.data.map(({ created }) => created)).toEqual([
    Date.parse('2026-02-28T00:00:00Z') / 1000,
    begin,
  ]);
  const { data } = await stripe.events.list({ limit: 100 });
  expect(data.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['test_helpers.test_clock.advancing', 'test_helpers.test_clock.ready']),
  );
  expect(data.find(({ type }) => type === 'invoice.paid')?.created).toBeGreaterThanOrEqual(before - 60);
});

test('the real clock renews nothing on a test clock, and a cancellation takes effect when the clock passes it', async () => {
  const { stripe, clock, subscription } = await clocked();
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await advance(stripe, clock.id, '2026-02-27T00:00:00Z');
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  await advance(stripe, clock.id, '2026-03-01T00:00:00Z');
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: 'canceled',
    ended_at: Date.parse('2026-02-28T00:00:00Z') / 1000,
  });
});

test('a clock only moves ahead, at most two intervals, and has three customers', async () => {
  const { stripe, live, clock } = await clocked();
  const { testClocks } = stripe.testHelpers;
  const back = await refusalOf(testClocks.advance(clock.id, { frozen_time: begin }));
  const far = await refusalOf(testClocks.advance(clock.id, { frozen_time: begin + 100 * 86_400 }));
  expect([back.param, far.param]).toEqual(['frozen_time', 'frozen_time']);
  await stripe.customers.create({ test_clock: clock.id });
  await stripe.customers.create({ test_clock: clock.id });
  expect((await refusalOf(stripe.customers.create({ test_clock: clock.id }))).param).toBe('test_clock');
  const inLive = await refusalOf(live.testHelpers.testClocks.create({ frozen_time: begin }));
  expect(inLive.statusCode).toBe(400);
});

test('a deleted clock takes its customers along', async () => {
  const { stripe, clock, customer, subscription } = await clocked();
  expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ id: clock.id, deleted: true });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  expect((await refusalOf(stripe.testHelpers.testClocks.retrieve(clock.id))).statusCode).toBe(404);
});

test('a clock can be created for an existing customer', async () => {
  const { stripe } = emulator.account();
  const customer = await stripe.customers.create();
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begin, customer: customer.id });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ test_clock: clock.id });
  expect((await stripe.customers.list()).data).toEqual([]);
});
