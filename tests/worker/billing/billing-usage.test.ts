// The monthly allowance: each notice and the block happen once, and end with an upgrade or the month. Usage is
// billed exactly, despite failures. The Stripe account is shared between files, so each injected fault names its
// requests; other files inject none.

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody, PublicError } from '#contracts/public/errors';
import { hourOf, monthOf, nextMonthOf } from '#engine/usage/calendar';
import { eventStreamStub } from '#objects/stubs';
import { refusal, send } from '#tests/support/access-checks';
import { mailsTo, newMember, newStaff } from '#tests/support/accounts';
import {
  billingOf,
  eventsOf,
  fulfil,
  openCheckout,
  pay,
  postEvent,
  recordCalls,
  seedUsage,
  subscribe,
} from '#tests/support/billing';
import { copyDatabase } from '#tests/support/database-copy';
import { expectConsole } from '#tests/support/expect-console';
import { publicRequest } from '#tests/support/public-requests';
import { runBillingSchedule } from '#tests/support/schedules';
import { auditTrail } from '#tests/support/stored-state';
import { platformStripeAccount, type StripeAccount } from '#tests/support/stripe';
import { deliver, newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { countBillableUsage } from '#worker/domains/billing/count-billable-usage';
import { endSubscription } from '#worker/domains/billing/end-subscription';
import { clearUsageBlocks, endBlocksOfPastMonths } from '#worker/domains/billing/lift-usage-blocks';
import { publishBillableUsage } from '#worker/domains/billing/publish-billable-usage';
import { settleTotal, settleUsage } from '#worker/domains/billing/settle-usage';
import { syncSubscription } from '#worker/domains/billing/sync-subscription';
import { blockUsage } from '#worker/domains/billing/usage-block';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { loadSnapshot } from '#worker/domains/snapshots/load-snapshot';
import { workContext } from '#worker/http/make-work-context';
import { change } from '#worker/queue/change';

const HOUR_MS = 3_600_000;
const REASON = 'The organisation reached its monthly allowance of API calls';

const blockOf = async (tenant: Tenant) => (await billingOf(tenant)).block;

async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject).filter((each) => each.includes('API calls'));
}

async function actionsOf(tenant: Tenant): Promise<string[]> {
  return (await auditTrail(tenant))
    .map(({ action }) => action)
    .filter((each) => each.startsWith('billing.usage'));
}

describe('the allowance of build', () => {
  it('at 80% notifies owners and admins once, and nothing is refused', async () => {
    const tenant = await newTenant();
    const admin = await newMember(tenant.user, tenant.orgId, 'admin');
    const member = await newMember(tenant.user, tenant.orgId);
    await seedUsage(tenant, 79_990);
    await recordCalls(tenant, 9);
    await recordCalls(tenant, 1);
    await expect
      .poll(() => subjectsTo(tenant.user.email))
      .toEqual(['Analytical Engines has used 80% of this month’s API calls']);
    await expect.poll(() => subjectsTo(admin.email)).toHaveLength(1);
    await recordCalls(tenant, 50);
    await expect.poll(() => outboxMessages(tenant.orgId)).not.toContainEqual(isNotice);
    expect(await subjectsTo(tenant.user.email)).toHaveLength(1);
    expect((await mailsTo(member.email)).map(({ subject }) => subject)).not.toContainEqual(/API calls/);
    expect(await billingOf(tenant)).toMatchObject({
      block: null,
      usage: { total: 80_050, allowance: 100_000, remaining: 19_950 },
    });
  });

  it('at its limit blocks every environment within five seconds, notifies owners and admins, and is unblocked by an upgrade', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant);
    await publishAll(tenant);
    const key = await tenant.key(await tenant.previewId());
    await publishAll(tenant);
    await seedUsage(tenant, 99_999);
    let answered = 0;
    const ask = async () => {
      const { status } = await send(key.value);
      if (status === 200) answered++;
      return status;
    };
    expect(await ask()).toBe(200);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    await expect.poll(ask).toBe(429);
    const { body } = await refusal(key.value, {});
    expect(body).toMatchObject({ errorType: 'usage-blocked', message: REASON });
    expect(await countUpdate(key.value)).toMatchObject({ errorType: 'usage-blocked' });

    const billing = await billingOf(tenant);
    expect(billing.block).toEqual({ reason: REASON, until: nextMonthOf(Date.now()) });
    expect(await tenant.make('GET', '/summary')).toMatchObject({ blockReason: REASON });
    for (let refused = 0; refused < 5; refused++) expect(await ask()).toBe(429);
    await expect
      .poll(() => subjectsTo(tenant.user.email))
      .toEqual(['Analytical Engines has used all of this month’s API calls']);
    expect(await actionsOf(tenant)).toEqual(['billing.usage-blocked']);

    await subscribe(tenant);
    await expect.poll(ask).toBe(200);
    expect(await blockOf(tenant)).toBeNull();
    expect(await actionsOf(tenant)).toEqual(['billing.usage-blocked', 'billing.usage-unblocked']);
    // What was refused is no usage; what was answered is.
    expect((await billingOf(tenant)).usage.total).toBeLessThanOrEqual(99_999 + answered);
  });

  it('at a share of its limit refuses the public keys with that share, and no secret key', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant);
    const environmentId = await tenant.previewId();
    const secret = await tenant.key(environmentId);
    const open = await tenant.key(environmentId, 'public');
    const wide = await tenant.key(environmentId, 'public');
    await tenant.make('PUT', `/api-keys/${wide.id}`, { allowanceShare: 100 });
    await publishAll(tenant);
    await seedUsage(tenant, 79_999);
    expect((await send(secret.value)).status).toBe(200);
    await expect.poll(async () => (await send(open.value)).status).toBe(429);
    const { body, headers } = await refusal(open.value, {});
    expect(body).toMatchObject({
      errorType: 'usage-blocked',
      message:
        'This public key reached its share, 80% of the organisation’s monthly API calls. Secret keys still work.',
    });
    expect(headers.get('ratelimit-limit')).toBe('80000');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    for (const { value } of [secret, wide]) expect((await send(value)).status).toBe(200);
    expect(await blockOf(tenant)).toBeNull();

    await tenant.make('PUT', `/api-keys/${open.id}`, { allowanceShare: 100 });
    await expect.poll(async () => (await send(open.value)).status).toBe(200);
    await tenant.make('PUT', `/api-keys/${open.id}`, { allowanceShare: 40 });
    await expect.poll(async () => (await send(open.value)).status).toBe(429);
    await subscribe(tenant);
    await expect.poll(async () => (await send(open.value)).status).toBe(200);
  });

  it('of a past month refuses nobody', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant);
    const open = await tenant.key(await tenant.previewId(), 'public');
    await env.DB.prepare(
      'INSERT INTO organisation_billing (org_id, used_month_at, used_percent) VALUES (?, ?, 100)',
    )
      .bind(tenant.orgId, monthOf(monthOf(Date.now()) - 1))
      .run();
    await publishAll(tenant);
    await expect.poll(async () => (await send(open.value)).status).toBe(200);
  });

  it('that is passed in one leap sends one notice: the limit is reached', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 79_000);
    await seedUsage(tenant, 20_990);
    await recordCalls(tenant, 30);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    await expect.poll(() => subjectsTo(tenant.user.email)).toHaveLength(1);
    await expect.poll(() => waitingLevels(tenant)).toBe(0);
    expect(await subjectsTo(tenant.user.email)).toEqual([
      'Analytical Engines has used all of this month’s API calls',
    ]);
  });

  it('is settled once however often the stream says so, and its mails are sent once', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 99_995);
    await recordCalls(tenant, 5);
    await expect.poll(() => subjectsTo(tenant.user.email)).toHaveLength(1);
    const message = {
      type: 'usage.level-passed',
      orgId: tenant.orgId,
      monthAt: monthOf(Date.now()),
      level: 'reached',
      total: 100_000,
    } as const;
    await deliver('tessera-publish', [message, message]);
    await Promise.all([
      settleUsage(workContext(env, Date.now), message),
      settleUsage(workContext(env, Date.now), message),
    ]);
    const mail = {
      type: 'usage.notice-due',
      outboxId: 'out_gone',
      orgId: tenant.orgId,
      userId: tenant.user.userId,
      level: 'reached',
      monthAt: monthOf(Date.now()),
    } as const;
    await deliver('tessera-publish', [mail]);
    expect(await subjectsTo(tenant.user.email)).toHaveLength(1);
    expect(await actionsOf(tenant)).toEqual(['billing.usage-blocked']);
  });

  it('is reported again by the stream until it is acknowledged', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 99_995);
    const stub = await eventStreamStub(env, tenant.orgId, 'weur');
    await recordCalls(tenant, 5);
    await expect.poll(() => waitingLevels(tenant)).toBe(0);
    // As if the message and all that followed from it had been lost.
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('UPDATE passed_level SET due_at = 0');
    });
    await forgetBlock(tenant);
    await runDurableObjectAlarm(stub);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    await expect.poll(() => waitingLevels(tenant)).toBe(0);
  });

  it('renews with the month, and only then', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 99_999);
    await recordCalls(tenant, 1);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    const turn = nextMonthOf(Date.now());
    await endBlocksOfPastMonths(workContext(env, () => turn - 1));
    expect(await blockOf(tenant)).not.toBeNull();
    await endBlocksOfPastMonths(workContext(env, () => turn));
    expect(await blockOf(tenant)).toBeNull();
    expect(await actionsOf(tenant)).toEqual(['billing.usage-blocked', 'billing.usage-unblocked']);
  });

  it('that blocked in a past month refuses nobody before the schedule runs, and blocks again in the new one', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant);
    const key = await tenant.key(await tenant.previewId());
    const ctx = workContext(env, Date.now);
    const monthAt = monthOf(Date.now());
    await blockInPastMonth(tenant);
    await publishAll(tenant);
    await expect.poll(async () => (await send(key.value)).status).toBe(200);
    expect(await blockOf(tenant)).toBeNull();
    await settleTotal(ctx, tenant.orgId, 100_000);
    await publishAll(tenant);
    await expect.poll(async () => (await send(key.value)).status).toBe(429);
    expect(await blockOf(tenant)).toEqual({ reason: REASON, until: nextMonthOf(monthAt) });
  });

  it('that blocked in a past month is shown to nobody, and lifted by staff without a waiver of the new month', async () => {
    const tenant = await newTenant();
    const staff = await newStaff();
    await blockInPastMonth(tenant);
    expect(await tenant.make('GET', '/summary')).toMatchObject({ blockReason: null });
    const [summary, found] = await Promise.all(
      ['summary', 'search'].map((what) => {
        const path = what === 'search' ? `search?search=${tenant.orgId.slice(4)}` : `${tenant.orgId}/${what}`;
        return staff.fetch(`/api/sudo/orgs/${path}`).then((answer) => answer.json());
      }),
    );
    const notBlocked = { block: { isBlocked: false, blockReason: null } };
    expect(summary).toMatchObject(notBlocked);
    expect(found).toMatchObject([notBlocked]);
    const clear = () =>
      staff
        .fetch(`/api/sudo/orgs/${tenant.orgId}/clear-usage-blocks`, { json: {} })
        .then((answer) => answer.json());
    expect(await clear()).toEqual({ message: 'Analytical Engines was not blocked' });
    expect(await storedBilling(tenant)).toMatchObject({ block_reason: null, blocked_month_at: null });
    const ctx = workContext(env, Date.now);
    await settleTotal(ctx, tenant.orgId, 100_000);
    expect(await blockOf(tenant)).not.toBeNull();
    expect(await clear()).toEqual({ message: 'Analytical Engines is no longer blocked' });
  });

  it('that blocked in a past month goes without the share that the new month has used', async () => {
    const tenant = await newTenant();
    const environmentId = await tenant.previewId();
    await blockInPastMonth(tenant);
    const ctx = workContext(env, Date.now);
    await settleTotal(ctx, tenant.orgId, 40_000);
    const usedShare = { monthAt: monthOf(Date.now()), percent: 40 };
    expect(await loadSnapshot(env, ctx.db, environmentId)).toMatchObject({ usedShare });
    await endBlocksOfPastMonths(ctx);
    expect(await loadSnapshot(env, ctx.db, environmentId)).toMatchObject({ block: null, usedShare });
  });

  it('of a month that is over blocks nobody', async () => {
    const tenant = await newTenant();
    const lastMonth = monthOf(Date.now()) - 1;
    await seedUsage(tenant, 99_999, lastMonth);
    await recordCalls(tenant, 1, lastMonth);
    await expect.poll(() => waitingLevels(tenant)).toBe(0);
    expect(await blockOf(tenant)).toBeNull();
  });

  it('does not concern an organisation on grow', async () => {
    const tenant = await newTenant();
    await subscribe(tenant);
    await seedUsage(tenant, 149_999);
    await recordCalls(tenant, 1);
    await expect.poll(() => waitingLevels(tenant)).toBe(0);
    expect(await billingOf(tenant)).toMatchObject({
      block: null,
      usage: { total: 150_000, remaining: null },
    });
  });

  it('is lifted by a manually assigned plan', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 99_999);
    await recordCalls(tenant, 1);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    await env.DB.prepare("UPDATE organization SET plan = 'grow' WHERE id = ?").bind(tenant.orgId).run();
    const message = { type: 'billing.plan-changed', outboxId: 'out_none', orgId: tenant.orgId } as const;
    await deliver('tessera-publish', [message, message]);
    expect(await blockOf(tenant)).toBeNull();
    expect(await actionsOf(tenant)).toEqual(['billing.usage-blocked', 'billing.usage-unblocked']);
  });

  it('is waived for the month by platform staff', async () => {
    const tenant = await newTenant();
    await seedUsage(tenant, 99_999);
    await recordCalls(tenant, 1);
    await expect.poll(() => blockOf(tenant)).not.toBeNull();
    const ctx = workContext(env, Date.now);
    expect(await clearUsageBlocks(ctx, { orgId: tenant.orgId, actor: null })).toBe(true);
    expect(await clearUsageBlocks(ctx, { orgId: tenant.orgId, actor: null })).toBe(false);
    await deliver('tessera-publish', [
      {
        type: 'usage.level-passed',
        orgId: tenant.orgId,
        monthAt: monthOf(Date.now()),
        level: 'reached',
        total: 120_000,
      },
    ]);
    expect(await blockOf(tenant)).toBeNull();
  });
});

let platform: StripeAccount;

beforeAll(async () => {
  platform = await platformStripeAccount();
});

describe('usage on grow', () => {
  let tenant: Tenant;
  let customer: string;
  let subscriptionId: string;
  const thisHour = hourOf(Date.now());
  const runAt = (hoursAgo: number) =>
    runBillingSchedule(workContext(env, () => thisHour - hoursAgo * HOUR_MS + 30_000));

  beforeEach(async () => {
    tenant = await newTenant();
    await seedUsage(tenant, 1_000);
    ({ subscriptionId } = await subscribe(tenant));
    const { customer: owner } = await platform.stripe.subscriptions.retrieve(subscriptionId);
    customer = String(owner);
    // Subscribed some hours ago, so that hours can pass.
    await env.DB.prepare('UPDATE organisation_billing SET counted_hour_at = ? WHERE org_id = ?')
      .bind(thisHour - 5 * HOUR_MS, tenant.orgId)
      .run();
  });

  const billed = async () => (await platform.billed(customer)).reduce((sum, { units }) => sum + units, 0);
  const rows = async () => {
    const { results } = await env.DB.prepare(
      'SELECT quantity, sent_at AS sentAt, error FROM billable_usage WHERE org_id = ? ORDER BY hour_at',
    )
      .bind(tenant.orgId)
      .all<{ quantity: number; sentAt: number | null; error: string | null }>();
    return results;
  };
  /** So many hours with one call each, up to the given instant. */
  const storeUnsent = (hours: number, usedAt: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO billable_usage (org_id, hour_at, stripe_customer_id, quantity, used_at, created_at, next_try_at)
       SELECT ?2, ?3 - i * ${HOUR_MS}, ?4, 1, ?5, 1, 0 FROM n`,
    )
      .bind(hours, tenant.orgId, hourOf(usedAt), customer, usedAt)
      .run();
  /** Due again, without the pause. */
  const forgetPause = () =>
    env.DB.prepare('UPDATE billable_usage SET next_try_at = 0 WHERE next_try_at IS NOT NULL').run();

  it('is billed by the hour, late events with the next, and never what was used on build', async () => {
    await recordCalls(tenant, 30);
    await runAt(3);
    await runAt(3);
    expect(await billed()).toBe(30);
    await recordCalls(tenant, 7, Date.now() - 26 * HOUR_MS);
    await recordCalls(tenant, 5);
    await Promise.all([runAt(2), runAt(2), runAt(2)]);
    expect(await billed()).toBe(42);
    await runAt(1);
    expect((await rows()).map(({ quantity }) => quantity)).toEqual([30, 12]);
  });

  it('is billed once where the database is restored to an earlier instant', async () => {
    await recordCalls(tenant, 30);
    const copy = await copyDatabase();
    await runAt(4);
    await recordCalls(tenant, 12);
    await runAt(3);
    expect(await billed()).toBe(42);
    await copy.restore();
    await recordCalls(tenant, 5);
    expectConsole('warn', /the database said less was billed than was/);
    await runAt(2);
    expect(await billed()).toBe(42);
    await recordCalls(tenant, 3);
    await runAt(1);
    expect(await billed()).toBe(50);
  });

  it('is billed once where the subscription ends after the database was restored', async () => {
    await recordCalls(tenant, 30);
    const copy = await copyDatabase();
    await runAt(4);
    await copy.restore();
    await recordCalls(tenant, 5);
    expectConsole('warn', /the database said less was billed than was/);
    await platform.stripe.subscriptions.cancel(subscriptionId);
    await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
    await runBillingSchedule(workContext(env, Date.now));
    expect(await billed()).toBe(35);
  });

  it('is billed once where the answer of Stripe is lost', async () => {
    await recordCalls(tenant, 11);
    expectConsole('error', /usage could not be sent to Stripe/);
    await platform.setFaults({ loseAnswers: 1, onlyRequests: 'POST /v1/billing/meter_events' });
    await runAt(3);
    await platform.clearFaults();
    expect(await rows()).toMatchObject([{ quantity: 11, sentAt: null, error: expect.any(String) }]);
    await recordCalls(tenant, 4);
    await forgetPause();
    await runAt(3);
    expect(await rows()).toMatchObject([{ quantity: 11, sentAt: expect.any(Number), error: null }]);
    await runAt(2);
    expect(await billed()).toBe(15);
  });

  it('is billed in the end where Stripe fails and refuses for hours', async () => {
    expectConsole('error', /usage could not be sent to Stripe/);
    for (const [hoursAgo, fault] of [
      [4, { isDown: true }],
      [3, { failNext: 100 }],
      [2, { refuseNext: 100 }],
    ] as const) {
      await recordCalls(tenant, 10);
      await platform.setFaults({ ...fault, onlyRequests: 'POST /v1/billing/meter_events' });
      await forgetPause();
      await runAt(hoursAgo);
      await platform.clearFaults();
    }
    expect(await billed()).toBe(0);
    await forgetPause();
    await runAt(1);
    expect(await billed()).toBe(30);
    expect((await rows()).every(({ sentAt }) => sentAt !== null)).toBe(true);
  });

  it('is billed once where the Worker ends between sending and remembering', async () => {
    await recordCalls(tenant, 9);
    await runAt(3);
    await env.DB.prepare(
      'UPDATE billable_usage SET sent_at = NULL, next_try_at = 0, uncertain_since = ? WHERE org_id = ?',
    )
      .bind(Date.now() - HOUR_MS, tenant.orgId)
      .run();
    await runAt(3);
    expect(await billed()).toBe(9);
    expect(await rows()).toMatchObject([{ sentAt: expect.any(Number) }]);
  });

  it('is left to people where Stripe can no longer tell whether it has it', async () => {
    await recordCalls(tenant, 9);
    expectConsole('error', /usage could not be sent to Stripe/);
    expectConsole('error', /usage is not retried/);
    await platform.setFaults({ isDown: true, onlyRequests: 'POST /v1/billing/meter_events' });
    await runAt(3);
    await platform.clearFaults();
    await env.DB.prepare('UPDATE billable_usage SET next_try_at = 0, uncertain_since = ? WHERE org_id = ?')
      .bind(Date.now() - 48 * HOUR_MS, tenant.orgId)
      .run();
    await runAt(2);
    expect(await billed()).toBe(0);
    expect(await rows()).toMatchObject([{ sentAt: null, error: expect.stringMatching(/may have it/) }]);
  });

  it('is left to people where Stripe refuses it because it is too old', async () => {
    await storeUnsent(1, Date.now() - 40 * 24 * HOUR_MS);
    expectConsole('error', /usage is not retried: Stripe no longer accepts it/);
    await runAt(3);
    expect(await rows()).toMatchObject([{ sentAt: null, error: expect.stringMatching(/too old/) }]);
    const ctx = workContext(env, Date.now);
    expect(await publishBillableUsage(ctx, tenant.orgId)).toEqual({ sent: 0, failed: 0 });
    // Nor does it prevent that the organisation is deleted.
    expect(await endSubscription(ctx, tenant.orgId)).toBe(true);
    expect((await platform.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
  });

  it('is billed whole before the subscription ends, however many hours are left', async () => {
    await storeUnsent(130, Date.now() - HOUR_MS);
    const ctx = workContext(env, Date.now);
    expect(await endSubscription(ctx, tenant.orgId)).toBe(false);
    expect((await platform.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('active');
    expect(await endSubscription(ctx, tenant.orgId)).toBe(true);
    expect(await billed()).toBe(130);
    expect((await platform.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
  });

  it('is billed to its end, and not beyond', async () => {
    await recordCalls(tenant, 20);
    await runAt(3);
    await recordCalls(tenant, 6);
    await platform.changeSubscription(subscriptionId, 'cancel');
    for (const event of await eventsOf(subscriptionId)) await postEvent(event);
    await expect.poll(async () => (await billingOf(tenant)).plan).toBe('build');
    await recordCalls(tenant, 50);
    await forgetPause();
    await runAt(0);
    expect(await billed()).toBe(26);
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    const [completed] = await eventsOf(sessionId);
    await postEvent(completed ?? {});
    await expect.poll(async () => (await billingOf(tenant)).plan).toBe('grow');
    expect(
      await env.DB.prepare('SELECT billed_calls AS billed FROM organisation_billing WHERE org_id = ?')
        .bind(tenant.orgId)
        .first(),
    ).toEqual({ billed: 1_076 });
  });

  it('is billed whole where it ends several times within an hour', async () => {
    const ctx = workContext(env, Date.now);
    await recordCalls(tenant, 3);
    expect(await publishBillableUsage(ctx, tenant.orgId)).toEqual({ sent: 1, failed: 0 });
    for (const calls of [20, 300]) {
      await recordCalls(tenant, calls);
      await platform.changeSubscription(subscriptionId, 'cancel');
      expect(await syncSubscription(ctx, tenant.orgId, subscriptionId)).toBe('build');
      await recordCalls(tenant, 5_000);
      ({ subscriptionId } = await subscribe(tenant));
    }
    await recordCalls(tenant, 4_000);
    expect(await publishBillableUsage(ctx, tenant.orgId)).toEqual({ sent: 2, failed: 0 });
    expect(await billed()).toBe(323);
    // The rest comes with the first hour that is free.
    await countBillableUsage(ctx, tenant.orgId, thisHour + 3 * HOUR_MS, Date.now());
    expect((await rows()).map(({ quantity }) => quantity)).toEqual([3, 20, 300, 4_000]);
  });

  it('is published at once by platform staff, as often as they like', async () => {
    await recordCalls(tenant, 3);
    const ctx = workContext(env, () => thisHour - 2 * HOUR_MS + 20 * 60_000);
    expect(await publishBillableUsage(ctx, tenant.orgId)).toEqual({ sent: 1, failed: 0 });
    await recordCalls(tenant, 2);
    expect(await publishBillableUsage(ctx, tenant.orgId)).toEqual({ sent: 0, failed: 0 });
    await runAt(1);
    expect(await billed()).toBe(3);
    await runAt(0);
    expect(await billed()).toBe(5);
  });
});

describe('while Stripe is down', () => {
  it('a checkout says so, and changes nothing', async () => {
    const tenant = await newTenant();
    const { sessionId } = await openCheckout(tenant);
    const before = await auditTrail(tenant);
    expectConsole('error', /billing request to Stripe failed/);
    await platform.setFaults({ isDown: true, onlyRequests: `GET /v1/checkout/sessions/${sessionId}` });
    const answer = await tenant.call<ErrorBody>('POST', '/checkout-session', { plan: 'grow' });
    await platform.clearFaults();
    expect(answer.status).toBe(503);
    expect(answer.body.message).toMatch(/Stripe cannot be reached/);
    expect(await auditTrail(tenant)).toEqual(before);
    expect((await openCheckout(tenant)).sessionId).toBe(sessionId);
  });

  it('a fulfilment is answered with a failure, and succeeds when Stripe is back', async () => {
    const tenant = await newTenant();
    const { url, sessionId } = await openCheckout(tenant);
    await pay(url);
    expectConsole('error', /billing request to Stripe failed/);
    await platform.setFaults({ isDown: true, onlyRequests: `GET /v1/checkout/sessions/${sessionId}` });
    expect((await fulfil(sessionId)).status).toBe(503);
    await platform.clearFaults();
    expect((await fulfil(sessionId)).body).toEqual({ success: true, orgId: tenant.orgId });
  });

  it('an event is worked on again until Stripe could be asked', async () => {
    const tenant = await newTenant();
    const { subscriptionId } = await subscribe(tenant);
    await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
    await platform.changeSubscription(subscriptionId, 'cancel');
    const events = await eventsOf(subscriptionId);
    expectConsole('warn', /queue message failed/);
    await platform.setFaults({ failNext: 1, onlyRequests: `GET /v1/subscriptions/${subscriptionId}` });
    await postEvent(events.at(-1) ?? {});
    await expect
      .poll(async () => (await platform.requests()).requests)
      .toContainEqual(expect.objectContaining({ url: `/v1/subscriptions/${subscriptionId}`, status: 500 }));
    expect(await outboxMessages(tenant.orgId)).toHaveLength(1);
    await platform.clearFaults();
    await deliver('tessera-stripe', await outboxMessages(tenant.orgId));
    expect(await billingOf(tenant)).toMatchObject({ plan: 'build' });
  });
});

const isNotice = expect.objectContaining({ type: 'usage.notice-due' });

/** How many passed levels the stream still has to tell. */
async function waitingLevels({ orgId }: Tenant): Promise<number> {
  const stub = await eventStreamStub(env, orgId, 'weur');
  return runInDurableObject(
    stub,
    (_, { storage }) =>
      storage.sql.exec('SELECT 1 FROM passed_level WHERE due_at IS NOT NULL').toArray().length,
  );
}

async function blockInPastMonth(tenant: Tenant): Promise<void> {
  const ctx = workContext(env, Date.now);
  const pastMonthAt = monthOf(monthOf(Date.now()) - 1);
  const scope = { orgId: tenant.orgId, actor: null };
  await change(ctx, scope, {
    ...blockUsage(ctx.db, scope, pastMonthAt),
    publish: [everyEnvironmentOf(scope)],
  });
}

/** What D1 has of the block. */
function storedBilling({ orgId }: Tenant) {
  return env.DB.prepare(
    'SELECT block_reason, blocked_month_at FROM organization JOIN organisation_billing ON org_id = id WHERE id = ?',
  )
    .bind(orgId)
    .first();
}

async function forgetBlock({ orgId }: Tenant): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('UPDATE organization SET block_reason = NULL WHERE id = ?').bind(orgId),
    env.DB.prepare('DELETE FROM organisation_billing WHERE org_id = ?').bind(orgId),
    env.DB.prepare('DELETE FROM usage_notice WHERE org_id = ?').bind(orgId),
  ]);
}

async function countUpdate(key: string): Promise<PublicError> {
  const response = await exports.default.fetch(
    publicRequest('counter-updates', key, { userIdentifier: 'ada', feature: 'exports', property: 'seats' }),
  );
  return response.json();
}
