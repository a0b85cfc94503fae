// One-time payments at Stripe become balances: once for each line, whatever events come, and refunds and disputes take back or freeze
// no more than the payment’s own.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { FeatureProperty } from '#contracts/console/features';
import type { PaymentsRead, TopUp } from '#contracts/console/top-ups';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { newFeatureForAll } from '#tests/support/features';
import { expectRefused } from '#tests/support/refusals';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

const CREDITS = { feature: 'assistant', property: 'credits' };
const LINKED = { amount: 100, category: 'paid', priority: 50, lastsMonths: null };
const success_url = 'https://tessera.example/ok';

interface Shop extends ConnectedTenant {
  readonly propertyId: string;
  readonly previewId: string;
  readonly secret: string;
  /** A one-time price of 20.00, which gives 100 credits. */
  readonly price: string;
  readonly productId: string;
}

let shop: Shop;

beforeAll(async () => {
  shop = await newShop();
});

async function newShop(): Promise<Shop> {
  const connected = await connectedTenant();
  const { tenant, account, integration } = connected;
  const feature = await newFeatureForAll(tenant, { name: 'Assistant', slug: 'assistant' });
  const { id: propertyId } = await tenant.make<FeatureProperty>(
    'POST',
    `/features/${feature.id}/properties`,
    {
      ...{ name: 'Credits', propertyKey: 'credits', type: 'meterable' },
      value: { state: 'metered', meter: { limit: 0, periodType: 'lifetime', uniqueResourceIds: false } },
    },
  );
  const previewId = await tenant.previewId();
  const secret = (await tenant.key(previewId)).value;
  const { id: productId, default_price } = await account.stripe.products.create({
    name: '100 credits',
    default_price_data: { currency: 'eur', unit_amount: 2000 },
  });
  const price = String(default_price);
  await tenant.make('PUT', `/integrations/stripe/${integration.id}/top-ups/${price}`, {
    ...{ ...LINKED, productId, propertyId },
  });
  await publishAll(tenant);
  return { ...connected, propertyId, previewId, secret, price, productId };
}

const newCustomer = async () => (await shop.account.stripe.customers.create({ name: 'Ada' })).id;

/** A checkout that the customer has completed. @returns its payment intent */
async function buy(
  customer: string,
  quantity = 1,
  more: { invoice?: true; method?: string; price?: string } = {},
) {
  const { stripe } = shop.account;
  const { id, url } = await stripe.checkout.sessions.create({
    ...{ mode: 'payment', customer, success_url },
    line_items: [{ price: more.price ?? shop.price, quantity }],
    ...(more.invoice && { invoice_creation: { enabled: true } }),
  });
  const paid = await fetch(`${url}/pay`, {
    method: 'POST',
    body: new URLSearchParams(more.method === undefined ? {} : { method: more.method }),
    redirect: 'manual',
  });
  expect(paid.status).toBe(303);
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(id);
  return String(intent);
}

async function deliver(): Promise<void> {
  await shop.deliver();
  await publishAll(shop.tenant);
}

const credits = async (customer: string) =>
  propertyOf(await check(shop.secret, { userIdentifier: customer }), 'assistant', 'credits');
const use = async (customer: string, by: number) =>
  (await update(shop.secret, { userIdentifier: customer, ...CREDITS, by, enforce: true })).body;

async function balancesOf(customer: string): Promise<CustomerBalance[]> {
  const path = `/customers/${customer}/environments/${shop.previewId}/balances?closed=1`;
  return (await shop.tenant.make<{ balances: CustomerBalance[] }>('GET', path)).balances;
}

const refund = (intent: string, amount?: number) =>
  shop.account.stripe.refunds.create({ payment_intent: intent, ...(amount !== undefined && { amount }) });
const chargeOf = async (intent: string) =>
  String((await shop.account.stripe.paymentIntents.retrieve(intent)).latest_charge);

describe('a payment of a linked price', () => {
  it('gives its amount times the quantity, once, however often its events come', async () => {
    const customer = await newCustomer();
    const intent = await buy(customer, 3);
    const deliveries = await shop.account.deliveries({ status: 'pending' });
    await deliver();
    for (const { eventId } of deliveries) await shop.account.resend(eventId);
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 300, remaining: 300 });
    expect(await balancesOf(customer)).toMatchObject([
      {
        ...{ amount: 300, category: 'paid', source: { kind: 'top-up' }, paymentId: intent, takenBack: 0 },
        ...{ costBasis: { currency: 'eur', amountMinor: 6000 }, createdByKey: null, createdByUserId: null },
        reason: expect.stringMatching(/^Paid: .*20\.00$/),
      },
    ]);
  });

  it('gives once where the checkout makes an invoice', async () => {
    const customer = await newCustomer();
    await buy(customer, 1, { invoice: true });
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 100 });
    expect(await balancesOf(customer)).toMatchObject([{ paymentId: expect.stringMatching(/^in_/) }]);
  });

  it('gives the amount of each line of an invoice, also of those after the ten that Stripe lists with it', async () => {
    const { stripe } = shop.account;
    const customer = await newCustomer();
    const { priceId } = await shop.account.newProduct('Monthly plan');
    for (let line = 0; line < 12; line += 1)
      await stripe.invoiceItems.create({ customer, pricing: { price: shop.price }, quantity: 1 });
    const { id } = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' });
    await stripe.invoices.finalizeInvoice(id);
    await stripe.invoices.pay(id);
    await stripe.subscriptions.create({ customer, items: [{ price: priceId }] });
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 1200 });
    const path = `/integrations/stripe/${shop.integration.id}/top-ups`;
    const { read } = await shop.tenant.make<{ read: PaymentsRead }>('GET', path);
    expect(read.unlinked).not.toHaveProperty(priceId);
  });

  it('gives nothing while a delayed method is open, and then its amount', async () => {
    const customer = await newCustomer();
    await buy(customer, 1, { method: 'sepa_debit' });
    await deliver();
    expect(await balancesOf(customer)).toEqual([]);
    const { data } = await shop.account.stripe.paymentIntents.list({ customer });
    await shop.account.answerPayment(data[0]?.id ?? '', 'succeed');
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 100 });
  });

  it('is found by any later event of a payment if all of its own were lost', async () => {
    const customer = await newCustomer();
    await buy(customer);
    for (const { id } of await shop.account.deliveries({ status: 'pending' }))
      await shop.account.noteDelivery(id, 200);
    await buy(customer);
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 200 });
  });

  it('of live mode is for every environment, of test mode for no live one', async () => {
    const customer = await newCustomer();
    await buy(customer);
    await deliver();
    const row = await env.DB.prepare(
      'SELECT livemode, environment_id AS environmentId FROM customer_balance WHERE customer_identifier = ?',
    )
      .bind(customer)
      .first();
    expect(row).toEqual({ livemode: 0, environmentId: null });
  });
});

describe('a refund', () => {
  it('takes back its share as far as it is left, and never another payment’s', async () => {
    const customer = await newCustomer();
    const first = await buy(customer);
    await buy(customer);
    await deliver();
    expect(await use(customer, 120)).toMatchObject({ accepted: true });
    await refund(first, 1000);
    await deliver();
    // 100 of the first are used: nothing of it is left to take back.
    expect(await credits(customer)).toMatchObject({ limit: 200, used: 120, remaining: 80 });
    const other = await newCustomer();
    const intent = await buy(other);
    await deliver();
    expect(await use(other, 30)).toMatchObject({ accepted: true });
    await refund(intent, 1000);
    await deliver();
    expect(await credits(other)).toMatchObject({ limit: 50, used: 30, remaining: 20 });
    await refund(intent);
    await deliver();
    expect(await credits(other)).toMatchObject({ limit: 30, used: 30, remaining: 0 });
    expect(await balancesOf(other)).toMatchObject([{ takenBack: 70, state: 'used-up' }]);
  });
});

describe('a dispute', () => {
  test.each([
    ['won', { limit: 100, remaining: 100 }],
    ['lost', { limit: 0, remaining: 0 }],
  ] as const)('freezes the balance, and when it is %s decides about it', async (outcome, left) => {
    const customer = await newCustomer();
    const intent = await buy(customer);
    await deliver();
    const dispute = await shop.account.openDispute(await chargeOf(intent));
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 0 });
    expect(await balancesOf(customer)).toMatchObject([{ isFrozen: true, state: 'frozen', takenBack: 0 }]);
    await shop.account.closeDispute(dispute.id, outcome);
    await deliver();
    expect(await credits(customer)).toMatchObject(left);
  });
});

describe('what a price gives', () => {
  const path = (below = '') => `/integrations/stripe/${shop.integration.id}/top-ups${below}`;

  it('can be changed, ends for later payments, and prices that give nothing are named', async () => {
    const own = await shop.account.stripe.products.create({
      name: '5 credits',
      default_price_data: { currency: 'eur', unit_amount: 100 },
    });
    const price = String(own.default_price);
    const customer = await newCustomer();
    await buy(customer, 1, { price });
    await deliver();
    const read = () => shop.tenant.make<{ topUps: TopUp[]; read: PaymentsRead }>('GET', path());
    expect((await read()).read).toMatchObject({ problem: null, unlinked: { [price]: expect.any(Number) } });
    // Stripe says in which second a payment was made.
    await scheduler.wait(1_100);
    const body = { ...LINKED, productId: own.id, propertyId: shop.propertyId, amount: 5 };
    await shop.tenant.make('PUT', path(`/${price}`), body);
    await shop.tenant.make('PUT', path(`/${price}`), { ...body, amount: 6 });
    expect((await read()).topUps.map(({ amount }) => amount)).toEqual([100, 6]);
    await buy(customer, 1, { price });
    await deliver();
    // What was paid before the price was linked gives nothing.
    expect(await credits(customer)).toMatchObject({ limit: 6 });
    expect((await read()).read.unlinked).not.toHaveProperty(price);
    await shop.tenant.make('DELETE', path(`/${price}`));
    await buy(customer, 1, { price });
    await deliver();
    expect(await credits(customer)).toMatchObject({ limit: 6 });
  });

  test.each([
    ['an unknown property', { propertyId: 'prop_nothing' }, 'propertyId: There is no such meter'],
    ['no amount', { amount: 0 }, 'amount: Must be at least 1'],
    ['a period beyond ten years', { lastsMonths: 121 }, 'lastsMonths: Must be at most 120'],
  ])('is refused with %s', async (_, more, message) => {
    const body = { ...LINKED, productId: shop.productId, propertyId: shop.propertyId, ...more };
    expect(await expectRefused(shop.tenant, 400, 'PUT', path(`/${shop.price}`), body)).toEqual([message]);
  });

  it('is refused for a price that Stripe does not have, or that recurs', async () => {
    const { productId, priceId } = await shop.account.newProduct('Monthly');
    const body = { ...LINKED, productId, propertyId: shop.propertyId };
    for (const price of [priceId, 'price_nothing'])
      expect(await expectRefused(shop.tenant, 400, 'PUT', path(`/${price}`), body)).toEqual([
        'priceId: The product has no such one-time price',
      ]);
  });
});
