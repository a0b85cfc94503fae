// A subscription end to end: from Stripe's signed event to the next access check.
import { beforeAll, expect, test } from 'vitest';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { type SellingTenant, sellingTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: SellingTenant;
beforeAll(async () => {
  own = await sellingTenant();
  const { id } = await subscriber('first@tests.example', own.pro.priceId);
  await eventually(async () => expect(await plansOf(id)).toEqual(withPlans('pro')));
});

async function subscriber(email: string, price?: string) {
  const { stripe } = own.connected.account;
  const { id } = await stripe.customers.create({ email });
  const subscription =
    price === undefined ? undefined : await stripe.subscriptions.create({ customer: id, items: [{ price }] });
  await own.connected.deliver();
  return { id, email, subscription };
}

const plansOf = async (userIdentifier: string) => (await check(own.secret, { userIdentifier })).customer;
const withPlans = (...plans: string[]) => ({ isCustomer: true, plans });

async function expectPlans(names: readonly string[], ...plans: string[]): Promise<void> {
  for (const name of names) expect(await plansOf(name)).toEqual(withPlans(...plans));
}

test('subscribe, upgrade, owe, cancel: each applies to the check after the webhook', async () => {
  const { account } = own.connected;
  const { stripe } = account;
  const { id, email } = await subscriber('Ada@Tests.example');
  const names = [id, email, 'ada@tests.example'];
  await expectPlans(names);

  const { id: subscriptionId, items } = await stripe.subscriptions.create({
    customer: id,
    items: [{ price: own.plus.priceId }],
  });
  await own.connected.deliver();
  await expectPlans(names, 'plus');

  await stripe.subscriptions.update(subscriptionId, {
    items: [{ id: items.data[0]!.id, price: own.pro.priceId }],
  });
  await own.connected.deliver();
  await expectPlans(names, 'pro');

  await account.changeSubscription(subscriptionId, 'fail-payment');
  await own.connected.deliver();
  expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('past_due');
  await expectPlans(names, 'pro');

  await stripe.subscriptions.cancel(subscriptionId);
  await own.connected.deliver();
  await expectPlans(names);
});

test('a subscription that a coupon makes free gives its plan, without a card and without a payment', async () => {
  const { account } = own.connected;
  const { stripe } = account;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'forever' });
  const { id } = await subscriber('free@tests.example');
  const { id: subscriptionId } = await stripe.subscriptions.create({
    customer: id,
    items: [{ price: own.pro.priceId }],
    discounts: [{ coupon }],
  });
  await own.connected.deliver();
  await expectPlans([id], 'pro');
  await account.changeSubscription(subscriptionId, 'end-period');
  await own.connected.deliver();
  expect((await stripe.paymentIntents.list({ customer: id })).data).toEqual([]);
  await expectPlans([id], 'pro');
});

test.for([
  ['active', 'succeed', ['pro'], ['pro']],
  ['incomplete', 'succeed', [], ['pro']],
  ['incomplete', 'fail', [], []],
] as const)(
  'a first payment that a bank processes gives the plan by the status of the subscription: %s, then %s',
  async ([whileProcessing, answer, before, after]) => {
    const { account } = own.connected;
    const { stripe } = account;
    await account.change({ whileProcessing });
    const { id } = await subscriber(`debit-${whileProcessing}-${answer}@tests.example`);
    const method = await stripe.paymentMethods.create({
      type: 'bacs_debit',
      bacs_debit: { sort_code: '108800', account_number: '00012345' },
    });
    await stripe.paymentMethods.attach(method.id, { customer: id });
    await stripe.subscriptions.create({
      customer: id,
      items: [{ price: own.pro.priceId }],
      default_payment_method: method.id,
    });
    await own.connected.deliver();
    await expectPlans([id], ...before);
    const [payment] = (await stripe.paymentIntents.list({ customer: id })).data;
    await account.answerPayment(payment?.id ?? '', answer);
    await own.connected.deliver();
    await expectPlans([id], ...after);
  },
);

test('a customer with a new email, who is then deleted', async () => {
  const { stripe } = own.connected.account;
  const { id, email } = await subscriber('bob@tests.example', own.pro.priceId);
  await expectPlans([id, email], 'pro');

  await stripe.customers.update(id, { email: 'robert@tests.example' });
  await own.connected.deliver();
  expect(await plansOf(email)).toEqual({ isCustomer: false, plans: [] });
  await expectPlans([id, 'robert@tests.example'], 'pro');

  await stripe.customers.del(id);
  await own.connected.deliver();
  for (const name of [id, email, 'robert@tests.example'])
    expect(await plansOf(name)).toEqual({ isCustomer: false, plans: [] });
});

test('customers created before the integration are found after the sync', async () => {
  const { stripe } = own.connected.account;
  const { id } = await stripe.customers.create({ email: 'early@tests.example' });
  await stripe.subscriptions.create({ customer: id, items: [{ price: own.pro.priceId }] });
  expect(await plansOf(id)).toEqual({ isCustomer: false, plans: [] });
  expect(await plansOf('early@tests.example')).toEqual({ isCustomer: false, plans: [] });
  expect(await own.connected.sync()).toMatchObject({ status: 'finished' });
  await eventually(() => expectPlans([id, 'early@tests.example'], 'pro'));
});

test('a deleted integration has no effect after five seconds', async () => {
  const { id, email } = await subscriber('late@tests.example', own.pro.priceId);
  await expectPlans([id, email], 'pro');
  await own.tenant.make('DELETE', own.connected.path);
  await publishAll(own.tenant).catch(() => undefined);
  await eventually(async () => {
    for (const name of [id, email]) expect(await plansOf(name)).toEqual({ isCustomer: false, plans: [] });
  });
});
