// The webhook of the platform's own Stripe account: what its events do to organisations' plans.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAST_DUE_DAYS } from '#engine/usage/granting-period';
import { newStaff } from '#tests/support/accounts';
import {
  actionsOf,
  billingOf,
  eventsOf,
  fulfil,
  openCheckout,
  pay,
  postEvent,
  retentionOf,
  subscribe,
  workOff,
} from '#tests/support/billing';
import { expectConsole } from '#tests/support/expect-console';
import { runBillingSchedule } from '#tests/support/schedules';
import { newStripeAccount, platformStripeAccount, type StripeAccount } from '#tests/support/stripe';
import { newTenant, outboxMessages } from '#tests/support/tenants';
import { syncSubscription } from '#worker/domains/billing/sync-subscription';
import { workContext } from '#worker/http/make-work-context';

let platform: StripeAccount;

beforeAll(async () => {
  platform = await platformStripeAccount();
});

const HOUR_MS = 3_600_000;

describe('the webhook', () => {
  it('puts a checkout into force before anybody comes back from it', async () => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    const [completed] = await eventsOf(sessionId);
    expect(completed?.type).toBe('checkout.session.completed');
    expect((await postEvent(completed ?? {})).status).toBe(200);
    await expect.poll(async () => (await billingOf(tenant)).plan).toBe('grow');
    expect((await fulfil(sessionId)).body).toEqual({ success: true, orgId: tenant.orgId });
    expect(await actionsOf(tenant)).toEqual(['billing.checkout-opened', 'billing.plan-changed']);
  });

  it('follows the subscription through past due, unpaid, and its end', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'fail-payment');
    await postLast(subscriptionId);
    await expect
      .poll(() => billingOf(tenant))
      .toMatchObject({
        plan: 'grow',
        subscription: { status: 'past_due' },
      });

    await platform.changeSubscription(subscriptionId, 'mark-unpaid');
    await postLast(subscriptionId);
    await expect
      .poll(() => billingOf(tenant))
      .toMatchObject({
        plan: 'build',
        subscription: { status: 'unpaid' },
        usage: { allowance: 100_000 },
      });
    expect((await tenant.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(409);

    await platform.changeSubscription(subscriptionId, 'pay');
    await postLast(subscriptionId);
    await expect.poll(() => billingOf(tenant)).toMatchObject({ plan: 'grow' });

    await platform.changeSubscription(subscriptionId, 'cancel');
    await postLast(subscriptionId);
    await expect.poll(() => billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
    await workOff(tenant);
    expect(await retentionOf(tenant)).toBe('7');
    expect(await tenant.make('GET', '/summary')).toMatchObject({
      plan: 'build',
      hasCustomerId: true,
      visibleTotalMonthlyRequestLimit: 100_000,
    });
    await subscribe(tenant);
  });

  it('shows that a subscription ends with its period, and that it goes on after all', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'cancel-at-period-end');
    await postLast(subscriptionId);
    await expect
      .poll(() => billingOf(tenant))
      .toMatchObject({
        plan: 'grow',
        subscription: { status: 'active', cancelAtPeriodEnd: true },
      });
    await platform.changeSubscription(subscriptionId, 'resume');
    await postLast(subscriptionId);
    await expect
      .poll(() => billingOf(tenant))
      .toMatchObject({
        plan: 'grow',
        subscription: { cancelAtPeriodEnd: false },
      });
  });

  it('in whatever order events come, twice and all at once, ends with what Stripe says', async () => {
    const tenant = await newTenant();
    const { sessionId, subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'fail-payment');
    await platform.changeSubscription(subscriptionId, 'pay');
    await platform.changeSubscription(subscriptionId, 'cancel');
    const events = [...(await eventsOf(subscriptionId)), ...(await eventsOf(sessionId))];
    expect(events.length).toBeGreaterThan(4);
    for (const event of events.reverse()) expect((await postEvent(event)).status).toBe(200);
    await Promise.all(events.map((event) => postEvent(event)));
    await workOff(tenant);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
    expect((await fulfil(sessionId)).body).toEqual({ success: false, orgId: tenant.orgId });
    expect(await actionsOf(tenant)).toEqual([
      'billing.checkout-opened',
      'billing.plan-changed',
      'billing.plan-changed',
    ]);
    const { results } = await env.DB.prepare(
      "SELECT id FROM stripe_event WHERE integration_id = 'billing' AND object_id IN (?, ?) AND done_at IS NOT NULL",
    )
      .bind(subscriptionId, sessionId)
      .all();
    expect(results).toHaveLength(events.length);
  });

  it.for([
    ['active', 'grow'],
    ['incomplete', 'build'],
  ] as const)(
    'a checkout by bank debit gives Grow as soon as the subscription is active: %s, so %s before the bank answers',
    async ([whileProcessing, before]) => {
      await platform.change({ whileProcessing });
      const tenant = await newTenant();
      const { url, sessionId } = await openCheckout(tenant);
      await pay(url, 'bacs_debit');
      const isGrow = before === 'grow';
      expect((await fulfil(sessionId)).body).toEqual({ success: isGrow, orgId: tenant.orgId });
      expect(await billingOf(tenant)).toMatchObject({
        plan: before,
        subscription: { status: whileProcessing },
      });
      // Nobody buys a second subscription while the bank has the payment of the first one.
      expect((await tenant.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(409);
      const { customer } = await platform.stripe.checkout.sessions.retrieve(sessionId);
      const { data } = await platform.stripe.paymentIntents.list({ customer: String(customer) });
      await platform.answerPayment(data[0]?.id ?? '', 'succeed');
      const settled = (await eventsOf(sessionId)).at(-1);
      expect(settled?.type).toBe('checkout.session.async_payment_succeeded');
      expect((await postEvent(settled ?? {})).status).toBe(200);
      await expect
        .poll(() => billingOf(tenant))
        .toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
      await platform.change({ whileProcessing: 'active' });
    },
  );

  it('a one-time payment changes no plan, whatever its metadata says', async () => {
    const tenant = await newTenant();
    const { stripe } = platform;
    const { default_price } = await stripe.products.create({
      name: 'Mug',
      default_price_data: { currency: 'gbp', unit_amount: 1200 },
    });
    const { id, url } = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example',
      line_items: [{ price: String(default_price), quantity: 1 }],
      client_reference_id: tenant.orgId,
      customer_email: tenant.user.email,
      metadata: { orgId: tenant.orgId, plan: 'grow' },
    });
    await fetch(`${url}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ email: tenant.user.email }),
      redirect: 'manual',
    });
    const [completed] = await eventsOf(id);
    expect(completed?.data.object).toMatchObject({ payment_status: 'paid' });
    expect((await postEvent(completed ?? {})).status).toBe(200);
    await expect
      .poll(async () => {
        const found = env.DB.prepare('SELECT done_at AS at FROM stripe_event WHERE id = ?').bind(
          completed?.id,
        );
        return (await found.first<{ at: number | null }>())?.at;
      })
      .toBeTypeOf('number');
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: null });
    expect(await actionsOf(tenant)).toEqual([]);
  });

  it('that is lost does not matter: a paid checkout is found by the schedule', async () => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    const unpaid = await newTenant();
    const { sessionId: openId } = await openCheckout(unpaid);
    await pay(url);
    const settledAt = async (id: string) =>
      (
        await env.DB.prepare('SELECT settled_at AS at FROM checkout_session WHERE id = ?')
          .bind(id)
          .first<{ at: number | null }>()
      )?.at;
    const minutesLater = (minutes: number) =>
      runBillingSchedule(workContext(env, () => Date.now() + minutes * 60_000));
    await minutesLater(0);
    expect((await billingOf(tenant)).plan).toBe('build');
    await minutesLater(2);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
    expect(await settledAt(sessionId)).toBeTypeOf('number');
    expect(await settledAt(openId)).toBeNull();
    await platform.stripe.checkout.sessions.expire(openId);
    await minutesLater(8);
    expect(await settledAt(openId)).toBeTypeOf('number');
    expect((await billingOf(unpaid)).plan).toBe('build');
  });

  it('that is lost does not matter: subscriptions of any status are followed, and Upgrade asks Stripe first', async () => {
    const [followed, asked] = [await newTenant(), await newTenant()];
    for (const tenant of [followed, asked]) {
      const { subscriptionId } = await subscribe(tenant);
      await platform.changeSubscription(subscriptionId, 'mark-unpaid');
      await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
      expect((await billingOf(tenant)).plan).toBe('build');
      // Paid in the portal, and the webhook is lost.
      await platform.changeSubscription(subscriptionId, 'pay');
    }
    const refused = await asked.call<{ message: string }>('POST', '/checkout-session', { plan: 'grow' });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/on the Grow plan/)]);
    expect((await billingOf(asked)).plan).toBe('grow');
    await env.DB.prepare('UPDATE organisation_billing SET followed_at = NULL WHERE org_id = ?')
      .bind(followed.orgId)
      .run();
    await runBillingSchedule(workContext(env, Date.now));
    expect((await billingOf(followed)).plan).toBe('grow');
  });

  it('of a subscription that staff have detached does not keep the organisation from upgrading', async () => {
    const [tenant, staff] = [await newTenant(), await newStaff()];
    const { subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'mark-unpaid');
    await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
    const detach = (json: object) => staff.fetch(`/api/sudo/orgs/${tenant.orgId}`, { method: 'PUT', json });
    expect((await detach({ activeStripeSubscriptionId: subscriptionId })).status).toBe(200);
    expect(await billingOf(tenant)).toMatchObject({ subscription: { status: 'unpaid' } });
    const detached = { activeStripeCustomerId: null, activeStripeSubscriptionId: null };
    expect((await detach({ ...detached, updatedAt: 1 })).status).toBe(409);
    expect(await billingOf(tenant)).toMatchObject({ subscription: { status: 'unpaid' } });
    expect((await detach(detached)).status).toBe(200);
    const stored = () =>
      env.DB.prepare('SELECT subscription_status AS status FROM organisation_billing WHERE org_id = ?')
        .bind(tenant.orgId)
        .first<{ status: string | null }>();
    expect(await stored()).toEqual({ status: null });
    // As earlier releases left it.
    await env.DB.prepare("UPDATE organisation_billing SET subscription_status = 'unpaid' WHERE org_id = ?")
      .bind(tenant.orgId)
      .run();
    await subscribe(tenant);
  });

  it('and checkout that are lost: Upgrade finds the subscription of the customer', async () => {
    const tenant = await newTenant();
    const { url } = await openCheckout(tenant);
    await pay(url);
    await env.DB.batch([
      env.DB.prepare('DELETE FROM checkout_session WHERE org_id = ?').bind(tenant.orgId),
      env.DB.prepare('UPDATE organisation_billing SET checkout_session_id = NULL WHERE org_id = ?').bind(
        tenant.orgId,
      ),
    ]);
    expect((await tenant.call('POST', '/checkout-session', { plan: 'grow' })).status).toBe(409);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
  });

  it('past due keeps the plan for a stated number of days only', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'fail-payment');
    const start = Date.now();
    const syncAfter = (days: number) =>
      syncSubscription(
        workContext(env, () => start + days * 24 * HOUR_MS),
        tenant.orgId,
        subscriptionId,
      );
    expect(await syncAfter(0)).toBe('grow');
    const until = start + PAST_DUE_DAYS * 24 * HOUR_MS;
    expect((await billingOf(tenant)).subscription).toMatchObject({ status: 'past_due', pastDueUntil: until });
    expect(await syncAfter(PAST_DUE_DAYS - 0.1)).toBe('grow');
    expect(await syncAfter(PAST_DUE_DAYS)).toBe('build');
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build', subscription: { status: 'past_due' } });
    const refused = await tenant.call<{ message: string }>('POST', '/checkout-session', { plan: 'grow' });
    expect(refused.status).toBe(409);
    await platform.changeSubscription(subscriptionId, 'pay');
    expect(await syncAfter(PAST_DUE_DAYS + 1)).toBe('grow');
    expect((await billingOf(tenant)).subscription).toMatchObject({ status: 'active', pastDueUntil: null });
  });

  it('keeps the subscription that is in force when a second one was bought', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    const first = await platform.stripe.subscriptions.retrieve(subscriptionId);
    const second = await platform.stripe.subscriptions.create({
      customer: String(first.customer),
      items: [{ price: first.items.data[0]?.price.id ?? '' }],
      default_payment_method: String(first.default_payment_method),
      metadata: first.metadata,
    });
    expectConsole('error', /two granting subscriptions/);
    await postLast(second.id);
    await workOff(tenant);
    await platform.changeSubscription(second.id, 'cancel');
    await postLast(second.id);
    await workOff(tenant);
    expect(await billingOf(tenant)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
  });

  it('takes away no manually assigned plan, nor one whose subscription belongs to another account', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    await platform.changeSubscription(subscriptionId, 'cancel');
    await postLast(subscriptionId);
    await expect.poll(async () => (await billingOf(tenant)).plan).toBe('build');
    await env.DB.prepare("UPDATE organization SET plan = 'grow' WHERE id = ?").bind(tenant.orgId).run();
    for (const event of await eventsOf(subscriptionId)) {
      await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
      await postEvent({ ...event, id: `${event.id}_late` });
    }
    await workOff(tenant);
    expect((await billingOf(tenant)).plan).toBe('grow');

    const other = await newTenant();
    const { subscriptionId: standing } = await subscribe(other);
    const elsewhere = { ...env, STRIPE_SECRET_KEY: (await newStripeAccount('Elsewhere')).keys.secretKey };
    expectConsole('error', /subscription not found in Stripe/);
    expect(await syncSubscription(workContext(elsewhere, Date.now), other.orgId, standing)).toBeNull();
    expect(await billingOf(other)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });
  });

  it.each([
    ['with another secret', { secret: 'whsec_emulator_other' }],
    ['too long ago', { timestamp: Math.floor(Date.now() / 1000) - 301 }],
    ['in the future', { timestamp: Math.floor(Date.now() / 1000) + 4000 }],
  ])('refuses what is signed %s', async (_, signing) => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    const [completed] = await eventsOf(sessionId);
    expect((await postEvent(completed ?? {}, signing)).status).toBe(400);
    expect(await outboxMessages(tenant.orgId)).not.toContainEqual(
      expect.objectContaining({ type: 'stripe.billing-event-received' }),
    );
    expect((await billingOf(tenant)).plan).toBe('build');
  });

  it('forgets events that are of no use, and those of other things that the account sells', async () => {
    for (const event of [
      { id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: { id: 'in_1' } } },
      { id: 'evt_2', type: 'customer.subscription.updated', created: 1, data: { object: { id: 'sub_1' } } },
    ]) {
      expect((await postEvent({ object: 'event', ...event })).status).toBe(200);
    }
    const stored = await env.DB.prepare("SELECT id FROM stripe_event WHERE id IN ('evt_1', 'evt_2')").all();
    expect(stored.results).toEqual([]);
  });
});

/** Posts the newest event of an object. */
async function postLast(objectId: string): Promise<void> {
  const events = await eventsOf(objectId);
  expect((await postEvent(events.at(-1) ?? {})).status).toBe(200);
}
