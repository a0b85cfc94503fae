// Public plans are read with any key: those of the deployed version alone, and with what they cost, which no call asks Stripe.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import type { PlansAnswer } from '#contracts/public/sales';
import { expectConsole } from '#tests/support/expect-console';
import { runStripeSchedule } from '#tests/support/schedules';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';

let shop: ConnectedTenant;
let pro: Plan;
let hidden: Plan;
let product: string;
let monthly: string;

beforeAll(async () => {
  shop = await connectedTenant();
  const { tenant, account, integration } = shop;
  const { stripe } = account;
  pro = await tenant.make<Plan>('POST', '/plans', { name: 'Pro plan', slug: 'pro' });
  hidden = await tenant.make<Plan>('POST', '/plans', { name: 'Hidden plan', slug: 'hidden' });
  ({ id: product } = await stripe.products.create({ name: 'Pro' }));
  const price = (currency: string, unit_amount: number, interval: 'month' | 'year', nickname?: string) =>
    stripe.prices.create({
      product,
      currency,
      unit_amount,
      recurring: { interval },
      ...(nickname && { nickname }),
    });
  await price('usd', 20_000, 'year');
  ({ id: monthly } = await price('usd', 2_000, 'month', 'Monthly'));
  await price('eur', 1_900, 'month');
  const archived = await price('eur', 900, 'month');
  await stripe.prices.update(archived.id, { active: false });
  await stripe.prices.create({ product, currency: 'eur', unit_amount: 500 });
  await shop.sync('stripe-product');
  const link = { integrationId: integration.id, productId: product, version: 1 };
  await tenant.make('PUT', `/plans/${pro.planId}/products`, { addProducts: [link] });
  await tenant.make('PUT', `/plans/${hidden.planId}/products`, { addProducts: [link] });
  await publishAll(tenant);
});

const renew = (now = Date.now()) => runStripeSchedule(workContext(env, () => now));
const publish = (plan: Plan, isPublic: boolean) =>
  shop.tenant.make('PUT', `/plans/${plan.planId}`, { isPublic });

interface Listed {
  readonly status: number;
  readonly headers: Headers;
  readonly body: PlansAnswer;
}

async function list(key: string, headers: Record<string, string> = {}, bindings?: Env): Promise<Listed> {
  const request = new Request('http://localhost:4001/api/v1/plans', {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const context = createExecutionContext();
  const response =
    bindings === undefined
      ? await exports.default.fetch(request)
      : await worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, bindings, context);
  await waitOnExecutionContext(context);
  const body = response.status === 304 ? null : await response.json();
  return { status: response.status, headers: response.headers, body: body as PlansAnswer };
}

/** A new environment has nothing in any cache. */
async function newKey(tenant: Tenant, type: 'test' | 'live' = 'test'): Promise<string> {
  const name = `A ${type} environment ${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await tenant.make<Environment>('POST', '/environments', { name, type });
  // Something to freeze.
  await tenant.make('POST', '/plans', { name, slug: `extra-${id.slice(-12).toLowerCase()}` });
  const { artifactId } = await tenant.make<Artifact>('POST', '/artifacts', {});
  await tenant.make('PUT', `/deployments/${id}/artifact`, { artifactId });
  const { value } = await tenant.key(id, 'public');
  await publishAll(tenant);
  return value;
}

test('a plan is listed once it is public in the deployed version, with its prices', async () => {
  const before = await newKey(shop.tenant);
  expect((await list(before)).body.plans).toEqual([]);
  await publish(pro, true);
  await publishAll(shop.tenant);
  await renew();
  expect((await list(before)).body.plans).toEqual([]);
  const key = await newKey(shop.tenant);
  const { status, body, headers } = await list(key, { origin: 'https://shop.example' });
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body.plans).toMatchObject([{ slug: 'pro', name: 'Pro plan', features: [], isAddOn: false }]);
  expect(body.plans[0]?.prices).toMatchObject([
    { name: null, currency: 'eur', amount: 1_900, interval: 'month', perUnit: false },
    { id: monthly, name: 'Monthly', currency: 'usd', amount: 2_000, interval: 'month', intervalCount: 1 },
    { currency: 'usd', amount: 20_000, interval: 'year' },
  ]);
});

test('what is linked to one price has that price alone, and says whether it is by the unit', async () => {
  const { tenant, integration } = shop;
  const { currentVersion: version } = await tenant.make<Plan>('GET', `/plans/${pro.planId}`);
  const link = { integrationId: integration.id, productId: product };
  await tenant.make('PUT', `/plans/${pro.planId}/products`, {
    addProducts: [{ ...link, priceId: monthly, timesQuantity: true, version }],
    removeProducts: [link],
  });
  await publishAll(tenant);
  const { body } = await list(await newKey(tenant));
  expect(body.plans[0]?.prices).toMatchObject([{ id: monthly, perUnit: true }]);
});

test('prices of test mode are never listed in a live environment', async () => {
  expect((await list(await newKey(shop.tenant, 'live'))).body.plans).toMatchObject([
    { slug: 'pro', prices: [] },
  ]);
});

test('prices that Stripe has since, or no longer, are listed after an hour', async () => {
  const { stripe } = shop.account;
  await stripe.prices.update(monthly, { nickname: 'Every month' });
  await renew();
  expect((await list(await newKey(shop.tenant))).body.plans[0]?.prices[0]?.name).toBe('Monthly');
  await renew(Date.now() + 61 * 60_000);
  expect((await list(await newKey(shop.tenant))).body.plans[0]?.prices[0]?.name).toBe('Every month');
  await stripe.prices.update(monthly, { active: false });
  await renew(Date.now() + 122 * 60_000);
  expect((await list(await newKey(shop.tenant))).body.plans[0]?.prices).toEqual([]);
  await stripe.prices.update(monthly, { active: true });
  await renew(Date.now() + 183 * 60_000);
});

test('while Stripe refuses, the prices are those that were read last', async () => {
  const { account, tenant } = shop;
  await account.setFaults({ isDown: true });
  await renew(Date.now() + 244 * 60_000);
  await account.setFaults({ isDown: false });
  expect((await list(await newKey(tenant))).body.plans[0]?.prices).toMatchObject([{ id: monthly }]);
});

test('while D1 cannot be read, a list that is known is answered, and no other is taken for empty', async () => {
  const fail = () => {
    throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.');
  };
  const broken = new Proxy({}, { get: () => fail });
  const key = await newKey(shop.tenant);
  const known = await list(key);
  const away: Env = { ...env, DB: broken as never };
  expect((await list(key, {}, away)).body.plans).toEqual(known.body.plans);
  const other = await newKey(shop.tenant);
  await exports.default.fetch(
    new Request('http://localhost:4001/api/v1/access-checks', {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
    }),
  );
  expectConsole('error', /request failed/);
  expect(await list(other, {}, away)).toMatchObject({
    status: 503,
    body: { code: 'database-unavailable' },
  });
});

test('nothing of another organisation is listed, and nothing where nothing is deployed', async () => {
  const stranger = await newTenant();
  expect((await list(await newKey(stranger))).body.plans).toEqual([]);
  const { id } = await stranger.make<Environment>('POST', '/environments', { name: 'Bare', type: 'test' });
  const { value } = await stranger.key(id, 'public');
  await publishAll(stranger);
  expect((await list(value)).body).toMatchObject({ version: null, plans: [] });
});
