// Events that the webhook missed are found by polling every few minutes and by a daily sync.
import { createScheduledController } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { Event } from '#contracts/console/events';
import type { SyncJob } from '#contracts/console/stripe';
import type { QueueMessage } from '#runtime/messages';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { runStripeSchedule } from '#tests/support/schedules';
import { newStripeAccount } from '#tests/support/stripe';
import {
  type ConnectedTenant,
  connectedTenant,
  eventsAreDone,
  expectSameAsStripe,
} from '#tests/support/stripe-integrations';
import { pollDue, startDueSyncs } from '#worker/domains/integrations/stripe/run-stripe-schedule';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LIST = 'GET /v1/events';

const runAt = (now: number) => runStripeSchedule(workContext(env, () => now));

async function isInStep(connected: ConnectedTenant): Promise<void> {
  await eventually(() => expectSameAsStripe(connected));
}

test('without a webhook, events are found by polling', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { account, tenant } = connected;
  const { priceId } = await account.newProduct('Gold');
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com', name: 'Ada' });
  await account.stripe.subscriptions.create({ customer: id, items: [{ price: priceId }] });
  await worker.scheduled(createScheduledController(), env);
  await isInStep(connected);
  expect((await connected.read()).firstEventAt).not.toBeNull();

  await account.stripe.customers.update(id, { name: 'Ada Lovelace' });
  await runAt(Date.now() + 10 * MINUTE_MS);
  await isInStep(connected);
  const { events } = await tenant.make<{ events: Event[] }>('GET', '/event-search');
  expect(new Set(events.map(({ stripeEventType }) => stripeEventType))).toEqual(
    new Set([
      ...['customer.created', 'customer.subscription.created', 'customer.updated'],
      ...['product.created', 'product.updated'],
    ]),
  );
});

test('what happened before the connection is polled, and is not the first event that is waited for', async () => {
  const account = await newStripeAccount();
  await account.newProduct('Gold');
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com' });
  await new Promise((resolve) => setTimeout(resolve, 1100)); // Stripe's times are whole seconds.
  const connected = await connectedTenant({ account });
  const start = Date.now();
  await runAt(start);
  await isInStep(connected);
  expect((await connected.read()).firstEventAt).toBeNull();
  await account.stripe.customers.update(id, { name: 'Ada' });
  await runAt(start + 10 * MINUTE_MS);
  expect((await connected.read()).firstEventAt).not.toBeNull();
});

test('events that are both delivered and polled are processed once', async () => {
  const connected = await connectedTenant();
  const { account, tenant } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.stripe.customers.create({ email: 'bob@example.com' });
  await connected.deliver();
  await account.forgetRequests();
  await runAt(Date.now());
  await runAt(Date.now() + 10 * MINUTE_MS);
  const { counts } = await account.requests();
  expect(counts[LIST]).toBe(2);
  expect(counts['GET /v1/customers/:id'] ?? 0).toBe(0);
  const { events } = await tenant.make<{ events: Event[] }>('GET', '/event-search');
  expect(events).toHaveLength(2);
});

test('an integration is polled every ten minutes, by one of concurrent runs', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.forgetRequests();
  const start = Date.now();
  await Promise.all([runAt(start), runAt(start), runAt(start)]);
  expect((await account.requests()).counts[LIST]).toBe(1);
  await runAt(start + 9 * MINUTE_MS);
  expect((await account.requests()).counts[LIST]).toBe(1);
  await runAt(start + 10 * MINUTE_MS);
  expect((await account.requests()).counts[LIST]).toBe(2);
});

test('the first successful poll clears the connection error, and waiting events are processed', async () => {
  const connected = await connectedTenant();
  const { account, tenant, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.expireKey(account.keys.secretKey);
  const deliveries = connected.deliver().catch(() => 0);
  await eventually(async () => {
    expect((await connected.read()).trouble?.message).toContain('Stripe rejects the secret key');
  });
  await account.restoreKey(account.keys.secretKey);
  await runAt(Date.now() + 11 * MINUTE_MS);
  expect(await connected.read()).toMatchObject({ trouble: null });
  await worker.scheduled(createScheduledController(), env);
  await deliveries;
  await expectSameAsStripe(connected);
  const done = await env.DB.prepare('SELECT done_at AS doneAt FROM stripe_event WHERE integration_id = ?')
    .bind(integration.id)
    .all<{ doneAt: number | null }>();
  expect(done.results.every(({ doneAt }) => doneAt !== null)).toBe(true);
  expect((await tenant.make<{ events: Event[] }>('GET', '/event-search')).events).toHaveLength(1);
});

test('a rejected key is not tried every minute: the pauses grow', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const start = Date.now();
  await runAt(start);
  await account.expireKey(account.keys.secretKey);
  const attempts: number[] = [];
  for (let minute = 10; minute <= 45; minute++) {
    await account.forgetRequests();
    await runAt(start + minute * MINUTE_MS);
    const count = (await account.requests()).counts[LIST] ?? 0;
    attempts.push(...Array.from({ length: count }, () => minute));
  }
  expect(attempts).toEqual([10, 20, 40]);
  expect((await connected.read()).trouble?.message).toContain('Stripe rejects the secret key');
});

test('an event that Stripe lists later than a newer one is found nevertheless', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { account, integration } = connected;
  const start = Date.now();
  const { id: early } = await account.stripe.customers.create({ email: 'ada@example.com' });
  await runAt(start);
  await runAt(start + 10 * MINUTE_MS);
  await eventsAreDone(integration.id);
  const { id: late } = await account.stripe.customers.create({ email: 'bob@example.com' });
  const { id: newest } = await account.stripe.customers.create({ email: 'eve@example.com' });
  await runAt(start + 20 * MINUTE_MS);
  await eventsAreDone(integration.id);
  const stored = async () => {
    const { results } = await env.DB.prepare(
      'SELECT object_id AS objectId FROM stripe_event WHERE integration_id = ?',
    )
      .bind(integration.id)
      .all<{ objectId: string }>();
    return new Set(results.map(({ objectId }) => objectId));
  };
  expect(await stored()).toEqual(new Set([early, late, newest]));
  // As if the list had left it out.
  await env.DB.prepare('DELETE FROM stripe_event WHERE integration_id = ? AND object_id = ?')
    .bind(integration.id, late)
    .run();
  await runAt(start + 30 * MINUTE_MS);
  expect(await stored()).toEqual(new Set([early, late, newest]));
  await eventsAreDone(integration.id);
});

/** What is handed to the catch-up queue, which does not get it. */
function catchUpMessages() {
  const handedOver: QueueMessage[] = [];
  const queued = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'sendBatch').mockImplementation(async (messages) => {
    for (const { body } of messages) handedOver.push(body);
    return undefined as never;
  });
  return { handedOver, queued };
}

test('an event that occurs during a poll is newer than an object that was read during it', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com', name: 'Ada' });
  await connected.deliver();
  await account.stripe.customers.update(id, { name: 'Ada Lovelace' });
  const start = Date.now() - 60_000;
  await env.DB.prepare('UPDATE stripe_customer SET read_at = ? WHERE integration_id = ?')
    .bind(start + 3_000, integration.id)
    .run();
  let time = start;
  const { fetch } = globalThis;
  const listed = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await fetch(...args);
    time = start + 6_000;
    return response;
  });
  await runStripeSchedule(workContext(env, () => time));
  listed.mockRestore();
  expect(time).toBe(start + 6_000);
  await eventsAreDone(integration.id);
  await expectSameAsStripe(connected);
});

test('any number of integrations is polled: one run hands over what it does not poll itself', async () => {
  const { tenant } = await connectedTenant({ webhook: false });
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
     INSERT INTO stripe_integration (id, org_id, name, account_id, livemode, secret_key, masked_key, created_at, updated_at)
     SELECT 'stripe_many' || i, ?, 'Many', 'acct_many' || i, 0, 'unreadable', 'sk_…0000', 1, 1 FROM n`,
  )
    .bind(tenant.orgId)
    .run();
  // Each poll is claimed, then ends because the key cannot be decrypted.
  expectConsole('error', /polling for missed events failed/);
  const { handedOver, queued } = catchUpMessages();
  const now = Date.now() + 60 * MINUTE_MS;
  await runAt(now);
  const polls = handedOver.filter((message) => message.type === 'stripe.polls-due');
  // A batch of the queue has ten messages, and an invocation fifty polls.
  expect(polls.every(({ integrationIds }) => integrationIds.length <= 5)).toBe(true);
  await Promise.all(
    pollDue(
      workContext(env, () => now),
      polls,
    ),
  );
  queued.mockRestore();
  const row = await env.DB.prepare(
    "SELECT count(*) AS total FROM stripe_integration WHERE id LIKE 'stripe_many%' AND looked_for_events_at = ?",
  )
    .bind(now)
    .first<{ total: number }>();
  expect(row?.total).toBe(120);
  await env.DB.prepare("DELETE FROM stripe_integration WHERE id LIKE 'stripe_many%'").run();
});

test('a new key processes the waiting events', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.expireKey(account.keys.secretKey);
  await account.deliver((request) => exports.default.fetch(request));
  await eventually(async () => {
    expect((await connected.read()).trouble?.message).toContain('Stripe rejects the secret key');
  });
  await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
  await worker.scheduled(createScheduledController(), env);
  await eventsAreDone(integration.id);
  expect(await connected.read()).toMatchObject({ customerCount: 1, trouble: null });
});

/**
 * Holds back Stripe's rejections of a key, until `release` is called.
 * @returns also `isHeld`, which waits until one of a request to a URL with this text is there
 */
function holdRejections() {
  const held: string[] = [];
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { fetch } = globalThis;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url } = new Request(input, init);
    const response = await fetch(input, init);
    if (response.status === 401) {
      held.push(url);
      await isReleased;
    }
    return response;
  });
  const isHeld = (part: string) =>
    eventually(() => expect(held).toContainEqual(expect.stringContaining(part)));
  return { isHeld, release, end: () => asked.mockRestore() };
}

test('the late failure of a replaced key is not an error of the new key', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path, integration } = connected;
  await account.seed({ count: 3 });
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.expireKey(account.keys.secretKey);
  const { isHeld, release, end } = holdRejections();
  const poll = runAt(Date.now() + 10 * MINUTE_MS);
  await isHeld('/v1/events');
  await account.deliver((request) => exports.default.fetch(request));
  await isHeld('/v1/customers/cus_');
  const { id: jobId } = await tenant.make<SyncJob>('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  await isHeld('/v1/customers?');
  await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
  release();
  await poll;
  await eventsAreDone(integration.id);
  await eventually(async () => {
    const job = (await connected.read()).syncJobs.find(({ id }) => id === jobId);
    expect(job).toMatchObject({ status: 'finished', processed: 4, error: null });
  });
  expect(await connected.read()).toMatchObject({ trouble: null, customerCount: 4 });
  const row = await env.DB.prepare('SELECT retry_at, failures FROM stripe_integration WHERE id = ?')
    .bind(integration.id)
    .first();
  expect(row).toEqual({ retry_at: null, failures: 0 });
  end();
});

test('a synced integration is synced daily, which repairs whatever was missed', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { account } = connected;
  await account.seed({ count: 20 });
  await connected.sync();
  await account.seed({ count: 15 });
  await runAt(Date.now() + 23 * 60 * MINUTE_MS);
  expect(await connected.read()).toMatchObject({ customerCount: 20 });
  await runAt(Date.now() + DAY_MS);
  await isInStep(connected);
  expect(await connected.read()).toMatchObject({ customerCount: 35 });
});

test('any number of integrations is synced daily, the one that has waited longest first', async () => {
  const { tenant } = await connectedTenant({ webhook: false });
  const now = Date.now() + 60 * MINUTE_MS;
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)';
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} INSERT INTO stripe_integration
         (id, org_id, name, account_id, livemode, secret_key, masked_key, looked_for_events_at, created_at, updated_at)
       SELECT 'stripe_daily' || i, ?, 'Daily', 'acct_daily' || i, 0, 'unreadable', 'sk_…0000', ?, 1, 1 FROM n`,
    ).bind(tenant.orgId, now),
    env.DB.prepare(
      `${numbers} INSERT INTO stripe_sync_job
         (id, org_id, integration_id, type, status, created_before, started_at, finished_at)
       SELECT 'sync_daily' || i, ?, 'stripe_daily' || i, 'stripe-customer', 'finished', 1, ? + i, 1 FROM n`,
    ).bind(tenant.orgId, now - 3 * DAY_MS),
  ]);
  const started = async () => {
    const { results } = await env.DB.prepare(
      `SELECT DISTINCT integration_id AS id FROM stripe_sync_job
       WHERE integration_id LIKE 'stripe_daily%' AND started_at >= ?`,
    )
      .bind(now - DAY_MS)
      .all<{ id: string }>();
    return results.map(({ id }) => Number(id.replace('stripe_daily', ''))).sort((one, other) => one - other);
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  const { handedOver, queued } = catchUpMessages();
  await runAt(now);
  expect(await started()).toEqual(upTo(20));
  const context = workContext(env, () => now);
  for (const message of handedOver)
    if (message.type === 'stripe.syncs-due') await startDueSyncs(context, message);
  expect(await started()).toEqual(upTo(100));
  handedOver.length = 0;
  await runAt(now);
  for (const message of handedOver)
    if (message.type === 'stripe.syncs-due') await startDueSyncs(context, message);
  expect(await started()).toEqual(upTo(130));
  queued.mockRestore();
  lost.mockRestore();
  await env.DB.batch([
    env.DB.prepare('DELETE FROM outbox WHERE org_id = ?').bind(tenant.orgId),
    env.DB.prepare("DELETE FROM stripe_sync_job WHERE integration_id LIKE 'stripe_daily%'"),
    env.DB.prepare("DELETE FROM stripe_integration WHERE id LIKE 'stripe_daily%'"),
  ]);
});

test('events and jobs older than 35 days are deleted; the last job is kept', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await connected.deliver();
  await connected.sync();
  await connected.sync();
  const count = async (table: string) =>
    (
      await env.DB.prepare(`SELECT count(*) AS total FROM ${table} WHERE integration_id = ?`)
        .bind(integration.id)
        .first<{ total: number }>()
    )?.total;
  await account.setFaults({ isDown: true });
  await runAt(Date.now() + 34 * DAY_MS);
  expect([await count('stripe_event'), await count('stripe_sync_job')]).toEqual([1, 2]);
  await runAt(Date.now() + 36 * DAY_MS);
  expect([await count('stripe_event'), await count('stripe_sync_job')]).toEqual([0, 1]);
});

test('a run deletes what many organisations produce in a minute, and says so when more is left', async () => {
  const addOldEvents = (count: number) =>
    env.DB.prepare(
      `INSERT INTO stripe_event (integration_id, id, type, created_at, received_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT 'stripe_old', 'evt_' || i, 'customer.updated', 1, 1 FROM n`,
    )
      .bind(count)
      .run();
  const left = () =>
    env.DB.prepare("SELECT count(*) AS total FROM stripe_event WHERE integration_id = 'stripe_old'").first(
      'total',
    );
  await addOldEvents(7_000);
  await runAt(Date.now());
  expect(await left()).toBe(0);
  await addOldEvents(15_500);
  expectConsole('warn', /old Stripe rows remain/);
  await runAt(Date.now());
  expect(await left()).toBe(500);
  await runAt(Date.now());
  expect(await left()).toBe(0);
});
