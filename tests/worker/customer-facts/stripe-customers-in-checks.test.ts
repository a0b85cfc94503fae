import { beforeAll, describe, expect, it } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import {
  NOBODY,
  ofFiles,
  type PayingTenant,
  payingTenant,
  someAddress,
  withPlans,
} from '#tests/support/paying-tenants';
import { callCustomers } from '#tests/support/provisioning';
import { disconnectAccount, putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import type { TestedAccess } from '#worker/domains/access/tries/test-access';

let own: PayingTenant;
beforeAll(async () => {
  own = await payingTenant();
});

describe('a subscription', () => {
  it('grants its plan, by the id and by the email address, from the webhook response until it ends', async () => {
    const { id, email, put } = await own.someone();
    expect(await own.plansOf(id)).toEqual(withPlans());
    expect(await own.plansOf(email)).toEqual(withPlans());
    await put({ subscriptions: [subscribed('prod_plus')] });
    expect(await own.plansOf(id)).toEqual(withPlans('plus'));
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    await put({ subscriptions: [subscribed('prod_pro')] });
    expect(await own.plansOf(id)).toEqual(withPlans('pro'));
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await put({ subscriptions: [] });
    expect(await own.plansOf(id)).toEqual(withPlans());
    expect(await own.plansOf(email)).toEqual(withPlans());
  });

  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', true],
    ['incomplete', false],
    ['unpaid', false],
    ['paused', false],
    ['canceled', false],
    ['unknown', false],
  ] as const)('that is %s grants its plan: %s', async (status, isGranting) => {
    const { id } = await own.someone([subscribed('prod_pro', status)]);
    expect(await own.plansOf(id)).toEqual(isGranting ? withPlans('pro') : withPlans());
  });

  it('adds to other subscriptions and manual grants', async () => {
    const { id, email } = await own.someone([subscribed('prod_plus')]);
    await own.grant(email);
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(withPlans('pro', 'plus'));
    expect(propertyOf(answer, 'workspaces', 'seats')).toBe(50);
  });

  it('to a product that is linked to no plan grants nothing', async () => {
    const { id } = await own.someone([subscribed('prod_other')]);
    expect(await own.plansOf(id)).toEqual(withPlans());
  });

  it('names itself in explanations', async () => {
    const { email } = await own.someone([subscribed('prod_pro')]);
    const { explanation } = await check(own.secret, { userIdentifier: email }, { query: '?explain=1' });
    expect(explanation).toContainEqual(
      expect.objectContaining({
        property: 'seats',
        decidedBy: ['pro'],
        reason: "Set by the plan 'pro'. 'pro' comes with prod_pro of sub_pro.",
        candidates: [
          {
            plan: 'pro',
            value: 50,
            from: [
              {
                kind: 'subscription',
                integrationId: own.testAccount,
                productId: 'prod_pro',
                subscriptionId: 'sub_pro',
                status: 'active',
              },
            ],
          },
        ],
      }),
    );
  });

  it('leaves the validity of an answer at a minute', async () => {
    const { id } = await own.someone([subscribed('prod_plus')]);
    const { asOf, validUntil } = await check(own.secret, { userIdentifier: id });
    expect(validUntil - asOf).toBe(60_000);
  });
});

describe('a customer whose id the account chose', () => {
  it('is found by that id: in checks, before and after its first subscription, on its page and by search', async () => {
    const id = `user 42/${crypto.randomUUID().slice(0, 8)}`;
    const email = someAddress();
    expect(await own.plansOf(id)).toEqual(NOBODY);
    const someone = { integrationId: own.testAccount, id, email, name: 'Ada' };
    await putCustomer(own.tenant, { ...someone, subscriptions: [] });
    expect(await own.plansOf(id)).toEqual(withPlans());
    await putCustomer(own.tenant, { ...someone, subscriptions: [subscribed('prod_pro')] });
    expect(await own.plansOf(id)).toEqual(withPlans('pro'));
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    // A manual grant of the email is the customer's too.
    await own.grant(email, { planId: own.plusId });
    expect((await own.plansOf(id)).plans.toSorted()).toEqual(['plus', 'pro']);

    const page = await own.tenant.make<Customer>('GET', own.path(id));
    expect(page.linked).toEqual([expect.objectContaining({ id, email })]);
    const found = await own.tenant.make<CustomerList>('GET', `/customers?query=${encodeURIComponent(id)}`);
    expect(found.items).toMatchObject([
      { identifier: id, plans: [{ planId: own.proId }, { planId: own.plusId, isGranted: true }] },
    ]);
  });
});

describe('one id in two connected accounts', () => {
  it('is one customer with the plans of both, by the id and by either email, which is not ambiguous', async () => {
    const { id, email, put } = await own.someone();
    const other = { integrationId: own.liveAccount, id, email: someAddress(), livemode: true };
    await putCustomer(own.tenant, { ...other, subscriptions: [subscribed('prod_pro')] });
    for (const name of [id, email, other.email]) {
      const { customer, warnings } = await check(own.secret, { userIdentifier: name });
      expect([customer, warnings]).toEqual([withPlans('pro'), []]);
    }
    await put({ subscriptions: [subscribed('prod_plus', 'past_due')] });
    await own.grant(other.email, { planId: own.plusId });
    for (const name of [id, email, other.email])
      expect(await own.plansOf(name)).toEqual(withPlans('pro', 'plus'));
    // A live environment sees the live-mode customer only.
    expect((await own.plansOf(id, own.liveSecret)).plans.toSorted()).toEqual(['plus', 'pro']);
    const found = await own.tenant.make<CustomerList>('GET', `/customers?query=${id}`);
    expect(found.items).toMatchObject([{ identifier: id, isPastDue: true }]);
    expect(found.items[0]?.plans.map(({ planId }) => planId).toSorted()).toEqual(
      [own.plusId, own.proId].toSorted(),
    );
    await update(own.secret, ofFiles(other.email, { by: 2 }));
    await update(own.secret, ofFiles(id));
    const answer = await check(own.secret, { userIdentifier: email });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 3 });

    await putCustomer(own.tenant, { ...other, subscriptions: [] });
    await put({ subscriptions: [] });
    expect(await own.plansOf(id)).toEqual(withPlans('plus'));
  });
});

describe('a live environment', () => {
  it('counts live mode only; test and preview environments count both', async () => {
    const paying = [subscribed('prod_pro')];
    const inTest = await own.someone(paying);
    const inLive = await own.someone(paying, { integrationId: own.liveAccount, livemode: true });
    for (const { id, email } of [inTest, inLive]) {
      expect(await own.plansOf(id)).toEqual(withPlans('pro'));
      expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    }
    for (const name of [inLive.id, inLive.email])
      expect(await own.plansOf(name, own.liveSecret)).toEqual(withPlans('pro'));
    for (const name of [inTest.id, inTest.email])
      expect(await own.plansOf(name, own.liveSecret)).toEqual(NOBODY);
  });

  it('knows live-mode customers of an email only; others know those of both modes', async () => {
    const email = someAddress();
    await own.someone([subscribed('prod_pro')], { email });
    await own.someone([subscribed('prod_plus', 'canceled')], {
      email,
      integrationId: own.liveAccount,
      livemode: true,
    });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await own.plansOf(email, own.liveSecret)).toEqual(withPlans());
  });
});

describe('a manual grant or override', () => {
  it('for the email applies to the customer immediately, and the later of two overrides wins', async () => {
    const { id, email } = await own.someone();
    expect(await own.plansOf(id)).toEqual(withPlans());
    await own.grant(email);
    expect(await own.plansOf(id)).toEqual(withPlans('pro'));
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    const seats = async () =>
      propertyOf(await check(own.secret, { userIdentifier: id }), 'workspaces', 'seats');
    await own.override(id, own.seats.id, 7);
    expect(await seats()).toBe(7);
    await own.override(email, own.seats.id, 8);
    expect(await seats()).toBe(8);
    await own.override(email, own.seats.id, 9, { environmentId: own.previewId });
    await own.override(id, own.seats.id, 6);
    expect(await seats()).toBe(9);
  });

  it('for an email applies to the first customer that has it, and to no other', async () => {
    const email = someAddress();
    const older = await own.someone([], { email, createdAt: 1_000 });
    const newer = await own.someone([], { email, createdAt: 2_000 });
    await own.grant(email);
    expect(await own.plansOf(older.id)).toEqual(withPlans('pro'));
    expect(await own.plansOf(newer.id)).toEqual(withPlans());
  });

  it('for an email stays with the email when the customer gets a new one', async () => {
    const { id, email, put } = await own.someone();
    await own.grant(email);
    expect(await own.plansOf(id)).toEqual(withPlans('pro'));
    await put({ email: someAddress() });
    expect(await own.plansOf(id)).toEqual(withPlans());
    expect(await own.plansOf(email)).toEqual({ isCustomer: false, plans: ['pro'] });
  });
});

describe('a customer in test mode only', () => {
  it('gets the warning by its id also where a customer that was created by API has its email', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    const environments = await own.tenant.make<Environment[]>('GET', '/environments');
    const live = environments.find(({ type }) => type === 'live');
    const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
      ...{ environmentId: live?.id, type: 'secret', name: 'Live server', managesCustomers: true },
    });
    await eventually(async () =>
      expect((await callCustomers(key.value, 'PUT', '/ws-live', { email })).status).toBe(200),
    );
    const codesOf = async (userIdentifier: string) =>
      (await check(own.liveSecret, { userIdentifier })).warnings.map(({ code }) => code);
    expect(await codesOf(id)).toEqual(['customer-not-found', 'customer-in-other-mode']);
    for (const each of ['ws-live', email]) expect([each, await codesOf(each)]).toEqual([each, []]);
  });

  it('gets a warning in live environments by id and email, until they exist in live mode', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    const codesOf = async (userIdentifier: string, secret: string) =>
      (await check(secret, { userIdentifier })).warnings.map(({ code }) => code);
    expect(await codesOf(id, own.liveSecret)).toEqual(['customer-not-found', 'customer-in-other-mode']);
    expect(await codesOf(email, own.liveSecret)).toEqual(['customer-in-other-mode']);
    const other = await own.someone();
    expect((await update(own.liveSecret, ofFiles(other.email))).body.warnings).toMatchObject([
      { code: 'customer-in-other-mode' },
    ]);
    expect(await codesOf(email, own.secret)).toEqual([]);
    expect(await codesOf(someAddress(), own.liveSecret)).toEqual([]);
    const liveId = someCustomerId();
    await putCustomer(own.tenant, { integrationId: own.liveAccount, id: liveId, email, livemode: true });
    expect(await codesOf(email, own.liveSecret)).toEqual([]);
  });
});

describe("an id in Stripe's format that no account has", () => {
  it('gets a warning, and its usage can be counted', async () => {
    const id = someCustomerId();
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    const counted = await update(own.secret, ofFiles(id, { by: 3 }));
    expect(counted.status).toBe(200);
    expect(counted.body.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    await putCustomer(own.tenant, {
      integrationId: own.testAccount,
      id,
      subscriptions: [subscribed('prod_pro')],
    });
    const known = await check(own.secret, { userIdentifier: id });
    expect(known.warnings).toEqual([]);
    expect(propertyOf(known, 'workspaces', 'files')).toMatchObject({ used: 3 });
  });

  it('gets no warning without a connected account', async () => {
    const other = await customerTenant();
    expect((await check(other.secret, { userIdentifier: someCustomerId() })).warnings).toEqual([]);
  });
});

describe('a deleted integration', () => {
  it('has no effect after five seconds, even if the ledgers got no push, and another can replace it', async () => {
    const leaving = await payingTenant();
    const { tenant, secret, testAccount, liveAccount } = leaving;
    const [id, liveCustomer, email] = [someCustomerId(), someCustomerId(), someAddress()];
    const subscriptions = [subscribed('prod_pro')];
    await putCustomer(tenant, { integrationId: testAccount, id, email, subscriptions });
    const { id: grantId } = await leaving.grant(email, { planId: leaving.plusId });
    expect(await own.plansOf(id, secret)).toEqual(withPlans('pro', 'plus'));
    expect(await own.plansOf(email, secret)).toEqual(withPlans('pro', 'plus'));
    await putCustomer(tenant, {
      integrationId: liveAccount,
      id: liveCustomer,
      email,
      livemode: true,
      subscriptions: [],
    });
    expect(await own.plansOf(email, secret)).toEqual(withPlans('pro', 'plus'));
    await disconnectAccount(tenant, testAccount);
    await expect.poll(() => own.plansOf(id, secret)).toEqual(NOBODY);
    expect(await own.plansOf(email, secret)).toEqual(withPlans('plus'));
    expect(await own.plansOf(liveCustomer, secret)).toEqual(withPlans());
    await disconnectAccount(tenant, liveAccount);
    await expect.poll(() => own.plansOf(email, secret)).toEqual({ isCustomer: false, plans: ['plus'] });
    await tenant.make('DELETE', leaving.path(email, `/grants/${grantId}`));
    expect(await own.plansOf(email, secret)).toEqual(NOBODY);
  });
});

describe('the test check', () => {
  const test = (userIdentifier: string) =>
    own.tenant.make<TestedAccess>('POST', '/envs/preview/access-checks', {
      request: { userIdentifier },
      apiKeyType: 'secret',
    });

  it('shows the customer, its subscriptions, and the plans they grant', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro'), subscribed('prod_other', 'canceled')]);
    await own.grant(email, { planId: own.plusId });
    const { response, diagnostics } = await test(email);
    expect(response.customer).toEqual(withPlans('pro', 'plus'));
    expect(diagnostics.plans).toEqual(['pro', 'plus']);
    expect(diagnostics.planSources).toMatchObject([
      { plan: 'pro', from: [{ kind: 'subscription', productId: 'prod_pro', subscriptionId: 'sub_pro' }] },
      { plan: 'plus', from: [{ kind: 'grant' }] },
    ]);
    expect(diagnostics.storeData.customerData).toMatchObject({
      isCustomer: true,
      identifier: id,
      stripe: { id, email, integrationId: own.testAccount, testMode: true },
      subscriptions: [
        {
          id: 'sub_pro',
          status: 'active',
          isGranting: true,
          products: [{ id: 'prod_pro', name: 'Product prod_pro', plans: ['pro'] }],
        },
        {
          id: 'sub_other',
          status: 'canceled',
          isGranting: false,
          products: [{ id: 'prod_other', name: null, plans: [] }],
        },
      ],
    });
  });

  it('shows that an identifier unknown to Stripe is not a Stripe customer', async () => {
    const { response, diagnostics } = await test(someCustomerId());
    expect(diagnostics.storeData.customerData).toMatchObject({ isCustomer: false, stripe: null });
    expect(response.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
  });
});

describe('the console', () => {
  it('shows the customer behind an alias: its identity, subscriptions, and the plans they grant', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')], { name: 'Ada Lovelace' });
    const linked = {
      id,
      email,
      name: 'Ada Lovelace',
      testMode: true,
      integrationId: own.testAccount,
      subscriptions: [{ id: 'sub_pro', status: 'active', isGranting: true, products: [{ id: 'prod_pro' }] }],
    };
    for (const name of [id, email]) {
      expect((await own.tenant.make<Customer>('GET', own.path(name))).linked).toMatchObject([linked]);
      expect(await standingOf(name)).toMatchObject({
        identifier: id,
        plans: [
          {
            slug: 'pro',
            from: ['subscription'],
            subscriptions: [
              {
                subscriptionId: 'sub_pro',
                status: 'active',
                productId: 'prod_pro',
                productName: 'Product prod_pro',
              },
            ],
          },
        ],
      });
    }
  });

  it('shows what belongs to a customer through its email, and to no namesake', async () => {
    const { id, email } = await own.someone();
    const namesake = await own.someone([], { email });
    expect(await standingOf(id)).toMatchObject({ viaEmail: null });
    const grant = await own.grant(email);
    await own.override(email, own.seats.id, 8);
    await own.override(email, own.seats.id, 9, { environmentId: own.previewId });
    const { viaEmail } = await standingOf(id);
    expect(viaEmail).toMatchObject({ email, grants: [{ id: grant.id, planId: own.proId }] });
    expect(viaEmail?.overrides.map(({ value }) => value)).toEqual([9, 8]);
    expect((await own.tenant.make<Customer>('GET', own.path(id))).grants).toEqual([]);
    // The email's own page has them already, and other customers with the email do not have them.
    for (const name of [email, namesake.id]) expect(await standingOf(name)).toMatchObject({ viaEmail: null });
    // In live environments the email belongs to no customer of the test mode.
    const [live] = (await own.tenant.make<Environment[]>('GET', '/environments')).filter(
      ({ type }) => type === 'live',
    );
    const inLive = await own.tenant.make<CustomerEntitlements>(
      'GET',
      own.path(id, `/environments/${live?.id}`),
    );
    expect(inLive.viaEmail).toBeNull();
    // An entry is revoked where it was made.
    expect(await own.tenant.call('DELETE', own.path(email, `/grants/${grant.id}`))).toMatchObject({
      status: 204,
    });
    expect((await standingOf(id)).viaEmail?.grants).toEqual([]);
  });

  it('finds Stripe customers by id, email and words of the name, and not by a previous email', async () => {
    const { id, email, put } = await own.someone([], { name: 'Grace Hopper' });
    const find = async (query: string) =>
      (await own.tenant.make<CustomerList>('GET', `/customers?query=${encodeURIComponent(query)}`)).items;
    for (const query of [id.slice(0, 12), email.toUpperCase(), 'hopper'])
      expect(await find(query)).toContainEqual(expect.objectContaining({ identifier: id, email }));
    await put({ email: someAddress() });
    expect(await find(email)).toEqual([]);
    await own.grant(email);
    expect(await find(email)).toMatchObject([{ identifier: email, plans: [{ planId: own.proId }] }]);
    await put({ deletedAt: Date.now() });
    expect(await find(id)).toEqual([]);
  });

  it('corrects the meter of the customer by id and by alias', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await update(own.secret, ofFiles(id, { by: 10 }));
    await own.tenant.make('POST', own.path(email, '/corrections'), {
      environmentId: own.previewId,
      propertyId: own.files.id,
      by: -4,
      reason: 'Counted twice',
      idempotencyKey: `${id} once`,
    });
    const answer = await check(own.secret, { userIdentifier: id });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 6 });
  });
});

function standingOf(name: string): Promise<CustomerEntitlements> {
  return own.tenant.make('GET', own.path(name, `/environments/${own.previewId}`));
}
