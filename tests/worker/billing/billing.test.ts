// An organisation's own subscription: bought once, applied once by whichever trigger comes first, and in sync with
// Stripe.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Stripe } from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { newMember, newOrganisation, ORIGIN } from '#tests/support/accounts';
import {
  actionsOf,
  billingOf,
  fulfil,
  openCheckout,
  pay,
  recordCalls,
  retentionOf,
  seedUsage,
  subscribe,
  workOff,
} from '#tests/support/billing';
import { expectConsole } from '#tests/support/expect-console';
import { runBillingSchedule } from '#tests/support/schedules';
import { newStripeAccount, platformStripeAccount, type StripeAccount } from '#tests/support/stripe';
import { newTenant, type Tenant, tenantOf } from '#tests/support/tenants';
import { openCheckout as openCheckoutOf } from '#worker/domains/billing/open-checkout';
import { publishStripeLookups } from '#worker/domains/billing/publish-stripe-lookups';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';

let platform: StripeAccount;

beforeAll(async () => {
  platform = await platformStripeAccount();
});

const HOUR_MS = 3_600_000;
const FULFILMENT = '/api/payments/checkout-session-fulfillment';

describe('a checkout', () => {
  it('sells one month of Grow and its API calls to one customer of the organisation', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    const session = await platform.stripe.checkout.sessions.retrieve(sessionId, {
      expand: ['line_items', 'customer'],
    });
    expect(session).toMatchObject({
      mode: 'subscription',
      allow_promotion_codes: true,
      billing_address_collection: 'required',
      client_reference_id: tenant.orgId,
      metadata: { orgId: tenant.orgId, plan: 'grow' },
      cancel_url: `http://localhost:4001/o/${tenant.orgId}/payment-canceled`,
      success_url: 'http://localhost:4001/payment-success?session_id={CHECKOUT_SESSION_ID}',
      customer: { metadata: { orgId: tenant.orgId }, email: tenant.user.email, name: 'Analytical Engines' },
    });
    expect(session.line_items?.data.map(({ price }) => price?.lookup_key)).toEqual([
      'tessera_grow_base',
      'tessera_grow_usage',
    ]);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', hasCustomerId: true, subscription: null });
    expect(await actionsOf(tenant)).toEqual(['billing.checkout-opened']);
  });

  it('that is opened many times at once makes one customer and one session', async () => {
    const tenant = await newTenant();
    const opened = await Promise.all(Array.from({ length: 5 }, () => openCheckout(tenant)));
    expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1);
    const again = await openCheckout(tenant);
    expect(again.sessionId).toBe(opened[0]?.sessionId);
    const customers: string[] = [];
    for await (const customer of platform.stripe.customers.list({ limit: 100 })) {
      if (customer.metadata.orgId === tenant.orgId) customers.push(customer.id);
    }
    expect(customers).toHaveLength(1);
  });

  it('that has expired is followed by another one', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    await platform.stripe.checkout.sessions.expire(sessionId);
    const next = await openCheckout(tenant);
    expect(next.sessionId).not.toBe(sessionId);
    await pay(next.url);
    expect((await fulfil(next.sessionId)).body).toEqual({ success: true, orgId: tenant.orgId });
  });

  it('is opened for another customer if Stripe no longer has the first one', async () => {
    const tenant = await newTenant();
    await openCheckout(tenant);
    const row = await env.DB.prepare('SELECT active_stripe_customer_id AS id FROM organization WHERE id = ?')
      .bind(tenant.orgId)
      .first<{ id: string }>();
    await platform.stripe.customers.del(row?.id ?? '');
    await env.DB.prepare('UPDATE organisation_billing SET checkout_session_id = NULL WHERE org_id = ?')
      .bind(tenant.orgId)
      .run();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    expect((await fulfil(sessionId)).body).toEqual({ success: true, orgId: tenant.orgId });
  });

  it('on grow is a conflict, and for a member without the permission forbidden', async () => {
    const tenant = await newTenant();
    await subscribe(tenant);
    expect((await tenant.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(409);
    const member = tenantOf(await newMember(tenant.user, tenant.orgId), tenant.orgId);
    expect((await member.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(403);
    expect((await member.call('POST', '/billing-portal-sessions')).status).toBe(403);
    expect(await billingOf(member)).toMatchObject({ plan: 'grow', isSetUp: true });
  });

  it('that was paid and not put into force yet is put into force rather than opened a second time', async () => {
    const tenant = await newTenant();
    const { url } = await openCheckout(tenant);
    await pay(url);
    const answers = await Promise.all(
      [1, 2, 3].map(() => tenant.call('POST', '/checkout-session', { plan: 'grow' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
    expect(await actionsOf(tenant)).toEqual(['billing.checkout-opened', 'billing.plan-changed']);
  });

  it('after a paid one whose subscription has ended is a new one', async () => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    const { subscription } = await platform.stripe.checkout.sessions.retrieve(sessionId);
    await platform.changeSubscription(String(subscription), 'cancel');
    expect((await openCheckout(tenant)).sessionId).not.toBe(sessionId);
  });

  it('that Stripe answered with an error succeeds with the next try, although Stripe replays the error', async () => {
    const tenant = await newTenant();
    const account = await newStripeAccount('Own platform');
    const own = { ...env, STRIPE_SECRET_KEY: account.keys.secretKey };
    await publishStripeLookups(workContext(own, Date.now));
    const upgrade = () => consoleCall(own, tenant, '/checkout-session', { plan: 'grow' });
    for (const path of ['/v1/customers', '/v1/checkout/sessions']) {
      await account.setFaults({ failNext: 100, onlyRequests: `POST ${path}` });
      expectConsole('error', /billing request to Stripe failed/);
      expect([await upgrade(), await upgrade()]).toEqual([503, 503]);
    }
    await account.clearFaults();
    expect(await Promise.all([upgrade(), upgrade(), upgrade()])).toEqual([200, 200, 200]);
    expect((await account.stripe.checkout.sessions.list()).data).toHaveLength(1);
    expect((await account.stripe.customers.list()).data).toHaveLength(1);
  });

  it('expires the earlier one that is about to expire, so that only one can be paid', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    const later = workContext(env, Date.now).now + 23 * HOUR_MS + 56 * 60_000;
    const context = { ...workContext(env, () => later), request: new Request(ORIGIN) };
    const scope = { orgId: tenant.orgId, actor: tenant.user, role: 'owner', permissions: [] } as never;
    const open = () => openCheckoutOf(context as never, scope);
    const [one, other] = await Promise.all([open(), open()]);
    expect(one.redirectToUrl).toBe(other.redirectToUrl);
    expect(one.redirectToUrl).not.toContain(sessionId);
    expect((await platform.stripe.checkout.sessions.retrieve(sessionId)).status).toBe('expired');
    await pay(one.redirectToUrl);
    expect((await tenant.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(409);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'grow' });
  });

  it.each(['on', 'off'])('calculates tax if the operator says so: %s', async (setting) => {
    const tenant = await newTenant();
    const own = { ...env, STRIPE_AUTOMATIC_TAX: setting };
    expect(await consoleCall(own, tenant, '/checkout-session', { plan: 'grow' })).toBe(200);
    const opened = (await platform.stripe.checkout.sessions.list({ limit: 100 })).data.find(
      ({ client_reference_id: id }) => id === tenant.orgId,
    );
    expect(opened?.automatic_tax.enabled).toBe(setting === 'on');
    await pay(opened?.url ?? '');
    const { subscription } = await platform.stripe.checkout.sessions.retrieve(opened?.id ?? '', {
      expand: ['subscription'],
    });
    expect(subscription).toMatchObject({ automatic_tax: { enabled: setting === 'on' } });
  });

  it('of another plan is refused', async () => {
    const tenant = await newTenant();
    for (const plan of ['build', 'Grow', '', null]) {
      expect((await tenant.call('POST', '/checkout-session', { plan })).status).toBe(400);
    }
  });
});

describe('a fulfilment', () => {
  it('puts a paid checkout into force, with all that belongs to the plan', async () => {
    const tenant = await newTenant();
    await subscribe(tenant);
    expect(await tenant.make('GET', '/summary')).toMatchObject({
      plan: 'grow',
      planDisplayName: 'Grow',
      hasCustomerId: true,
      visibleTotalMonthlyRequestLimit: null,
    });
    const billing = await billingOf(tenant);
    expect(billing).toMatchObject({
      subscription: { status: 'active', cancelAtPeriodEnd: false },
      usage: { allowance: null, remaining: null, total: 0 },
      block: null,
    });
    expect(billing.subscription?.currentPeriodEndAt).toBeGreaterThan(Date.now() + 20 * 86_400_000);
    await workOff(tenant);
    expect(await retentionOf(tenant)).toBe('30');
  });

  it('asked twice and at the same time has one effect and one audit row', async () => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    const answers = await Promise.all(Array.from({ length: 4 }, () => fulfil(sessionId)));
    answers.push(await fulfil(sessionId));
    for (const answer of answers) {
      expect(answer).toEqual({ status: 200, body: { success: true, orgId: tenant.orgId } });
    }
    expect(await actionsOf(tenant)).toEqual(['billing.checkout-opened', 'billing.plan-changed']);
  });

  it('of an unpaid checkout has no effect', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    expect(await fulfil(sessionId)).toEqual({ status: 200, body: { success: false, orgId: tenant.orgId } });
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
  });

  it('of something that Tessera does not sell, or that does not exist, has no effect', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    const { customer } = await platform.stripe.checkout.sessions.retrieve(sessionId);
    const { priceId } = await platform.newProduct('A mug');
    const foreign = await platform.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: String(customer),
      line_items: [{ price: priceId, quantity: 1 }],
      client_reference_id: tenant.orgId,
      success_url: 'http://localhost:4001/elsewhere',
    });
    await pay(foreign.url ?? '');
    for (const id of [foreign.id, 'cs_test_none']) {
      expect(await fulfil(id)).toEqual({ status: 200, body: { success: false, orgId: null } });
    }
    expect((await fulfil('sub_1')).status).toBe(400);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
  });

  it('of an id that Tessera did not issue does not call Stripe', async () => {
    const tenant = await newTenant();
    const account = await newStripeAccount('Counted platform');
    const own = { ...env, STRIPE_SECRET_KEY: account.keys.secretKey };
    const call = (sessionId: string) => bareCall(own, FULFILMENT, { sessionId });
    // A session in Tessera's own account, which another system opened.
    const { priceId } = await account.newProduct('A mug');
    const foreign = await account.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: 'http://localhost:4001/elsewhere',
    });
    await account.forgetRequests();
    for (const id of [foreign.id, 'cs_test_none', `cs_test_${'a'.repeat(200)}`]) {
      expect(await call(id)).toEqual({ status: 200, body: { success: false, orgId: null } });
    }
    expect((await account.requests()).requests).toEqual([]);

    await publishStripeLookups(workContext(own, Date.now));
    expect(await consoleCall(own, tenant, '/checkout-session', { plan: 'grow' })).toBe(200);
    const [opened] = (await account.stripe.checkout.sessions.list()).data.filter(
      (session) => session.client_reference_id === tenant.orgId,
    );
    expect(await call(opened?.id ?? '')).toEqual({
      status: 200,
      body: { success: false, orgId: tenant.orgId },
    });
  });

  it('is limited per client network: an IPv4 address, or a /64 of IPv6', async () => {
    const keys: string[] = [];
    const limit = async ({ key = '' }) => ({ success: keys.push(key) === 0 });
    const limited = { ...env, CHECKOUT_RETURN_LIMIT: { limit } };
    for (const address of [
      '192.0.2.7',
      '2001:db8:0:7::1',
      '2001:0DB8::0007:0:0:0:ffff',
      '2001:db8:0:8::1',
      '2001:db8::1',
    ]) {
      const answer = await bareCall(limited, FULFILMENT, { sessionId: 'cs_test_none' }, address);
      expect(answer).toMatchObject({ status: 429, body: { errorType: 'rate-limited' } });
    }
    expect(keys).toEqual(['192.0.2.7', '2001:db8:0:7', '2001:db8:0:7', '2001:db8:0:8', '2001:db8:0:0']);

    // The limit is 30 a minute, and the calls may be in two minutes.
    const calls = Array.from({ length: 61 }, () => fulfil('cs_test_none', '192.0.2.7'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await fulfil('cs_test_none', '192.0.2.8')).status).toBe(200);
  });

  it('never puts one organisation on the plan that another one has paid for', async () => {
    const tenant = await newTenant();
    const { orgId: otherId } = await newOrganisation(tenant.user, 'Other Engines');
    const other = tenantOf(tenant.user, otherId);
    const { sessionId } = await openCheckout(tenant);
    const { customer } = await platform.stripe.checkout.sessions.retrieve(sessionId);
    // Whoever could write this into the account: the customer is still not the other organisation's.
    const forged = await platform.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: String(customer),
      line_items: [{ price: (await platform.newProduct('Fake Grow')).priceId, quantity: 1 }],
      client_reference_id: otherId,
      metadata: { orgId: otherId, plan: 'grow' },
      subscription_data: { metadata: { orgId: otherId, plan: 'grow' } },
      success_url: 'http://localhost:4001/elsewhere',
    });
    await openCheckout(other);
    await pay(forged.url ?? '');
    expect(await fulfil(forged.id)).toEqual({ status: 200, body: { success: false, orgId: null } });
    expect(await billingOf(other)).toMatchObject({ plan: 'build', subscription: null });
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
  });
});

describe('the billing portal', () => {
  it('opens for an organisation that Stripe knows, and leads back to billing', async () => {
    const tenant = await newTenant();
    expect((await tenant.call('POST', '/billing-portal-sessions')).status).toBe(409);
    await subscribe(tenant);
    const { redirectToUrl } = await tenant.make<{ redirectToUrl: string }>(
      'POST',
      '/billing-portal-sessions',
    );
    const page = await (await fetch(redirectToUrl)).text();
    expect(page).toContain(`/o/${tenant.orgId}/billing`);
    expect(await actionsOf(tenant)).toContain('billing.portal-opened');
    const [opened] = (await platform.stripe.events.list({ type: 'billing_portal.session.created' })).data;
    const session = opened?.data.object as Stripe.BillingPortal.Session | undefined;
    const used = await platform.stripe.billingPortal.configurations.retrieve(String(session?.configuration));
    expect(used).toMatchObject({ is_default: false, metadata: { tessera: 'grow' } });
  });
});

describe('the prices in Stripe', () => {
  it.each(['products', 'billing/meters', 'prices', 'billing_portal/configurations'])(
    'are made after a failure of %s',
    async (path) => {
      const account = await newStripeAccount('Failing platform');
      const ctx = workContext({ ...env, STRIPE_SECRET_KEY: account.keys.secretKey }, Date.now);
      await account.setFaults({ failNext: 1, onlyRequests: `POST /v1/${path}` });
      expectConsole('error', /billing request to Stripe failed/);
      await expect(publishStripeLookups(ctx)).rejects.toMatchObject({ errorType: 'unavailable' });
      await publishStripeLookups(ctx);
      expect((await account.stripe.prices.list()).data).toHaveLength(2);
    },
  );

  it('are made once in an account that has none, and left alone where they are', async () => {
    const account = await newStripeAccount('New platform');
    const ctx = workContext({ ...env, STRIPE_SECRET_KEY: account.keys.secretKey }, Date.now);
    expect((await publishStripeLookups(ctx)).created).toEqual([
      'portal-configuration',
      'meter',
      'product',
      'base-price',
      'usage-price',
    ]);
    await Promise.all([publishStripeLookups(ctx), publishStripeLookups(ctx)]);
    expect((await publishStripeLookups(ctx)).created).toEqual([]);
    const { data } = await account.stripe.prices.list({ expand: ['data.tiers'] });
    const described = data.map(({ lookup_key, unit_amount, recurring, tiers }) => ({
      lookup_key,
      unit_amount,
      usage: recurring?.usage_type,
      tiers: tiers?.map(({ up_to, unit_amount_decimal }) => [up_to, String(unit_amount_decimal)]),
    }));
    expect(described).toHaveLength(2);
    expect(described).toContainEqual(
      expect.objectContaining({ lookup_key: 'tessera_grow_base', unit_amount: 1800, usage: 'licensed' }),
    );
    expect(described).toContainEqual({
      lookup_key: 'tessera_grow_usage',
      unit_amount: null,
      usage: 'metered',
      tiers: [
        [100_000, '0'],
        [null, '0.002'],
      ],
    });
    const { data: meters } = await account.stripe.billing.meters.list();
    expect(meters.map(({ event_name }) => event_name)).toEqual(['tessera_api_calls']);
    const { data: configurations } = await account.stripe.billingPortal.configurations.list();
    expect(configurations.filter(({ is_default }) => !is_default)).toMatchObject([
      {
        metadata: { tessera: 'grow' },
        features: {
          subscription_cancel: { enabled: true, mode: 'at_period_end' },
          subscription_update: { enabled: false },
        },
      },
    ]);
  });
});

describe('without a Stripe account of its own', () => {
  it('Tessera says that nobody can subscribe, and everything else goes on', async () => {
    const tenant = await newTenant();
    const bare = { ...env, STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
    const call = async (method: string, path: string, body?: object) => {
      const context = createExecutionContext();
      const response = await worker.fetch(
        new Request(`${ORIGIN}${path}`, {
          method,
          headers: { origin: ORIGIN, cookie: tenant.user.cookie, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        }),
        bare,
        context,
      );
      await waitOnExecutionContext(context);
      return { status: response.status, body: await response.json<Record<string, unknown>>() };
    };
    expect((await call('GET', `/api/orgs/${tenant.orgId}/billing`)).body).toMatchObject({
      isSetUp: false,
      plan: 'build',
    });
    const refused = await call('POST', `/api/orgs/${tenant.orgId}/checkout-session`, { plan: 'grow' });
    expect(refused.status).toBe(503);
    expect(refused.body.message).toMatch(/not available/);
    const fulfilment = { sessionId: 'cs_test_1' };
    expect((await call('POST', '/api/payments/checkout-session-fulfillment', fulfilment)).status).toBe(503);
    expect((await call('POST', '/api/webhooks/stripe-billing', {})).status).toBe(404);
    await runBillingSchedule(workContext(bare, Date.now));
  });
});

it('an upgrade bills nothing of what was used before it', async () => {
  const tenant = await newTenant();
  await seedUsage(tenant, 5_000);
  await recordCalls(tenant, 20);
  await subscribe(tenant);
  const row = await env.DB.prepare('SELECT billed_calls AS billed FROM organisation_billing WHERE org_id = ?')
    .bind(tenant.orgId)
    .first<{ billed: number }>();
  expect(row?.billed).toBe(5_020);
});

/** Calls without a session and with other bindings. */
async function bareCall(bindings: Env, path: string, body: object, address = '') {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(`${ORIGIN}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
      body: JSON.stringify(body),
    }) as never,
    bindings,
    context,
  );
  await waitOnExecutionContext(context);
  return { status: response.status, body: await response.json() };
}

/** Calls the console with other bindings, and returns the status. */
async function consoleCall(bindings: Env, tenant: Tenant, path: string, body: object): Promise<number> {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(`${ORIGIN}/api/orgs/${tenant.orgId}${path}`, {
      method: 'POST',
      headers: { origin: ORIGIN, cookie: tenant.user.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }) as never,
    bindings,
    context,
  );
  await waitOnExecutionContext(context);
  return response.status;
}
