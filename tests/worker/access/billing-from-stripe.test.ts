// What customers of other services complain of in billing periods, driven from Stripe alone and read by the API alone.
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import { billingWindow } from '#engine/metering/billing-window';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { expectRefused } from '#tests/support/refusals';
import { auditRows } from '#tests/support/stored-state';
import { type SellingTenant, sellingTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

const DAY = 86_400;
const FILES = { feature: 'workspaces', property: 'files' };
const TRIAL_LIMIT = 1;
let own: SellingTenant;
let yearly: string;

const monthly = (limit: number, trialLimit?: number) => ({
  state: 'metered',
  meter: {
    ...{ limit, periodType: 'billing', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
    ...(trialLimit !== undefined && { trialLimit }),
  },
});

/** The plan gives that many files in each billing month. */
async function sellFiles(planId: string, value: object, version: number): Promise<void> {
  const { tenant, files } = own;
  const features = await tenant.make<{ id: string; slug: string }[]>('GET', '/features');
  const { id } = features.find(({ slug }) => slug === 'workspaces')!;
  await tenant.make('PUT', `/plans/${planId}/versions/${version}`, {
    properties: { [id]: [{ id: files.id, type: 'meterable', value }] },
  });
}

beforeAll(async () => {
  own = await sellingTenant();
  const { connected, pro } = own;
  const price = { product: pro.productId, currency: 'gbp', unit_amount: 18_000 };
  yearly = (await connected.account.stripe.prices.create({ ...price, recurring: { interval: 'year' } })).id;
  await sellFiles(own.proId, monthly(5, TRIAL_LIMIT), 2);
  await sellFiles(own.plusId, monthly(3), 2);
  await own.tenant.make('POST', '/artifacts', {});
  await publishAll(own.tenant);
  const { id } = await subscriber(own.plus.priceId, nowInSeconds() - DAY);
  await eventually(async () => expect(await filesOf(id)).toMatchObject({ periodType: 'billing', limit: 3 }));
});

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const filesOf = async (userIdentifier: string) =>
  propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
const count = (userIdentifier: string, more: object = {}) =>
  update(own.secret, { userIdentifier, ...FILES, ...more });
const minuteOf = (seconds: number) => Math.floor(seconds / 60) * 60_000;

/** Somebody who has subscribed at an instant of the past, and paid since. */
async function subscriber(price: string, since: number, fields: object = {}) {
  const { stripe } = own.connected.account;
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: since });
  const { id, email } = await stripe.customers.create({
    email: `${crypto.randomUUID()}@tests.example`,
    test_clock: clock.id,
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  });
  const subscription = await stripe.subscriptions.create({ customer: id, items: [{ price }], ...fields });
  // A clock advances by two months at most.
  for (let at = since; at < nowInSeconds(); ) {
    at = Math.min(at + 40 * DAY, nowInSeconds());
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: at });
    await eventually(async () =>
      expect((await stripe.testHelpers.testClocks.retrieve(clock.id)).status).toBe('ready'),
    );
  }
  await own.connected.deliver();
  const read = () => stripe.subscriptions.retrieve(subscription.id);
  const change = async (fields: object) => {
    await stripe.subscriptions.update(subscription.id, fields);
    await own.connected.deliver();
  };
  const [item] = subscription.items.data;
  return { id, email: email!, itemId: item!.id, read, change };
}

/** The last 31st of a month that lies two months back at least. */
function late31st(): number {
  const date = new Date();
  for (let back = 2; ; back++) {
    const at = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 31, 10, 7));
    if (at.getUTCDate() === 31) return at.getTime() / 1000;
  }
}

describe('billing periods', () => {
  it('an anchor of the 31st does not drift: the period ends when Stripe’s does', async () => {
    const { id, read } = await subscriber(own.pro.priceId, late31st());
    const { billing_cycle_anchor: anchor, items } = await read();
    expect(new Date(anchor * 1000).getUTCDate()).toBe(31);
    expect(await filesOf(id)).toMatchObject({ resetsAt: minuteOf(items.data[0]!.current_period_end) });
  });

  it('a subscription has one quota, of its own months, whatever the customer is called', async () => {
    const { id, email, read } = await subscriber(own.plus.priceId, nowInSeconds() - 40 * DAY);
    const resetsAt = minuteOf((await read()).items.data[0]!.current_period_end);
    await count(email, { by: 2, enforce: true });
    await count(id, { by: 1, enforce: true });
    for (const name of [id, email])
      expect(await filesOf(name)).toMatchObject({ limit: 3, used: 3, remaining: 0, resetsAt });
    expect((await count(email, { enforce: true })).body).toMatchObject({ accepted: false });
  });

  it('a yearly plan gives a month’s quota each month, which resets after the month', async () => {
    const since = nowInSeconds() - 70 * DAY;
    const { id, read } = await subscriber(yearly, since);
    expect((await read()).items.data[0]!.current_period_end).toBeGreaterThan(since + 360 * DAY);
    const { limit, resetsAt } = (await filesOf(id)) as { limit: number; resetsAt: number };
    expect(limit).toBe(5);
    expect(resetsAt).toBeLessThanOrEqual(Date.now() + 31 * DAY * 1000);
    expect(new Date(resetsAt).getUTCHours()).toBe(new Date(since * 1000).getUTCHours());
  });

  it('restarting the cycle gives a fresh quota, from the moment that Stripe says', async () => {
    const { id, read, change } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    const earlier = new Date(Date.now() - 600_000).toISOString();
    await count(id, { by: 3, occurredAt: earlier });
    expect(await filesOf(id)).toMatchObject({ used: 3, allowed: false });
    await change({ billing_cycle_anchor: 'now' });
    const { billing_cycle_anchor: anchor, items } = await read();
    expect(anchor).toBeGreaterThan(nowInSeconds() - 600);
    await expect
      .poll(() => filesOf(id))
      .toMatchObject({ used: 0, allowed: true, resetsAt: minuteOf(items.data[0]!.current_period_end) });
  });

  it('what was bought is left when the quota begins anew, and when the plan changes', async () => {
    const { id, itemId, change } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    await putBalances(own, id, { amount: 10 });
    await filesOf(id);
    await count(id, { by: 7, enforce: true, occurredAt: new Date(Date.now() - 600_000).toISOString() });
    expect(await filesOf(id)).toMatchObject({ limit: 13, used: 7, remaining: 6 });
    await change({ billing_cycle_anchor: 'now' });
    await expect.poll(() => filesOf(id)).toMatchObject({ limit: 13, used: 4, remaining: 9 });
    await change({ items: [{ id: itemId, price: own.pro.priceId }] });
    await expect.poll(() => filesOf(id)).toMatchObject({ limit: 15, used: 4, remaining: 11 });
  });

  it('an upgrade in mid-period keeps what was used, and the period', async () => {
    const { id, itemId, change } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    await count(id, { by: 3 });
    const { resetsAt } = (await filesOf(id)) as { resetsAt: number };
    await change({ items: [{ id: itemId, price: own.pro.priceId }] });
    await expect.poll(() => filesOf(id)).toMatchObject({ limit: 5, used: 3, remaining: 2, resetsAt });
  });

  it('where the account says so, a change of plan or quantity begins a new period, once', async () => {
    const { tenant, connected } = own;
    const { id, itemId, change } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    const save = async (onPlanChange: 'carry' | 'restart') => {
      await tenant.make('PUT', connected.path, { subscriptionPolicy: { ...DEFAULT_POLICY, onPlanChange } });
      await publishAll(tenant);
    };
    await count(id, { by: 3, occurredAt: new Date(Date.now() - 600_000).toISOString() });
    const { resetsAt: former } = (await filesOf(id)) as { resetsAt: number };
    await save('restart');
    try {
      expect(await filesOf(id)).toMatchObject({ used: 3, resetsAt: former });
      const before = Date.now();
      await change({ items: [{ id: itemId, price: own.pro.priceId }] });
      await eventually(async () => expect(await filesOf(id)).toMatchObject({ limit: 5, used: 0 }));
      const { resetsAt } = (await filesOf(id)) as { resetsAt: number };
      const { startsAt } = billingWindow(resetsAt, 1, resetsAt - 1);
      expect(startsAt).toBeGreaterThan(before - 4 * DAY * 1000);
      expect(resetsAt).not.toBe(former);
      // What is read again, or changes otherwise, is no change of the plan.
      await change({ metadata: { note: 'Renewed by phone' }, cancel_at_period_end: true });
      await eventually(async () =>
        expect(await connected.read()).toMatchObject({ subscriptionPolicy: { onPlanChange: 'restart' } }),
      );
      expect(await filesOf(id)).toMatchObject({ used: 0, resetsAt });
    } finally {
      await save('carry');
    }
    expect((await connected.read()).subscriptionPolicy).toEqual(DEFAULT_POLICY);
    const changes = (await auditRows(tenant)).map(({ detail }) => detail);
    for (const [from, to] of [
      ['carry', 'restart'],
      ['restart', 'carry'],
    ])
      expect(changes).toContainEqual({ changes: [{ field: 'onPlanChange', from, to }] });
    await eventually(async () => expect(await filesOf(id)).toMatchObject({ used: 3, resetsAt: former }));
  });

  it('where the account says so, each limit counts for its share of a period in which the plan changed', async () => {
    const { tenant, connected } = own;
    const { id, email, itemId, change } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    await count(id, { by: 1 });
    const { resetsAt } = (await filesOf(id)) as { resetsAt: number };
    const save = async (onPlanChange: 'carry' | 'proportional') => {
      await tenant.make('PUT', connected.path, { subscriptionPolicy: { ...DEFAULT_POLICY, onPlanChange } });
      await publishAll(tenant);
    };
    await save('proportional');
    try {
      await change({ items: [{ id: itemId, price: own.pro.priceId }] });
      // Of 3 files for 20 days and 5 for the other 8 to 11, a part of one is a whole one.
      for (const name of [id, email])
        await eventually(async () =>
          expect(await filesOf(name)).toMatchObject({ limit: 4, used: 1, remaining: 3, resetsAt }),
        );
      await change({ metadata: { note: 'Renewed by phone' } });
      expect(await filesOf(id)).toMatchObject({ limit: 4, resetsAt });
      const { explanation } = await check(own.secret, { userIdentifier: id }, { query: '?explain=1' });
      expect(explanation?.find(({ property }) => property === 'files')).toMatchObject({
        decidedBy: ['pro'],
        reason: expect.stringMatching(/is made of 3 until .*, 5 from then on, each for its share\./),
      });
      expect((await count(id, { by: 4, enforce: true })).body).toMatchObject({ accepted: false });
      expect((await count(id, { by: 3, enforce: true })).body).toMatchObject({ accepted: true });
      await change({ items: [{ id: itemId, price: own.pro.priceId, quantity: 2 }] });
      await change({ billing_cycle_anchor: 'now' });
      // The anchor has moved: a fresh and whole quota.
      await eventually(async () => expect(await filesOf(id)).toMatchObject({ limit: 5 }));
    } finally {
      await save('carry');
    }
  });

  it('where the account says so, who cancels and subscribes again within days goes on in the period of before', async () => {
    const { tenant, connected } = own;
    const { stripe } = connected.account;
    const { id, email, read } = await subscriber(own.plus.priceId, nowInSeconds() - 20 * DAY);
    const former = (await read()).id;
    await count(id, { by: 2 });
    const { resetsAt } = (await filesOf(id)) as { resetsAt: number };
    await stripe.subscriptions.cancel(former);
    await connected.deliver();
    await eventually(async () => expect(await filesOf(id)).not.toMatchObject({ limit: 3 }));
    await stripe.subscriptions.create({ customer: id, items: [{ price: own.pro.priceId }] });
    await connected.deliver();
    const fresh = billingWindow(Date.now(), 1, Date.now()).resetsAt;
    await eventually(async () => expect(await filesOf(id)).toMatchObject({ limit: 5 }));
    // By default it has a period of its own.
    expect(((await filesOf(id)) as { resetsAt: number }).resetsAt).toBeGreaterThan(fresh - DAY * 1000);

    const save = async (minDaysBetweenResets: number) => {
      const subscriptionPolicy = { ...DEFAULT_POLICY, minDaysBetweenResets };
      await tenant.make('PUT', connected.path, { subscriptionPolicy });
      await publishAll(tenant);
    };
    await save(28);
    try {
      for (const name of [id, email])
        await eventually(async () =>
          expect(await filesOf(name)).toMatchObject({ limit: 5, used: 2, remaining: 3, resetsAt }),
        );
      const { explanation } = await check(own.secret, { userIdentifier: id }, { query: '?explain=1' });
      expect(explanation?.find(({ property }) => property === 'files')).toMatchObject({
        anchoredBy: former,
        reason: expect.stringContaining(`The period of ${former}, which has ended, goes on.`),
      });
      // It began 20 days ago.
      await save(20);
      await eventually(async () =>
        expect(((await filesOf(id)) as { resetsAt: number }).resetsAt).toBeGreaterThan(fresh - DAY * 1000),
      );
    } finally {
      await save(0);
    }
    expect((await connected.read()).subscriptionPolicy).toEqual(DEFAULT_POLICY);
  });

  it.each([-1, 1.5, 366, '7'])(
    '%s days between beginnings of periods are refused',
    async (minDaysBetweenResets) => {
      const body = { subscriptionPolicy: { ...DEFAULT_POLICY, minDaysBetweenResets } };
      const [issue] = await expectRefused(own.tenant, 400, 'PUT', own.connected.path, body);
      expect(issue).toMatch(/^subscriptionPolicy\.minDaysBetweenResets: /);
    },
  );

  it('a trial has its own limit for all of it, and the full quota once it is over', async () => {
    const since = nowInSeconds() - 20 * DAY;
    const { id, read, change } = await subscriber(own.pro.priceId, since, { trial_period_days: 60 });
    const { trial_end: trialEnd, status } = await read();
    expect(status).toBe('trialing');
    const inTrial = { limit: TRIAL_LIMIT, resetsAt: minuteOf(trialEnd!) };
    expect(await filesOf(id)).toMatchObject({ ...inTrial, used: 0 });
    await count(id, { enforce: true, occurredAt: new Date(Date.now() - 600_000).toISOString() });
    expect((await count(id, { enforce: true })).body).toMatchObject({ accepted: false });
    const { explanation } = await check(own.secret, { userIdentifier: id }, { query: '?explain=1' });
    expect(explanation?.find(({ property }) => property === 'files')).toMatchObject({
      value: monthly(TRIAL_LIMIT),
      decidedBy: ['pro'],
      anchoredBy: (await read()).id,
    });
    await change({ trial_end: 'now' });
    await expect.poll(() => filesOf(id)).toMatchObject({ limit: 5, used: 0, allowed: true });
  });

  it('a limit of trials is a plan’s, of a billing period', async () => {
    const { tenant, files, path } = own;
    const why = { environmentId: null, reason: 'A pilot customer', until: null, propertyId: files.id };
    const overridden = { ...why, value: monthly(5, 1) };
    expect(await expectRefused(tenant, 400, 'PUT', path('ada', '/overrides'), overridden)).toEqual([
      'value.meter.trialLimit: Only plans have a limit in a trial',
    ]);
    const { meter } = monthly(5, 1);
    const rolling = { state: 'metered', meter: { ...meter, periodType: 'rolling' } };
    const features = await tenant.make<{ id: string; slug: string }[]>('GET', '/features');
    const { id } = features.find(({ slug }) => slug === 'workspaces')!;
    const properties = { [id]: [{ id: files.id, type: 'meterable', value: rolling }] };
    expect(await expectRefused(tenant, 400, 'PUT', `/plans/${own.proId}/versions/3`, { properties })).toEqual(
      [`properties.${id}.0.value.meter.trialLimit: Only a limit of a billing period has one`],
    );
  });
});
