// Items of subscriptions, the schedules that change them, and parameters that Stripe has removed.
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });
const day = 86_400;
const begin = Date.parse('2026-01-01T00:00:00Z') / 1000;

async function aTeam() {
  const { stripe, keys, control } = emulator.account();
  const [team, seats] = [await newPlan(stripe, 'Team', 5000), await newPlan(stripe, 'Seats', 500)];
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begin });
  const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
  const advance = async (days: number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: begin + days * day });
    await expect
      .poll(async () => (await stripe.testHelpers.testClocks.retrieve(clock.id)).status)
      .toBe('ready');
  };
  return { stripe, control, key: keys.secretKey, team: team.price, seats: seats.price, customer, advance };
}

test('items are added, changed and removed one by one, each price once, and the last one stays', async () => {
  const { stripe, team, seats, customer } = await aTeam();
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: team }] });
  const added = await stripe.subscriptionItems.create({ subscription: id, price: seats, quantity: 3 });
  expect(added).toMatchObject({ quantity: 3, subscription: id });
  const again = await refusalOf(stripe.subscriptionItems.create({ subscription: id, price: seats }));
  expect(again.message).toBe(`Cannot add multiple subscription items with the same plan: ${seats}`);
  expect((await stripe.subscriptionItems.update(added.id, { quantity: 12 })).quantity).toBe(12);
  const [event] = (await stripe.events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
  expect(event?.data.object).toMatchObject({ items: { data: [{ quantity: 1 }, { quantity: 12 }] } });
  expect(await stripe.subscriptionItems.del(added.id)).toMatchObject({ id: added.id, deleted: true });
  expect((await refusalOf(stripe.subscriptionItems.retrieve(added.id))).statusCode).toBe(404);
  const [last] = (await stripe.subscriptions.retrieve(id)).items.data;
  const refused = await refusalOf(stripe.subscriptionItems.del(last!.id));
  expect(refused.message).toBe('A subscription must have at least one active price.');
  const twice = { customer, items: [{ price: team }, { price: team }] };
  expect((await refusalOf(stripe.subscriptions.create(twice))).message).toMatch(/with the same Price/);
});

test('a schedule changes items at each phase and then releases its subscription', async () => {
  const { stripe, team, seats, customer, advance } = await aTeam();
  const schedule = await stripe.subscriptionSchedules.create({
    customer,
    start_date: 'now',
    phases: [
      { items: [{ price: team }], duration: { interval: 'month', interval_count: 1 } },
      { items: [{ price: team }, { price: seats, quantity: 5 }], duration: { interval: 'month' } },
    ],
  });
  expect(schedule).toMatchObject({ status: 'active', current_phase: { start_date: begin } });
  const id = String(schedule.subscription);
  const quantities = async () =>
    (await stripe.subscriptions.retrieve(id)).items.data.map(({ quantity }) => quantity);
  expect(await quantities()).toEqual([1]);
  const direct = await refusalOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
  expect(direct.message).toMatch(/managed by the subscription schedule/);
  expect((await refusalOf(stripe.subscriptions.pause(id))).message).toMatch(/attached schedules/);
  await advance(32);
  expect(await quantities()).toEqual([1, 5]);
  const [invoice] = (await stripe.invoices.list({ customer })).data;
  expect(invoice?.total).toBe(7500);
  await advance(60);
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_subscription: id,
    subscription: null,
  });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', schedule: null });
});

test('a schedule that ends by canceling ends its subscription', async () => {
  const { stripe, team, customer, advance } = await aTeam();
  const schedule = await stripe.subscriptionSchedules.create({
    customer,
    start_date: begin + 5 * day,
    end_behavior: 'cancel',
    phases: [{ items: [{ price: team }], end_date: begin + 20 * day }],
  });
  expect(schedule).toMatchObject({ status: 'not_started', subscription: null });
  await advance(6);
  const { subscription } = await stripe.subscriptionSchedules.retrieve(schedule.id);
  expect((await stripe.subscriptions.retrieve(String(subscription))).status).toBe('active');
  await advance(21);
  expect((await stripe.subscriptions.retrieve(String(subscription))).status).toBe('canceled');
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'completed' });
});

test('a subscription gets a schedule with its current period, and a downgrade at its end', async () => {
  const { stripe, team, seats, customer, advance } = await aTeam();
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: team, quantity: 3 }] });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const [current] = schedule.phases;
  const phase = { start_date: current!.start_date, end_date: current!.end_date };
  const without = { phases: [{ items: [{ price: seats }], start_date: begin + 60 * day }] };
  const refused = await refusalOf(stripe.subscriptionSchedules.update(schedule.id, without));
  expect(refused.message).toMatch(/missing the current phase/);
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [{ ...phase, items: [{ price: team, quantity: 3 }] }, { items: [{ price: seats, quantity: 2 }] }],
  });
  await advance(32);
  expect((await stripe.subscriptions.retrieve(id)).items.data).toMatchObject([
    { price: { id: seats }, quantity: 2 },
  ]);
  await stripe.subscriptions.cancel(id);
  expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled');
});

test('the end of a period that the control API ends begins the next phase, and ends the schedule after the last', async () => {
  const { stripe, control, team, seats, customer } = await aTeam();
  const created = await stripe.subscriptionSchedules.create({
    customer,
    start_date: 'now',
    end_behavior: 'cancel',
    phases: [
      { items: [{ price: team }], duration: { interval: 'month', interval_count: 2 } },
      { items: [{ price: seats, quantity: 5 }], duration: { interval: 'month' } },
    ],
  });
  const id = String(created.subscription);
  const schedule = () => stripe.subscriptionSchedules.retrieve(created.id);
  const items = async () =>
    (await stripe.subscriptions.retrieve(id)).items.data.map(({ price, quantity }) => [price.id, quantity]);
  const endPeriod = () => control('POST', `/subscriptions/${id}`, { change: 'end-period' });
  await endPeriod();
  expect(await items()).toEqual([[team, 1]]);
  await endPeriod();
  expect(await items()).toEqual([[seats, 5]]);
  expect((await stripe.invoices.list({ customer })).data[0]?.total).toBe(2500);
  expect(await schedule()).toMatchObject({ status: 'active', subscription: id });
  await endPeriod();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
  expect(await schedule()).toMatchObject({ status: 'completed' });
});

test.for([
  ['/v1/subscriptions', 'coupon=x', 'coupon'],
  ['/v1/subscriptions', 'promotion_code=x', 'promotion_code'],
  ['/v1/subscriptions', 'prorate=true', 'prorate'],
  ['/v1/subscriptions', 'tax_percent=20', 'tax_percent'],
  ['/v1/subscriptions', 'pause_collection[behavior]=void', 'pause_collection'],
  ['/v1/subscriptions', 'current_period_end=1', 'current_period_end'],
  ['/v1/subscriptions', 'proration_date=1', 'proration_date'],
  ['/v1/subscription_schedules', 'phases[0][iterations]=3', 'phases[0][iterations]'],
  ['/v1/subscription_schedules', 'phases[0][plans][0][plan]=x', 'phases[0][plans]'],
] as const)('%s refuses %s, which Stripe has removed or never had there', async ([path, given, param]) => {
  const { key, team, customer } = await aTeam();
  const items = path.endsWith('schedules') ? 'phases[0][items]' : 'items';
  const response = await fetch(`${emulator.url()}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: `customer=${customer}&${items}[0][price]=${team}&${given}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` },
  });
});
