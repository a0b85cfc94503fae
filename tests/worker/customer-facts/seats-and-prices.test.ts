// Seats sold by quantity and plans linked to prices: from the console's link through Stripe's events to checks, explanations, the
// customer page and its history. Also: when their billing periods begin.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Diff } from '#contracts/console/artifacts';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Plan } from '#contracts/console/plans';
import type { StripePrice } from '#contracts/console/stripe';
import { check } from '#tests/support/access-checks';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { expectRefused } from '#tests/support/refusals';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: CustomerTenant;
let connected: ConnectedTenant;
let team: { productId: string; priceId: string };
let yearly: string;

beforeAll(async () => {
  own = await customerTenant();
  connected = await connectedTenant({ tenant: own.tenant });
  const { account } = connected;
  team = await account.newProduct('Team');
  const price = { product: team.productId, currency: 'gbp', unit_amount: 18_000, nickname: 'Yearly' };
  yearly = (await account.stripe.prices.create({ ...price, recurring: { interval: 'year' } })).id;
  await connected.sync('stripe-product');
  await own.tenant.make('POST', '/artifacts');
});

const link = (planId: string, fields: object) =>
  own.tenant.make<Plan>('PUT', `/plans/${planId}/products`, {
    addProducts: [
      { integrationId: connected.integration.id, productId: team.productId, version: 2, ...fields },
    ],
  });

async function subscriber(price: string, quantity: number) {
  const { stripe } = connected.account;
  const { id } = await stripe.customers.create();
  const subscription = await stripe.subscriptions.create({ customer: id, items: [{ price, quantity }] });
  await connected.deliver();
  return { id, subscriptionId: subscription.id, itemId: subscription.items.data[0]!.id };
}

const answerOf = async (userIdentifier: string) => {
  const { customer, features } = await check(own.secret, { userIdentifier });
  const { seats } = features.workspaces!.properties;
  return { plans: customer.plans, quantities: customer.quantities, seats };
};

test('a plan is linked times its quantity, or to one price, and versions say so', async () => {
  const prices = await own.tenant.make<StripePrice[]>(
    'GET',
    `${connected.path}/products/${team.productId}/prices`,
  );
  expect(prices).toEqual([
    { priceId: yearly, name: 'Yearly · £180.00 / year', active: true },
    { priceId: team.priceId, name: '£18.00 / month', active: true },
  ]);
  const plus = await link(own.plusId, { timesQuantity: true });
  expect(plus.grantProductMappings).toMatchObject([{ productId: team.productId, timesQuantity: true }]);
  const pro = await link(own.proId, { priceId: yearly });
  expect(pro.grantProductMappings).toMatchObject([{ priceId: yearly, priceName: prices[0]!.name }]);
  expect(pro.grantProductMappings[0]).not.toHaveProperty('timesQuantity');
  const unknown = { ...pro.grantProductMappings[0], version: 2, priceId: 'price_gone', priceName: undefined };
  const refused = await expectRefused(own.tenant, 400, 'PUT', `/plans/${own.proId}/products`, {
    addProducts: [unknown],
  });
  expect(refused).toEqual(['addProducts.0.priceId: Unknown price']);
  await publishAll(own.tenant);
  const { items } = await own.tenant.make<Diff>('GET', '/artifacts/last-diff');
  const links = items.filter(({ itemType }) => itemType === 'plan-product');
  expect(links.map(({ itemName }) => itemName)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Plus plan › Team \(/),
      expect.stringMatching(new RegExp(`^Pro plan › Team \\(.+ › ${yearly}$`)),
    ]),
  );
});

test('seven seats of a five-seat plan are 35, change with the quantity, and are explained', async () => {
  const { id, itemId } = await subscriber(team.priceId, 7);
  await eventually(async () =>
    expect(await answerOf(id)).toEqual({ plans: ['plus'], quantities: { plus: [7] }, seats: 35 }),
  );
  await connected.account.stripe.subscriptionItems.update(itemId, { quantity: 9 });
  await connected.deliver();
  expect(await answerOf(id)).toEqual({ plans: ['plus'], quantities: { plus: [9] }, seats: 45 });
  const { explanation } = await check(own.secret, { userIdentifier: id }, { query: '?explain=1' });
  expect(explanation?.find(({ property }) => property === 'seats')).toMatchObject({
    decidedBy: ['plus'],
    reason: expect.stringMatching(/times 9\.$/),
    candidates: [{ plan: 'plus', value: 45, from: [{ productId: team.productId, quantity: 9 }] }],
  });
  const page = own.path(id, `/environments/${own.previewId}`);
  const { plans } = await own.tenant.make<CustomerEntitlements>('GET', page);
  expect(plans).toMatchObject([{ slug: 'plus', subscriptions: [{ productName: 'Team', quantity: 9 }] }]);
  const { items } = await own.tenant.make<{ items: CustomerChange[] }>('GET', own.path(id, '/changes'));
  expect(items[0]).toMatchObject({
    kind: 'subscription',
    before: { items: [{ quantity: 7 }] },
    after: { items: [{ priceId: team.priceId, quantity: 9 }] },
  });
});

test('only the linked price of a product grants its plan', async () => {
  const { id } = await subscriber(yearly, 1);
  await eventually(async () =>
    expect(await answerOf(id)).toEqual({ plans: ['pro', 'plus'], quantities: undefined, seats: 50 }),
  );
});

test('paused collection is read and shown, and changes no answer', async () => {
  const { id, subscriptionId } = await subscriber(team.priceId, 2);
  await connected.account.stripe.subscriptions.update(subscriptionId, {
    pause_collection: { behavior: 'void' },
  });
  await connected.deliver();
  await eventually(async () => expect((await answerOf(id)).seats).toBe(10));
  const { customer } = await check(own.secret, { userIdentifier: id, include: ['subscriptions'] });
  expect(customer.subscriptions).toEqual([
    {
      id: subscriptionId,
      status: 'active',
      isGranting: true,
      accessEndsAt: null,
      reason: null,
      trialEndAt: null,
      cancelAt: null,
      currentPeriodEndAt: expect.any(Number),
      isPaused: true,
      items: [
        {
          product: team.productId,
          price: team.priceId,
          quantity: 2,
          currentPeriodEndAt: expect.any(Number),
        },
      ],
    },
  ]);
  const { linked } = await own.tenant.make<Customer>('GET', own.path(id));
  expect(linked[0]?.subscriptions).toMatchObject([
    {
      status: 'active',
      pauseCollection: { behavior: 'void', resumesAt: null },
      products: [{ name: 'Team', quantity: 2 }],
    },
  ]);
});

test('when the billing periods begin is read with the subscription, also of one that was stored without it', async () => {
  const { id, subscriptionId } = await subscriber(team.priceId, 1);
  const { billing_cycle_anchor: anchor } =
    await connected.account.stripe.subscriptions.retrieve(subscriptionId);
  const stored = () =>
    env.DB.prepare(
      `SELECT facts_version AS version, subscriptions ->> '$[0].anchorAt' AS anchorAt FROM stripe_customer WHERE id = ?`,
    )
      .bind(id)
      .first<{ version: number; anchorAt: number | null }>();
  expect((await stored())?.anchorAt).toBe(anchor * 1000);
  await env.DB.prepare(
    `UPDATE stripe_customer SET subscriptions = json_remove(subscriptions, '$[0].anchorAt') WHERE id = ?`,
  )
    .bind(id)
    .run();
  const former = await stored();
  expect(former?.anchorAt).toBeNull();
  await connected.account.stripe.customers.update(id, { name: 'Ada' });
  await connected.deliver();
  const read = await stored();
  expect(read?.anchorAt).toBe(anchor * 1000);
  expect(read?.version).toBeGreaterThan(former!.version);
  const { items } = await own.tenant.make<{ items: CustomerChange[] }>('GET', own.path(id, '/changes'));
  expect(items).toEqual([]);
});

test('a link can be changed to count once, and one price can be unlinked', async () => {
  const plus = await link(own.plusId, { timesQuantity: false });
  expect(plus.grantProductMappings[0]).not.toHaveProperty('timesQuantity');
  const mapping = `/plans/${own.proId}/products/integration/${connected.integration.id}/products/${team.productId}`;
  expect(await own.tenant.make('DELETE', mapping)).toMatchObject({
    grantProductMappings: [{ priceId: yearly }],
  });
  expect(await own.tenant.make('DELETE', `${mapping}?priceId=${yearly}`)).toMatchObject({
    grantProductMappings: [],
  });
});
