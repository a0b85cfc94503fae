// A subscription end to end: from Stripe's signed event to the next access check.
import { beforeAll, expect, test } from 'vitest';
import { check } from '#tests/support/access-checks';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import {
  type ConnectedTenant,
  connectedTenant,
  type StripeProduct,
} from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: CustomerTenant;
let connected: ConnectedTenant;
let pro: StripeProduct;
let plus: StripeProduct;

beforeAll(async () => {
  own = await customerTenant();
  connected = await connectedTenant({ tenant: own.tenant });
  ({ Pro: pro, Plus: plus } = await connected.sell({ Pro: own.proId, Plus: own.plusId }));
  await publishAll(own.tenant);
  // Isolates learn the account and the product links from the snapshot.
  const { id } = await subscriber('first@tests.example', pro.priceId);
  await eventually(async () => expect(await plansOf(id)).toEqual(withPlans('pro')));
});

async function subscriber(email: string, price?: string) {
  const { stripe } = connected.account;
  const { id } = await stripe.customers.create({ email });
  const subscription =
    price === undefined ? undefined : await stripe.subscriptions.create({ customer: id, items: [{ price }] });
  await connected.deliver();
  return { id, email, subscription };
}

const plansOf = async (userIdentifier: string) => (await check(own.secret, { userIdentifier })).customer;
const withPlans = (...plans: string[]) => ({ isCustomer: true, plans });

async function expectPlans(names: readonly string[], ...plans: string[]): Promise<void> {
  for (const name of names) expect(await plansOf(name)).toEqual(withPlans(...plans));
}

test('subscribe, upgrade, owe, cancel: each applies to the check after the webhook', async () => {
  const { account } = connected;
  const { stripe } = account;
  const { id, email } = await subscriber('Ada@Tests.example');
  const names = [id, email, 'ada@tests.example'];
  await expectPlans(names);

  const { id: subscriptionId, items } = await stripe.subscriptions.create({
    customer: id,
    items: [{ price: plus.priceId }],
  });
  await connected.deliver();
  await expectPlans(names, 'plus');

  await stripe.subscriptions.update(subscriptionId, {
    items: [{ id: items.data[0]!.id, price: pro.priceId }],
  });
  await connected.deliver();
  await expectPlans(names, 'pro');

  await account.changeSubscription(subscriptionId, 'fail-payment');
  await connected.deliver();
  expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('past_due');
  await expectPlans(names, 'pro');

  await stripe.subscriptions.cancel(subscriptionId);
  await connected.deliver();
  await expectPlans(names);
});

test('a subscription that a coupon makes free gives its plan, without a card and without a payment', async () => {
  const { account } = connected;
  const { stripe } = account;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'forever' });
  const { id } = await subscriber('free@tests.example');
  const { id: subscriptionId } = await stripe.subscriptions.create({
    customer: id,
    items: [{ price: pro.priceId }],
    discounts: [{ coupon }],
  });
  await connected.deliver();
  await expectPlans([id], 'pro');
  await account.changeSubscription(subscriptionId, 'end-period');
  await connected.deliver();
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
    const { account } = connected;
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
      items: [{ price: pro.priceId }],
      default_payment_method: method.id,
    });
    await connected.deliver();
    await expectPlans([id], ...before);
    const [payment] = (await stripe.paymentIntents.list({ customer: id })).data;
    await account.answerPayment(payment?.id ?? '', answer);
    await connected.deliver();
    await expectPlans([id], ...after);
  },
);

test('a customer with a new email, who is then deleted', async () => {
  const { stripe } = connected.account;
  const { id, email } = await subscriber('bob@tests.example', pro.priceId);
  await expectPlans([id, email], 'pro');

  await stripe.customers.update(id, { email: 'robert@tests.example' });
  await connected.deliver();
  expect(await plansOf(email)).toEqual({ isCustomer: false, plans: [] });
  await expectPlans([id, 'robert@tests.example'], 'pro');

  await stripe.customers.del(id);
  await connected.deliver();
  for (const name of [id, email, 'robert@tests.example'])
    expect(await plansOf(name)).toEqual({ isCustomer: false, plans: [] });
});

test('customers created before the integration are found after the sync', async () => {
  const { stripe } = connected.account;
  const { id } = await stripe.customers.create({ email: 'early@tests.example' });
  await stripe.subscriptions.create({ customer: id, items: [{ price: pro.priceId }] });
  expect(await plansOf(id)).toEqual({ isCustomer: false, plans: [] });
  expect(await plansOf('early@tests.example')).toEqual({ isCustomer: false, plans: [] });
  expect(await connected.sync()).toMatchObject({ status: 'finished' });
  await eventually(() => expectPlans([id, 'early@tests.example'], 'pro'));
});

test('a deleted integration has no effect after five seconds', async () => {
  const { id, email } = await subscriber('late@tests.example', pro.priceId);
  await expectPlans([id, email], 'pro');
  await own.tenant.make('DELETE', connected.path);
  await publishAll(own.tenant).catch(() => undefined);
  await eventually(async () => {
    for (const name of [id, email]) expect(await plansOf(name)).toEqual({ isCustomer: false, plans: [] });
  });
});
