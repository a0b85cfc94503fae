// Checkout and portal are opened for the Stripe customer that a customer is, which is created once if there is none, and for prices that are
// sold in the environment alone.
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import type { PublicError } from '#contracts/public/errors';
import type { PageAnswer, PreviewAnswer } from '#contracts/public/sales';
import { check } from '#tests/support/access-checks';
import { callCustomers } from '#tests/support/provisioning';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

const successUrl = 'https://app.example/welcome?session={CHECKOUT_SESSION_ID}';
const returnUrl = 'https://app.example/account';

interface Shop extends ConnectedTenant {
  readonly plan: Plan;
  readonly product: string;
  readonly monthly: string;
  readonly key: string;
  readonly previewId: string;
}

let shop: Shop;
beforeAll(async () => {
  shop = await newShop();
});

async function newShop(): Promise<Shop> {
  const connected = await connectedTenant();
  const { tenant, account, integration, path } = connected;
  await tenant.make('PUT', path, { userIdKey: 'workspace' });
  const plan = await tenant.make<Plan>('POST', '/plans', { name: 'Pro plan', slug: 'pro' });
  const { id: product, default_price } = await account.stripe.products.create({
    name: 'Pro',
    default_price_data: { currency: 'eur', unit_amount: 1_900, recurring: { interval: 'month' } },
  });
  await connected.sync('stripe-product');
  await tenant.make('PUT', `/plans/${plan.planId}/products`, {
    addProducts: [{ integrationId: integration.id, productId: product, version: 1 }],
  });
  const previewId = await tenant.previewId();
  const key = await managingKey(connected, previewId);
  await publishAll(tenant);
  return { ...connected, plan, product, monthly: String(default_price), key, previewId };
}

async function managingKey({ tenant }: ConnectedTenant, environmentId: string): Promise<string> {
  const body = { environmentId, type: 'secret', managesCustomers: true };
  return (await tenant.make<{ value: string }>('POST', '/api-keys', body)).value;
}

const newId = () => `acme-${crypto.randomUUID().slice(0, 8)}`;
const save = (id: string, fields: object = {}) => callCustomers(shop.key, 'PUT', `/${id}`, fields);

/** A new customer. */
async function newCustomer(fields: object = {}): Promise<string> {
  const id = newId();
  await save(id, fields);
  return id;
}

const checkout = (id: string, fields: object = {}, key = shop.key) =>
  callCustomers<PageAnswer>(key, 'POST', `/${encodeURIComponent(id)}/checkout`, {
    ...{ price: shop.monthly, successUrl },
    ...fields,
  });
const portal = (id: string, fields: object = {}) =>
  callCustomers<PageAnswer>(shop.key, 'POST', `/${id}/portal`, { returnUrl, ...fields });

async function refused(answer: Promise<{ status: number; body: unknown }>): Promise<[number, PublicError]> {
  const { status, body } = await answer;
  return [status, body as PublicError];
}

async function pay({ body }: { readonly body: PageAnswer }): Promise<void> {
  const paid = await fetch(`${body.url}/pay`, {
    method: 'POST',
    body: new URLSearchParams(),
    redirect: 'manual',
  });
  expect(paid.status).toBe(303);
  await shop.deliver();
  await publishAll(shop.tenant);
}

const plansOf = async (id: string) => (await check(shop.key, { userIdentifier: id })).customer.plans;
const sessionsOf = (customer: string) => shop.account.stripe.checkout.sessions.list({ customer });

describe('a checkout', () => {
  it('creates the Stripe customer once, as which the customer then has the plan that it pays for', async () => {
    const email = `${newId()}@example.com`;
    const id = await newCustomer({ name: 'Acme Ltd', email });
    const opened = await checkout(id);
    expect(opened).toMatchObject({
      status: 200,
      body: { status: 'success', customer: id, url: expect.stringMatching(/^http/), replayed: false },
    });
    const { stripeCustomer, expiresAt } = opened.body;
    expect(expiresAt).toBeGreaterThan(Date.now());
    const created = await shop.account.stripe.customers.retrieve(stripeCustomer);
    expect(created).toMatchObject({ name: 'Acme Ltd', email, metadata: { workspace: id } });
    expect((await checkout(id)).body.stripeCustomer).toBe(stripeCustomer);
    expect((await sessionsOf(stripeCustomer)).data).toMatchObject([
      { mode: 'subscription', success_url: successUrl, cancel_url: null },
      { mode: 'subscription', success_url: successUrl },
    ]);
    await pay(opened);
    expect(await plansOf(id)).toEqual(['pro']);
    expect(await plansOf(stripeCustomer)).toEqual(['pro']);
  });

  it('creates one Stripe customer, also when two are opened at once', async () => {
    const id = await newCustomer();
    const [one, other] = await Promise.all([checkout(id), checkout(id)]);
    expect(one.body.stripeCustomer).toBe(other.body.stripeCustomer);
  });

  it('is for the Stripe customer that carries the customer’s ID already, by any of its names', async () => {
    const id = newId();
    const { id: stripeCustomer } = await shop.account.stripe.customers.create({
      metadata: { workspace: id },
    });
    await shop.deliver();
    await publishAll(shop.tenant);
    expect((await checkout(id)).body).toMatchObject({ stripeCustomer });
    await save(id);
    expect((await checkout(id)).body).toMatchObject({ customer: id, stripeCustomer });
    expect((await checkout(stripeCustomer)).body).toMatchObject({ customer: id, stripeCustomer });
  });

  it('is opened once for an idempotency key, in header or body, and never for another request', async () => {
    const id = await newCustomer();
    const first = await checkout(id, { idempotencyKey: 'upgrade' });
    const again = await checkout(id, { idempotencyKey: 'upgrade' });
    expect(again.body).toEqual({ ...first.body, requestId: again.body.requestId, replayed: true });
    expect((await sessionsOf(first.body.stripeCustomer)).data).toHaveLength(1);
    const [status, body] = await refused(checkout(id, { idempotencyKey: 'upgrade', quantity: 2 }));
    expect([status, body.code]).toEqual([409, 'idempotency-key-reused']);
    const stranger = await newCustomer();
    expect((await checkout(stranger, { idempotencyKey: 'upgrade' })).body.replayed).toBe(false);
  });

  it('takes a quantity, and none of a metered price', async () => {
    const { stripe } = shop.account;
    const id = await newCustomer();
    const { stripeCustomer } = (await checkout(id, { quantity: 7, cancelUrl: 'http://localhost:3000/x' }))
      .body;
    const [session] = (await sessionsOf(stripeCustomer)).data;
    expect(session).toMatchObject({ amount_total: 13_300, cancel_url: 'http://localhost:3000/x' });
    const meter = await stripe.billing.meters.create({
      ...{ display_name: 'Calls', event_name: newId(), default_aggregation: { formula: 'sum' } },
    });
    const recurring = { interval: 'month', usage_type: 'metered', meter: meter.id } as const;
    const { id: price } = await stripe.prices.create({
      ...{ currency: 'eur', unit_amount: 5, product: shop.product, recurring },
    });
    expect((await checkout(id, { price })).status).toBe(200);
  });

  it('sells one-time prices that are top-ups, and no others', async () => {
    const { tenant, account, path } = shop;
    const { id: price } = await account.stripe.prices.create({
      ...{ currency: 'eur', unit_amount: 500, product: shop.product },
    });
    const id = await newCustomer();
    expect((await refused(checkout(id, { price })))[1].code).toBe('price-not-sold');
    const feature = await tenant.make<{ id: string }>('POST', '/features', {
      name: 'Assistant',
      slug: newId(),
    });
    const { id: propertyId } = await tenant.make('POST', `/features/${feature.id}/properties`, {
      ...{ name: 'Credits', propertyKey: 'credits', type: 'meterable', value: { state: 'on' } },
    });
    await tenant.make('PUT', `${path}/top-ups/${price}`, {
      ...{ productId: shop.product, propertyId, amount: 100, category: 'paid', priority: 50 },
      lastsMonths: null,
    });
    const { stripeCustomer } = (await checkout(id, { price, quantity: 2 })).body;
    const [session] = (await sessionsOf(stripeCustomer)).data;
    expect(session).toMatchObject({ mode: 'payment', amount_total: 1_000 });
  });
});

describe('a checkout is refused', () => {
  it('for prices that are not sold: unknown, archived, of another product, or of test mode in a live environment', async () => {
    const { account, tenant } = shop;
    const { stripe } = account;
    const id = await newCustomer();
    const other = await account.newProduct('Other');
    const { id: archived } = await stripe.prices.create({
      ...{ currency: 'eur', unit_amount: 1, product: shop.product, recurring: { interval: 'year' } },
    });
    await stripe.prices.update(archived, { active: false });
    for (const price of ['price_none', other.priceId, archived]) {
      const [status, body] = await refused(checkout(id, { price }));
      expect([status, body]).toMatchObject([400, { code: 'price-not-sold', issues: [{ path: 'price' }] }]);
    }
    const live = await tenant.make<Environment>('POST', '/environments', { name: 'Live one', type: 'live' });
    const { artifactId } = await tenant.make<Artifact>('POST', '/artifacts', {});
    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
    const key = await managingKey(shop, live.id);
    await publishAll(tenant);
    await callCustomers(key, 'PUT', `/${id}`, {});
    expect((await refused(checkout(id, {}, key)))[1].code).toBe('price-not-sold');
    const http = { successUrl: 'http://localhost:3000/' };
    expect((await refused(checkout(id, http, key)))[1]).toMatchObject({ issues: [{ path: 'successUrl' }] });
  });

  it.each<[string, object]>([
    ['successUrl', { successUrl: 'http://app.example/' }],
    ['successUrl', { successUrl: 'javascript:alert(1)' }],
    ['successUrl', { successUrl: '/welcome' }],
    ['successUrl', { successUrl: 'https://ada:secret@app.example/' }],
    ['cancelUrl', { cancelUrl: 'https//app.example' }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: 1.5 }],
    ['price', { price: '' }],
    ['coupon', { coupon: 'free' }],
  ])('for an invalid %s: %j', async (path, fields) => {
    const [status, body] = await refused(checkout(await newCustomer(), fields));
    expect([status, body]).toMatchObject([400, { code: 'invalid-field', issues: [{ path }] }]);
  });

  it('for nobody, for an email that is nobody’s, and without a metadata key', async () => {
    expect((await refused(checkout('unheard-of')))[1].code).toBe('customer-unknown');
    const email = `${newId()}@example.com`;
    await callCustomers(shop.key, 'PUT', `/${email}`, {});
    expect((await refused(checkout(email)))[1]).toMatchObject({ code: 'stripe-customer-needed' });
    const id = await newCustomer();
    await shop.tenant.make('PUT', shop.path, { userIdKey: null });
    expect((await refused(checkout(id)))[1]).toMatchObject({ code: 'stripe-customer-needed' });
    await shop.tenant.make('PUT', shop.path, { userIdKey: 'workspace' });
    expect((await checkout(id)).status).toBe(200);
  });

  it('while Stripe is away or busy, and with its own reason if it refuses', async () => {
    const { account, tenant, path } = shop;
    const id = await newCustomer();
    for (const faults of [{ isDown: true }, { refuseNext: 1 }, { failNext: 1 }]) {
      await account.setFaults(faults);
      expect(await refused(checkout(id))).toMatchObject([503, { code: 'stripe-unavailable' }]);
      await account.clearFaults();
    }
    await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
    const [status, body] = await refused(checkout(id));
    expect([status, body.code]).toEqual([409, 'stripe-refused']);
    expect(body.message).toContain('rak_customer_write');
    await tenant.make('PUT', path, { secretKey: account.keys.secretKey });
  });

  it('without a key that manages customers', async () => {
    const { value } = await shop.tenant.key(shop.previewId);
    await publishAll(shop.tenant);
    expect(await refused(checkout(await newCustomer(), {}, value))).toMatchObject([
      403,
      { code: 'managing-key-required' },
    ]);
  });
});

test('the portal is opened for who the customer is at Stripe, and refused for nobody', async () => {
  const id = await newCustomer();
  expect((await refused(portal(id)))[1]).toMatchObject({ code: 'stripe-customer-needed' });
  const { stripeCustomer } = (await checkout(id)).body;
  const opened = await portal(id, { idempotencyKey: 'account' });
  expect(opened.body).toMatchObject({ customer: id, stripeCustomer, expiresAt: null, replayed: false });
  expect((await fetch(opened.body.url)).status).toBe(200);
  expect((await portal(id, { idempotencyKey: 'account' })).body).toMatchObject({
    ...{ url: opened.body.url, replayed: true },
  });
  expect((await refused(portal(id, { returnUrl: 'http://app.example' })))[1]).toMatchObject({
    issues: [{ path: 'returnUrl' }],
  });
});

describe('a preview', () => {
  const preview = (id: string, price: string, more = '') =>
    callCustomers<PreviewAnswer>(shop.key, 'GET', `/${id}/preview?price=${price}${more}`);

  it('says what a subscription costs now and from the next period on, also for nobody at Stripe', async () => {
    const id = await newCustomer();
    const { status, body } = await preview(id, shop.monthly, '&quantity=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ customer: id, stripeCustomer: null, currency: 'eur', dueNow: 3_800, credit: 0, replaces: null },
      next: { amount: 3_800 },
    });
    expect(body.next!.at).toBeGreaterThan(Date.now() + 27 * 86_400_000);
    expect((await refused(portal(id)))[1].code).toBe('stripe-customer-needed');
  });

  it('replaces the price that the customer has, and gives back what is unused of it', async () => {
    const { stripe } = shop.account;
    const { id: yearly } = await stripe.prices.create({
      ...{ currency: 'eur', unit_amount: 20_000, product: shop.product, recurring: { interval: 'year' } },
    });
    const id = await newCustomer();
    const opened = await checkout(id);
    await pay(opened);
    const same = await preview(id, shop.monthly);
    expect(same.body).toMatchObject({ dueNow: 0, replaces: shop.monthly, next: { amount: 1_900 } });
    const { stripeCustomer } = opened.body;
    const more = await preview(id, shop.monthly, '&quantity=3');
    // The period has just begun.
    expect(more.body).toMatchObject({ stripeCustomer, lines: [{ amount: -1_900 }, { amount: 5_700 }] });
    expect(more.body).toMatchObject({
      dueNow: 3_800,
      credit: 0,
      next: { amount: 5_700, at: same.body.next!.at },
    });
    const { body } = await preview(id, yearly);
    expect(body).toMatchObject({ dueNow: 18_100, replaces: shop.monthly, next: { amount: 20_000 } });
    expect(body.next!.at).toBeGreaterThan(Date.now() + 360 * 86_400_000);
    await shop.account.setFaults({ isDown: true });
    expect((await refused(preview(id, yearly)))[1].code).toBe('stripe-unavailable');
    await shop.account.clearFaults();
  });

  it('is refused for prices that are not sold, and for what is no quantity', async () => {
    const id = await newCustomer();
    expect((await refused(preview(id, 'price_none')))[1].code).toBe('price-not-sold');
    expect((await refused(preview(id, shop.monthly, '&quantity=many')))[1]).toMatchObject({
      issues: [{ path: 'quantity' }],
    });
  });
});
