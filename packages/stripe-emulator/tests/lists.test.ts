// Stripe's list pagination: newest first, by cursor, every object exactly once.
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator();

test('manual and SDK pagination return every customer once, newest first', async () => {
  const { stripe, control } = emulator.account();
  await control('POST', '/customers', { count: 250 });
  const byHand: string[] = [];
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await stripe.customers.list({ limit: 100, starting_after: after });
    byHand.push(...page.data.map(({ id }) => id));
    after = page.data.at(-1)?.id;
    hasMore = page.has_more;
  }
  const bySdk: string[] = [];
  const created: number[] = [];
  for await (const customer of stripe.customers.list({ limit: 37 })) {
    bySdk.push(customer.id);
    created.push(customer.created);
  }
  expect(new Set(byHand).size).toBe(250);
  expect(bySdk).toEqual(byHand);
  expect(created).toEqual(created.toSorted((a, b) => b - a));
});

test('ending_before returns the page before the cursor, in the same order', async () => {
  const { stripe, control } = emulator.account();
  await control('POST', '/customers', { count: 10 });
  const all = (await stripe.customers.list({ limit: 10 })).data.map(({ id }) => id);
  const before = await stripe.customers.list({ limit: 3, ending_before: all[6] });
  expect(before.data.map(({ id }) => id)).toEqual(all.slice(3, 6));
  expect(before.has_more).toBe(true);
  const first = await stripe.customers.list({ limit: 10, ending_before: all[2] });
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([all.slice(0, 2), false]);
});

test('customers are filtered by email and creation time; lists omit deleted ones', async () => {
  const { stripe, control } = emulator.account();
  await control('POST', '/customers', { count: 10, createdFrom: 1000, createdTo: 2000 });
  const range = await stripe.customers.list({ created: { gte: 1200, lt: 1500 }, limit: 100 });
  expect(range.data.map(({ created }) => created)).toEqual([1400, 1300, 1200]);
  const twin = { email: 'twin@customers.example' };
  const [one, two] = [await stripe.customers.create(twin), await stripe.customers.create(twin)];
  const found = () => stripe.customers.list(twin).then(({ data }) => data.map(({ id }) => id));
  expect(await found()).toEqual([two.id, one.id]);
  await stripe.customers.del(one.id);
  expect(await found()).toEqual([two.id]);
  expect(await stripe.customers.retrieve(one.id)).toMatchObject({ id: one.id, deleted: true });
  const refusal = await refusalOf(stripe.customers.list({ starting_after: one.id }));
  expect([refusal.statusCode, refusal.code, refusal.param]).toEqual([
    400,
    'resource_missing',
    'starting_after',
  ]);
});

test('a customer list expands subscriptions, without ended ones', async () => {
  const { stripe } = emulator.account();
  const { price, product } = await newPlan(stripe);
  const customer = await stripe.customers.create();
  const items = [{ price }];
  const kept = await stripe.subscriptions.create({ customer: customer.id, items });
  const ended = await stripe.subscriptions.create({ customer: customer.id, items });
  await stripe.subscriptions.cancel(ended.id);
  const { data } = await stripe.customers.list({ expand: ['data.subscriptions'] });
  expect(data[0]?.subscriptions?.data.map(({ id }) => id)).toEqual([kept.id]);
  expect(data[0]?.subscriptions?.data[0]?.items.data[0]?.price.product).toBe(product.id);
  const alone = await stripe.customers.retrieve(customer.id, { expand: ['subscriptions'] });
  expect(alone).toMatchObject({ subscriptions: { data: [{ id: kept.id }] } });
  expect(await stripe.customers.retrieve(customer.id)).not.toHaveProperty('subscriptions');
  const all = await stripe.subscriptions.list({ customer: customer.id, status: 'all' });
  expect(all.data.map(({ id }) => id)).toEqual([ended.id, kept.id]);
  const current = await stripe.subscriptions.list({ customer: customer.id });
  expect(current.data.map(({ id }) => id)).toEqual([kept.id]);
});

test('an inner list has ten items and has_more', async () => {
  const { stripe } = emulator.account();
  const { price } = await newPlan(stripe);
  const { id: customer } = await stripe.customers.create();
  for (let made = 0; made < 12; made += 1)
    await stripe.subscriptions.create({ customer, items: [{ price }] });
  const { data } = await stripe.customers.list({ expand: ['data.subscriptions'] });
  expect([data[0]?.subscriptions?.data.length, data[0]?.subscriptions?.has_more]).toEqual([10, true]);
});

test('test and live mode are separate', async () => {
  const { stripe, live } = emulator.account();
  const customer = await stripe.customers.create();
  expect(customer.livemode).toBe(false);
  expect((await live.customers.list()).data).toEqual([]);
  const refusal = await refusalOf(live.customers.retrieve(customer.id));
  expect(refusal.code).toBe('resource_missing');
  expect(refusal.message).toContain('a similar object exists in test mode');
});

test('prices are filtered by lookup key, with their product expanded', async () => {
  const { stripe } = emulator.account();
  const { product, price } = await newPlan(stripe);
  await stripe.prices.update(price, { lookup_key: 'pro_monthly' });
  const { data } = await stripe.prices.list({ lookup_keys: ['pro_monthly'], expand: ['data.product'] });
  expect(data).toMatchObject([{ id: price, product: { id: product.id, name: 'Pro' } }]);
  const clash = { currency: 'gbp', unit_amount: 1, product: product.id, lookup_key: 'pro_monthly' };
  expect((await refusalOf(stripe.prices.create(clash))).param).toBe('lookup_key');
  const taker = await stripe.prices.create({ ...clash, transfer_lookup_key: true });
  expect((await stripe.prices.list({ lookup_keys: ['pro_monthly'] })).data[0]?.id).toBe(taker.id);
});

test('events are listed by type and up to a cursor', async () => {
  const { stripe } = emulator.account();
  const customer = await stripe.customers.create({ email: 'a@customers.example' });
  const [seen] = (await stripe.events.list()).data;
  await stripe.customers.update(customer.id, { email: 'b@customers.example' });
  await stripe.products.create({ name: 'Other' });
  const missed = await stripe.events.list({
    ending_before: seen!.id,
    types: ['customer.created', 'customer.updated', 'customer.deleted'],
  });
  expect(missed.data).toMatchObject([
    {
      type: 'customer.updated',
      data: {
        object: { email: 'b@customers.example' },
        previous_attributes: { email: 'a@customers.example' },
      },
    },
  ]);
});

test('100,000 customers with a subscription each are created and paged through', async () => {
  const { stripe, control } = emulator.account();
  const { price } = await newPlan(stripe);
  await control('POST', '/customers', { count: 100_000, prices: [price] });
  const page = await stripe.customers.list({ limit: 100, expand: ['data.subscriptions'] });
  expect([page.data.length, page.has_more]).toEqual([100, true]);
  expect(page.data.every(({ subscriptions }) => subscriptions?.data.length === 1)).toBe(true);
  const { counts } = await control<{ counts: object }>('GET', '/requests');
  expect(counts).toEqual({ 'GET /v1/customers': 1, 'POST /v1/products': 1 });
}, 60_000);
