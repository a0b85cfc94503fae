// Stripe's rules for new subscriptions: a card for what is due, one currency per customer, flexible billing mode.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });

const withCard = (id: string): Stripe.CustomerCreateParams => ({
  payment_method: id,
  invoice_settings: { default_payment_method: id },
});

async function account() {
  const { stripe } = emulator.account({ givesCards: false });
  return { stripe, ...(await newPlan(stripe)) };
}

test('a subscription that is due now needs a card of the customer or its own', async () => {
  const { stripe, price } = await account();
  const { id: customer } = await stripe.customers.create();
  const items = [{ price }];
  const refused = await refusalOf(stripe.subscriptions.create({ customer, items }));
  expect([refused.statusCode, refused.code]).toEqual([400, 'resource_missing']);
  expect(refused.message).toMatch(/no attached payment source or default payment method/);
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);

  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  expect(card).toMatchObject({ customer, card: { last4: '4242' } });
  const own = await stripe.subscriptions.create({ customer, items, default_payment_method: card.id });
  expect(own).toMatchObject({ status: 'active', default_payment_method: card.id });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
  expect((await stripe.subscriptions.create({ customer, items })).status).toBe('active');

  const { id: other } = await stripe.customers.create(withCard('pm_card_mastercard'));
  expect((await stripe.subscriptions.create({ customer: other, items })).status).toBe('active');
  const foreign = await refusalOf(
    stripe.subscriptions.create({ customer: other, items, default_payment_method: card.id }),
  );
  expect(foreign.param).toBe('default_payment_method');
});

test('without a card a subscription can try, send invoices, be free, or wait for the payment', async () => {
  const { stripe, price } = await account();
  const free = await newPlan(stripe, 'Free', 0);
  const { id: customer } = await stripe.customers.create();
  const statusOf = async (params: Partial<Stripe.SubscriptionCreateParams>) =>
    (await stripe.subscriptions.create({ customer, items: [{ price }], ...params })).status;
  expect(await statusOf({ trial_period_days: 7 })).toBe('trialing');
  expect(await statusOf({ collection_method: 'send_invoice', days_until_due: 30 })).toBe('active');
  expect(await statusOf({ items: [{ price: free.price }] })).toBe('active');
  expect(await statusOf({ payment_behavior: 'default_incomplete' })).toBe('incomplete');
  const undated = await refusalOf(
    stripe.subscriptions.create({ customer, items: [{ price }], collection_method: 'send_invoice' }),
  );
  expect(undated.param).toBe('days_until_due');
});

test('a declined card leaves the subscription incomplete, or creates none', async () => {
  const { stripe, price } = await account();
  const { id: customer } = await stripe.customers.create(withCard('pm_card_chargeCustomerFail'));
  const items = [{ price }];
  const refused = await refusalOf(
    stripe.subscriptions.create({ customer, items, payment_behavior: 'error_if_incomplete' }),
  );
  expect([refused.statusCode, refused.code]).toEqual([402, 'card_declined']);
  expect((await stripe.subscriptions.create({ customer, items })).status).toBe('incomplete');
  const [invoice] = (await stripe.invoices.list({ customer })).data;
  expect(invoice).toMatchObject({ status: 'open', attempt_count: 1 });
});

test('a customer with a subscription pays in one currency only, also in checkout', async () => {
  const { stripe, price } = await account();
  const { id: customer } = await stripe.customers.create(withCard('pm_card_visa'));
  const first = await stripe.subscriptions.create({ customer, items: [{ price }] });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ currency: 'gbp' });
  const product = await stripe.products.create({
    name: 'Euro',
    default_price_data: { currency: 'eur', unit_amount: 900, recurring: { interval: 'month' } },
  });
  const euro = String(product.default_price);
  const refused = await refusalOf(stripe.subscriptions.create({ customer, items: [{ price: euro }] }));
  expect(refused.message).toMatch(/^You cannot combine currencies on a single customer/);
  const line_items = [{ price: euro, quantity: 1 }];
  const success_url = 'https://tessera.example/ok';
  const session = { mode: 'subscription', customer, line_items, success_url } as const;
  expect((await refusalOf(stripe.checkout.sessions.create(session))).statusCode).toBe(400);
  await stripe.subscriptions.cancel(first.id);
  expect((await stripe.subscriptions.create({ customer, items: [{ price: euro }] })).currency).toBe('eur');
});

test('subscriptions bill in flexible mode unless classic is asked for, and can be migrated', async () => {
  const { stripe, price } = await account();
  const { id: customer } = await stripe.customers.create(withCard('pm_card_visa'));
  const items = [{ price }];
  const modern = await stripe.subscriptions.create({ customer, items });
  const classic = await stripe.subscriptions.create({ customer, items, billing_mode: { type: 'classic' } });
  expect([modern.billing_mode.type, classic.billing_mode.type]).toEqual(['flexible', 'classic']);
  const migrated = await stripe.subscriptions.migrate(classic.id, { billing_mode: { type: 'flexible' } });
  expect(migrated.billing_mode.type).toBe('flexible');
});
