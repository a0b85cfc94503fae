// What an integration's policy makes of subscriptions: in checks, explanations, the console and counts, in the same way.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Customer } from '#contracts/console/customers';
import type { PlanSummary } from '#contracts/console/plans';
import type { StoredSubscription, StripeIntegration } from '#contracts/console/stripe';
import { DEFAULT_POLICY, type SubscriptionPolicy } from '#contracts/console/subscription-policy';
import { DAY_MS } from '#engine/durations';
import { givingItems } from '#engine/entitlements/active-products';
import { subscriptionAccess } from '#engine/entitlements/subscription-access';
import { check } from '#tests/support/access-checks';
import { customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { type PayingTenant, payingTenant, withPlans } from '#tests/support/paying-tenants';
import { expectRefused } from '#tests/support/refusals';
import { auditRows } from '#tests/support/stored-state';
import { subscribed } from '#tests/support/stripe-customers';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: PayingTenant;
let path: string;
beforeAll(async () => {
  own = await payingTenant();
  path = `/integrations/stripe/${own.testAccount}`;
});

async function setPolicy(policy: Partial<SubscriptionPolicy>): Promise<StripeIntegration> {
  const saved = await own.tenant.make<StripeIntegration>('PUT', path, {
    subscriptionPolicy: { ...DEFAULT_POLICY, ...policy },
  });
  await publishAll(own.tenant);
  return saved;
}

const pastDue = (pastDueAt: number): StoredSubscription => ({
  ...subscribed('prod_pro', 'past_due'),
  pastDueAt,
});

const itemOf = (productId: string, quantity: number) => ({
  productId,
  ...{ priceId: `price_${quantity}`, quantity, periodStartAt: null, periodEndAt: null },
});

test('the policy is shown, saved with an audit entry, and its limits hold', async () => {
  const before = await own.tenant.make<StripeIntegration>('GET', path);
  expect(before.subscriptionPolicy).toEqual(DEFAULT_POLICY);
  expect((await setPolicy({ pastDueDays: 7 })).subscriptionPolicy).toEqual({
    ...DEFAULT_POLICY,
    pastDueDays: 7,
  });
  expect(await auditRows(own.tenant)).toContainEqual({
    action: 'stripe-integration.updated',
    actorUserId: own.tenant.user.userId,
    targetId: own.testAccount,
    detail: { changes: [{ field: 'pastDueDays', from: null, to: 7 }] },
  });
  for (const [pastDueDays, message] of [
    [-1, 'Must be at least 0'],
    [366, 'Must be at most 365 days'],
    [1.5, 'Must be a whole number of days'],
  ] as const) {
    const refused = await expectRefused(own.tenant, 400, 'PUT', path, {
      subscriptionPolicy: { ...DEFAULT_POLICY, pastDueDays },
    });
    expect(refused).toEqual([`subscriptionPolicy.pastDueDays: ${message}`]);
  }
  expect((await setPolicy({})).subscriptionPolicy).toEqual(DEFAULT_POLICY);
});

test('access ends at its instant without a sync, in answers that were cached before', async () => {
  await setPolicy({ pastDueDays: 1 });
  const end = Date.now() + 4000;
  const { id, email } = await own.someone([pastDue(end - DAY_MS)]);
  await eventually(async () => {
    const { customer, validUntil, asOf } = await check(own.secret, { userIdentifier: id });
    expect(customer).toEqual(withPlans('pro'));
    expect(validUntil).toBe(end);
    expect(asOf).toBeLessThan(end);
  });
  expect(await own.plansOf(email)).toEqual(withPlans('pro'));
  await new Promise((resolve) => setTimeout(resolve, end - Date.now() + 5));
  expect(await own.plansOf(id)).toEqual(withPlans());
  expect(await own.plansOf(email)).toEqual(withPlans());
  await setPolicy({});
  await eventually(async () => expect(await own.plansOf(id)).toEqual(withPlans('pro')));
});

test('the check, its explanation and the customer page say why', async () => {
  const { name } = await setPolicy({ pastDueDays: 7 });
  const { id } = await own.someone([pastDue(Date.UTC(2026, 10, 3))]);
  const reason = `past due since 3 Nov 2026; ${name} kept access for 7 days: until 10 Nov 2026`;
  await eventually(async () => {
    const answer = await check(
      own.secret,
      { userIdentifier: id, include: ['subscriptions'] },
      { query: '?explain=1' },
    );
    expect(answer.customer.subscriptions).toMatchObject([{ isGranting: false, accessEndsAt: null, reason }]);
    const seats = answer.explanation?.find(({ property }) => property === 'seats');
    expect(seats?.reason).toBe(
      `No plan sets this property, so its default applies. 'pro' of sub_pro does not count: ${reason}.`,
    );
  });
  const { linked } = await own.tenant.make<Customer>('GET', own.path(id));
  expect(linked[0]?.subscriptions).toMatchObject([{ isGranting: false, reason }]);
});

test('a renamed integration is named in explanations', async () => {
  await setPolicy({ pastDueDays: 0 });
  const { id } = await own.someone([pastDue(Date.UTC(2026, 10, 3))]);
  await own.tenant.make('PUT', path, { name: 'Acme’s Stripe' });
  await publishAll(own.tenant);
  await eventually(async () => {
    const { customer } = await check(own.secret, { userIdentifier: id, include: ['subscriptions'] });
    expect(customer.subscriptions?.[0]?.reason).toBe(
      'past due since 3 Nov 2026; Acme’s Stripe ends access at once',
    );
  });
});

test('checks, the list of customers and the counts of plans agree for every state and policy', async () => {
  const subscriptions: StoredSubscription[] = [];
  for (const status of ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled'] as const) {
    for (const pauseCollection of [
      null,
      { behavior: 'void', resumesAt: null },
      { behavior: 'void', resumesAt: 1 },
    ]) {
      const basis = { ...subscribed('prod_plus', status), pauseCollection };
      subscriptions.push(basis);
      if (status === 'trialing') subscriptions.push({ ...basis, lacksPaymentMethod: true });
      if (status !== 'past_due') continue;
      subscriptions.push(
        { ...basis, pastDueAt: Date.now() - 2 * DAY_MS },
        { ...basis, pastDueAt: Date.now() },
      );
    }
  }
  // An item of quantity 0 gives nothing, beside one of another product neither.
  const none = itemOf('prod_plus', 0);
  subscriptions.push({ ...subscribed('prod_plus'), items: [none] });
  subscriptions.push({ ...subscribed('prod_plus'), items: [none, itemOf('prod_other', 2)] });
  subscriptions.push({ ...subscribed('prod_plus'), items: [none, itemOf('prod_plus', 2)] });
  const customers: { id: string; subscription: StoredSubscription }[] = [];
  for (const subscription of subscriptions) {
    customers.push({ id: (await own.someone([subscription])).id, subscription });
  }
  for (const policy of [
    {},
    { pastDueDays: 0 },
    { pastDueDays: 1, keepsUnpaid: true },
    { pastDueDays: 3, keepsPaused: false },
    { keepsPaused: false, grantsCardlessTrials: false },
  ]) {
    const { name, subscriptionPolicy } = await setPolicy(policy);
    const isGranting = (subscription: StoredSubscription) =>
      subscriptionAccess(subscription, { ...subscriptionPolicy, name }, Date.now()).isGranting &&
      givingItems(subscription).some(({ productId }) => productId === 'prod_plus');
    const paying = customers.filter(({ subscription }) => isGranting(subscription)).map(({ id }) => id);
    await eventually(async () => {
      const checked = await Promise.all(
        customers.map(async ({ id }) => (await own.plansOf(id)).plans.length > 0),
      );
      expect(customers.filter((_, index) => checked[index]).map(({ id }) => id)).toEqual(paying);
    });
    const summaries = await own.tenant.make<PlanSummary[]>('GET', '/plan-summaries');
    expect(summaries.find(({ planId }) => planId === own.plusId)?.customerCount).toBe(paying.length);
    const listed: string[] = [];
    for (const { id } of customers) {
      const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${id}`);
      if (items[0]!.plans.length > 0) listed.push(id);
    }
    expect(listed).toEqual(paying);
  }
});

test('past due is dated once, whatever is read afterwards, and again after it was paid', async () => {
  const { tenant, plusId, secret } = await customerTenant();
  const connected = await connectedTenant({ tenant });
  const { account, integration } = connected;
  const { stripe } = account;
  const { priceId } = (await connected.sell({ Plus: plusId })).Plus;
  await publishAll(tenant);
  const { id } = await stripe.customers.create();
  const subscription = await stripe.subscriptions.create({ customer: id, items: [{ price: priceId }] });
  const datedAt = async () => {
    const row = await env.DB.prepare(
      "SELECT subscriptions ->> '$[0].pastDueAt' AS at FROM stripe_customer WHERE integration_id = ? AND id = ?",
    )
      .bind(integration.id, id)
      .first<{ at: number | null }>();
    return row?.at ?? null;
  };
  await connected.deliver();
  expect(await datedAt()).toBeNull();
  const begin = Date.now();
  await account.changeSubscription(subscription.id, 'fail-payment');
  await connected.deliver();
  const first = await datedAt();
  expect(first).toBeGreaterThanOrEqual(begin);
  await stripe.customers.update(id, { name: 'Ada' });
  await connected.deliver();
  expect(await connected.sync()).toMatchObject({ status: 'finished' });
  expect(await datedAt()).toBe(first);
  await tenant.make('PUT', connected.path, { subscriptionPolicy: { ...DEFAULT_POLICY, pastDueDays: 0 } });
  await publishAll(tenant);
  await eventually(async () => {
    const { customer } = await check(secret, { userIdentifier: id });
    expect(customer).toEqual({ isCustomer: true, plans: [] });
  });
  await account.changeSubscription(subscription.id, 'pay');
  await connected.deliver();
  expect(await datedAt()).toBeNull();
  expect((await check(secret, { userIdentifier: id })).customer.plans).toEqual(['plus']);
});
