// What owners, admins and members are told about their organisation's own subscription, and the time that Build's allowance gives a
// plan that falls.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Billing } from '#contracts/console/billing';
import { DAY_MS } from '#engine/durations';
import { nextMonthOf } from '#engine/usage/calendar';
import { mailsTo, newMember, newStaff } from '#tests/support/accounts';
import { billingOf, eventsOf, postEvent, recordCalls, seedUsage, subscribe } from '#tests/support/billing';
import { runBillingSchedule } from '#tests/support/schedules';
import { platformStripeAccount, type StripeAccount } from '#tests/support/stripe';
import { deliver, newTenant, outboxMessages, type Tenant, tenantOf } from '#tests/support/tenants';
import { endGracePeriods } from '#worker/domains/billing/end-grace-periods';
import { settleNotice } from '#worker/domains/billing/settle-notice';
import { syncSubscription } from '#worker/domains/billing/sync-subscription';
import { workContext } from '#worker/http/make-work-context';

let platform: StripeAccount;

beforeAll(async () => {
  platform = await platformStripeAccount();
});

it('a payment that fails is mailed to owners and admins once, and again before Grow ends, when it is on hold, and when it has ended', async () => {
  const tenant = await newTenant();
  const admin = await newMember(tenant.user, tenant.orgId, 'admin');
  const member = tenantOf(await newMember(tenant.user, tenant.orgId), tenant.orgId);
  const { subscriptionId } = await subscribe(tenant);
  const { orgId } = tenant;
  const start = Date.now();
  const syncAfter = (days: number) =>
    syncSubscription(
      workContext(env, () => start + days * DAY_MS),
      orgId,
      subscriptionId,
    );

  await platform.changeSubscription(subscriptionId, 'fail-payment');
  await Promise.all([syncAfter(0), syncAfter(0), syncAfter(0)]);
  await syncAfter(1);
  await settled(tenant);
  const failed = 'The last payment for Analytical Engines failed';
  expect(await billingMails(tenant.user.email)).toEqual([failed]);
  expect(await billingMails(admin.email)).toEqual([failed]);
  expect(await noticeOf(member)).toMatchObject({ kind: 'past-due', graceUntil: null });
  expect((await billingOf(member)).notice).toEqual(await noticeOf(member));

  for (const days of [10.9, 11, 11.5, 13.9]) await syncAfter(days);
  await settled(tenant);
  for (const days of [14, 14.1, 20]) await syncAfter(days);
  await settled(tenant);
  expect(await noticeOf(tenant)).toMatchObject({ kind: 'on-hold', until: null });
  await platform.changeSubscription(subscriptionId, 'cancel');
  await Promise.all([syncAfter(20), syncAfter(20)]);
  await settled(tenant);
  expect(await billingMails(tenant.user.email)).toEqual([
    failed,
    expect.stringMatching(/^Grow ends for Analytical Engines on .* unless you pay the open invoice$/),
    'Grow is on hold for Analytical Engines: an invoice is unpaid',
    'Analytical Engines is on the Build plan',
  ]);
  expect(await billingMails(member.user.email)).toEqual([]);
});

it('a cancelled subscription is announced in its last three days, and not if it is kept', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  await platform.changeSubscription(subscriptionId, 'cancel-at-period-end');
  const sync = (now: number) =>
    syncSubscription(
      workContext(env, () => now),
      tenant.orgId,
      subscriptionId,
    );
  await sync(Date.now());
  const end = (await billingOf(tenant)).subscription?.currentPeriodEndAt ?? 0;
  await sync(end - 3 * DAY_MS - 1);
  await settled(tenant);
  expect(await billingMails(tenant.user.email)).toEqual([]);
  await sync(end - 3 * DAY_MS);
  await sync(end - 2 * DAY_MS);
  await settled(tenant);
  expect(await billingMails(tenant.user.email)).toEqual([
    expect.stringMatching(/^Grow ends for Analytical Engines on/),
  ]);
  await platform.changeSubscription(subscriptionId, 'resume');
  await sync(end - DAY_MS);
  await settled(tenant);
  expect(await noticeOf(tenant)).toBeNull();
});

it('a mail about a state that has passed is not sent, and a repeated message sends nothing', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  const ctx = () => workContext({ ...env, PUBLISH_QUEUE: silentQueue }, Date.now);
  await platform.changeSubscription(subscriptionId, 'fail-payment');
  await syncSubscription(ctx(), tenant.orgId, subscriptionId);
  const [late] = (await outboxMessages(tenant.orgId)).filter(({ type }) => type === 'billing.notice-due');
  expect(late).toBeDefined();
  await platform.changeSubscription(subscriptionId, 'pay');
  await syncSubscription(ctx(), tenant.orgId, subscriptionId);
  await deliver('tessera-publish', late === undefined ? [] : [late, late]);
  expect(await billingMails(tenant.user.email)).toEqual([]);

  await platform.changeSubscription(subscriptionId, 'fail-payment');
  await syncSubscription(ctx(), tenant.orgId, subscriptionId);
  const [due] = (await outboxMessages(tenant.orgId)).filter(({ type }) => type === 'billing.notice-due');
  await deliver('tessera-publish', due === undefined ? [] : [due, due]);
  await deliver('tessera-publish', due === undefined ? [] : [due]);
  expect(await billingMails(tenant.user.email)).toHaveLength(1);
});

it('many that read a new state at the same time mail about it once', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  await settled(tenant);
  await platform.changeSubscription(subscriptionId, 'fail-payment');
  const ctx = () => workContext({ ...env, PUBLISH_QUEUE: silentQueue }, Date.now);
  await syncSubscription(ctx(), tenant.orgId, subscriptionId);
  await env.DB.batch([
    env.DB.prepare('UPDATE organisation_billing SET notice = NULL WHERE org_id = ?').bind(tenant.orgId),
    env.DB.prepare('DELETE FROM outbox WHERE org_id = ?').bind(tenant.orgId),
  ]);
  await Promise.all(Array.from({ length: 5 }, () => settleNotice(ctx(), tenant.orgId)));
  expect(await outboxMessages(tenant.orgId)).toEqual([
    expect.objectContaining({ type: 'billing.notice-due', userId: tenant.user.userId }),
  ]);
});

it('a plan that falls over its allowance has a grace period, then checks are blocked', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  await seedUsage(tenant, 149_999);
  await recordCalls(tenant, 1);
  const start = Date.now();
  await platform.changeSubscription(subscriptionId, 'cancel');
  for (const event of await eventsOf(subscriptionId)) await postEvent(event);
  await expect.poll(async () => (await billingOf(tenant)).plan).toBe('build');
  await settled(tenant);
  const { notice, block } = await billingOf(tenant);
  const graceUntil = notice?.graceUntil ?? 0;
  expect(notice?.kind).toBe('on-build');
  expect(graceUntil).toBeGreaterThan(start);
  expect(graceUntil).toBeLessThanOrEqual(Math.min(Date.now() + 7 * DAY_MS, nextMonthOf(start)));
  expect(block).toBeNull();
  expect(await noticeOf(tenant)).toEqual(notice);
  const [mail] = await mailsTo(tenant.user.email);
  expect(mail?.text).toContain('Until then, no API call fails because of it.');

  // As if the month had more days: what was used stays this month's.
  await endGraceNow(tenant);
  await endGracePeriods(workContext(env, Date.now));
  expect((await billingOf(tenant)).block).not.toBeNull();
  expect((await billingOf(tenant)).notice).toMatchObject({ kind: 'on-build', graceUntil: null });
  await expect
    .poll(() => subjectsTo(tenant.user.email))
    .toContainEqual('Analytical Engines has used all of this month’s API calls');
  await runBillingSchedule(workContext(env, Date.now));
  expect((await billingOf(tenant)).block).not.toBeNull();
});

it('a grace period is not renewed by switching plans up and down, by staff or in Stripe', async () => {
  const [tenant, staff] = [await newTenant(), await newStaff()];
  const put = async (plan: Billing['plan']) =>
    (await staff.fetch(`/api/sudo/orgs/${tenant.orgId}`, { method: 'PUT', json: { plan } })).status;
  expect(await put('grow')).toBe(200);
  expect(await put('build')).toBe(200);
  const first = (await billingOf(tenant)).notice;
  expect(first).toMatchObject({ kind: 'on-build', graceUntil: expect.any(Number) });
  await settled(tenant);
  expect(await put('grow')).toBe(200);
  expect((await billingOf(tenant)).notice).toBeNull();
  expect(await put('build')).toBe(200);
  expect((await billingOf(tenant)).notice?.graceUntil).toBe(first?.graceUntil);
  await settled(tenant);

  await endGraceNow(tenant);
  await endGracePeriods(workContext(env, Date.now));
  const { subscriptionId } = await subscribe(tenant);
  await platform.changeSubscription(subscriptionId, 'cancel');
  await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
  expect(await billingOf(tenant)).toMatchObject({
    plan: 'build',
    notice: { kind: 'on-build', graceUntil: null },
  });
  await settled(tenant);
  // Each fall is one state, and one mail.
  expect(await billingMails(tenant.user.email)).toHaveLength(3);
  await settleNotice(workContext(env, Date.now), tenant.orgId);
  await settled(tenant);
  expect(await billingMails(tenant.user.email)).toHaveLength(3);
});

const silentQueue = { send: async () => undefined, sendBatch: async () => undefined } as never;

async function noticeOf(tenant: Tenant): Promise<Billing['notice']> {
  return (await tenant.make<{ billingNotice: Billing['notice'] }>('GET', '/summary')).billingNotice;
}

async function endGraceNow({ orgId }: Tenant): Promise<void> {
  await env.DB.prepare('UPDATE organisation_billing SET grace_until = ? WHERE org_id = ?')
    .bind(Date.now() - 1, orgId)
    .run();
}

/** All that was to be mailed has been. */
async function settled(tenant: Tenant): Promise<void> {
  await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
}

/** Subjects of the mails about the subscription, oldest first. */
async function billingMails(email: string): Promise<string[]> {
  return (await subjectsTo(email)).filter((subject) => /Grow|Build|payment/.test(subject));
}

async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject).reverse();
}
