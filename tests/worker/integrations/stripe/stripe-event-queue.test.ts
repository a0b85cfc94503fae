// How received events are worked off: one call for the events of a customer, no account waits for another, and no account
// gets more calls than its budget.
import { env, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { Event } from '#contracts/console/events';
import type { StripeEventReceived, StripeEventsReleased } from '#runtime/messages';
import { queueOf, resendQueueOf } from '#runtime/send-message';
import { eventually } from '#tests/support/eventually';
import { runStripeSchedule } from '#tests/support/schedules';
import type { StripeAccount } from '#tests/support/stripe';
import {
  type ConnectedTenant,
  connectedTenant,
  eventsAreDone,
  expectSameAsStripe,
} from '#tests/support/stripe-integrations';
import { deliver, outboxMessages } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { groupByObject } from '#worker/domains/integrations/stripe/events/process-events';
import { CallBudget, CallBudgetSpent } from '#worker/domains/integrations/stripe/integration/call-budget';
import { workContext } from '#worker/http/make-work-context';

const READ = 'GET /v1/customers/:id';

/** Posts what waits to be delivered; the messages are lost on the way to the queue. */
async function received({ account, tenant }: ConnectedTenant): Promise<StripeEventReceived[]> {
  const before = new Set((await outboxMessages(tenant.orgId)).map((each) => JSON.stringify(each)));
  const lost = vi.spyOn(env.STRIPE_QUEUE, 'send').mockResolvedValue(undefined as never);
  await account.deliver((request) => exports.default.fetch(request));
  lost.mockRestore();
  return (await outboxMessages(tenant.orgId)).filter(
    (message) => message.type === 'stripe.event-received' && !before.has(JSON.stringify(message)),
  ) as StripeEventReceived[];
}

async function readsOf(account: StripeAccount): Promise<number> {
  return (await account.requests()).counts[READ] ?? 0;
}

async function openEvents({ integration }: ConnectedTenant): Promise<number> {
  const row = await env.DB.prepare(
    'SELECT count(*) AS total FROM stripe_event WHERE integration_id = ? AND done_at IS NULL',
  )
    .bind(integration.id)
    .first<{ total: number }>();
  return row?.total ?? 0;
}

function setRow({ integration }: ConnectedTenant, assignment: string, ...values: (number | null)[]) {
  return env.DB.prepare(`UPDATE stripe_integration SET ${assignment} WHERE id = ?`)
    .bind(...values, integration.id)
    .run();
}

/** Delivers the release of waiting events, as if it had just been planned. */
async function release(connected: ConnectedTenant): Promise<void> {
  await setRow(connected, 'release_at = ?', Date.now());
  const { integration, tenant } = connected;
  const message: StripeEventsReleased = {
    type: 'stripe.events-released',
    orgId: tenant.orgId,
    integrationId: integration.id,
  };
  await deliver('tessera-stripe-catch-up', [message]);
}

test('events of one customer share one call to Stripe, and each is recorded', async () => {
  const connected = await connectedTenant();
  const { account, tenant, integration } = connected;
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.stripe.customers.update(id, { name: 'Ada' });
  await account.stripe.customers.update(id, { name: 'Ada Lovelace' });
  const messages = await received(connected);
  expect(messages).toHaveLength(3);
  await account.forgetRequests();
  const logged = vi.spyOn(console, 'info');
  await deliver('tessera-stripe', messages);
  await eventsAreDone(integration.id);
  expect(await readsOf(account)).toBe(1);
  await expectSameAsStripe(connected);
  const { events } = await tenant.make<{ events: Event[] }>('GET', '/event-search');
  expect(events).toHaveLength(3);
  await eventually(() => {
    const ages = logged.mock.calls
      .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
      .filter((line) => line.message === 'Stripe event processed' && line.integrationId === integration.id);
    expect(ages).toHaveLength(3);
    for (const { ageMs, waitedMs } of ages) {
      expect([ageMs, waitedMs]).toEqual([expect.any(Number), expect.any(Number)]);
    }
  });
  logged.mockRestore();
});

test('an event of a customer who was read after it needs no call; a later event does', async () => {
  const connected = await connectedTenant();
  const { account, tenant, integration } = connected;
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.stripe.customers.update(id, { name: 'Ada' });
  const [first, second] = await received(connected);
  if (first === undefined || second === undefined) throw new Error('Events are missing');
  await account.forgetRequests();
  await deliver('tessera-stripe', [first]);
  await eventually(async () => expect(await openEvents(connected)).toBe(1));
  await deliver('tessera-stripe', [second]);
  await eventsAreDone(integration.id);
  expect(await readsOf(account)).toBe(1);
  const { events } = await tenant.make<{ events: Event[] }>('GET', '/event-search');
  expect(events.map(({ response }) => response)).toEqual([
    expect.objectContaining({ id, name: 'Ada' }),
    expect.objectContaining({ id, name: 'Ada' }),
  ]);

  // Nothing that is stored changes, which counts as read as well.
  await account.stripe.customers.update(id, { description: 'A mathematician' });
  await account.stripe.customers.update(id, { description: 'The first programmer' });
  for (const message of await received(connected)) {
    await deliver('tessera-stripe', [message]);
    await eventually(async () => {
      const waiting = await outboxMessages(tenant.orgId);
      expect(waiting.map((each) => 'outboxId' in each && each.outboxId)).not.toContain(message.outboxId);
    });
  }
  expect(await readsOf(account)).toBe(2);
});

test('an object has all of its events in one group, apart from those of another integration', () => {
  const message = (integrationId: string, customerId: string, serial: number) =>
    ({ integrationId, event: { id: `evt_${serial}`, customerId, productId: null } }) as StripeEventReceived;
  const groups = groupByObject([
    ...[message('many', 'cus_1', 1), message('many', 'cus_2', 2), message('many', 'cus_1', 3)],
    ...[message('many', 'cus_3', 4), message('few', 'cus_1', 5)],
  ]);
  expect(groups.map((group) => group.map(({ event }) => event.id))).toEqual([
    ...[['evt_1', 'evt_3'], ['evt_2'], ['evt_4'], ['evt_5']],
  ]);
  expect(groupByObject([])).toEqual([]);
});

test('an account that does not answer holds neither the batch nor another account', async () => {
  const [slow, quiet] = await Promise.all([connectedTenant(), connectedTenant()]);
  const { id } = await slow.account.stripe.customers.create({ email: 'ada@example.com' });
  await quiet.account.stripe.customers.create({ email: 'bob@example.com' });
  const messages = [...(await received(slow)), ...(await received(quiet))];
  const { promise: isAnswering, resolve: answer } = Promise.withResolvers<void>();
  const real = globalThis.fetch;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input).includes(id)) await isAnswering;
    return real(input, init);
  });
  // The batch ends although the slow account has not answered.
  await deliver('tessera-stripe', messages);
  await eventsAreDone(quiet.integration.id);
  expect(await openEvents(slow)).toBe(1);
  answer();
  await eventsAreDone(slow.integration.id);
  asked.mockRestore();
  await expectSameAsStripe(slow);
});

test('a call that somebody waits for gives up after six seconds', async () => {
  const connected = await connectedTenant();
  await connected.account.stripe.customers.create({ email: 'ada@example.com' });
  const messages = await received(connected);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await deliver('tessera-stripe', messages);
  await eventsAreDone(connected.integration.id);
  const delays = timers.mock.calls.map(([, delay]) => delay);
  timers.mockRestore();
  expect(delays).toContain(6_000);
});

test('fresh events, older events and own billing have queues of their own', async () => {
  expect(queueOf(env, 'stripe.event-received')).toBe(env.STRIPE_QUEUE);
  expect(resendQueueOf(env, 'stripe.event-received')).toBe(env.STRIPE_CATCH_UP_QUEUE);
  expect(queueOf(env, 'stripe.billing-event-received')).toBe(env.BILLING_QUEUE);
  expect(queueOf(env, 'stripe.sync-advanced')).toBe(env.SYNC_QUEUE);
  expect(queueOf(env, 'customers.seen')).toBe(env.SIGHTINGS_QUEUE);
  expect(queueOf(env, 'customer.changed')).toBe(env.FACTS_QUEUE);
  expect(queueOf(env, 'stripe.customers-changed')).toBe(env.FACTS_QUEUE);
  expect(queueOf(env, 'workspace.changed')).toBe(env.PUBLISH_QUEUE);
  expect(queueOf(env, 'of.a-newer-release' as 'workspace.changed')).toBe(env.PUBLISH_QUEUE);

  const connected = await connectedTenant({ webhook: false });
  for (const name of ['ada', 'bob']) {
    await connected.account.stripe.customers.create({ email: `${name}@example.com` });
  }
  const fresh = vi.spyOn(env.STRIPE_QUEUE, 'send');
  const older = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send');
  await runStripeSchedule(workContext(env, Date.now));
  await eventsAreDone(connected.integration.id);
  const sent = older.mock.calls.map(([message]) => message);
  expect(sent.filter((each) => 'integrationId' in each)).toEqual([
    expect.objectContaining({ type: 'stripe.events-released', integrationId: connected.integration.id }),
  ]);
  expect(fresh.mock.calls.filter(([message]) => message.type === 'stripe.event-received')).toEqual([]);
  fresh.mockRestore();
  older.mockRestore();
  await expectSameAsStripe(connected);
});

test('all Workers together get no more calls than the budget of the account', async () => {
  const connected = await connectedTenant();
  const db = openDatabase(env.DB);
  const row = { id: connected.integration.id, livemode: false };
  await setRow(connected, 'calls_until = 0');
  const startedAt = Date.now();
  const [one, other] = [new CallBudget(db, row), new CallBudget(db, row)];
  const takes = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : other).take());
  const results = await Promise.allSettled(takes);
  const granted = results.filter(({ status }) => status === 'fulfilled').length;
  // 25 calls at once and two seconds' waiting ones, at 12.5 a second, and what time added meanwhile.
  expect(granted).toBeGreaterThanOrEqual(50);
  expect(granted).toBeLessThanOrEqual(51 + (Date.now() - startedAt) / 80);
  for (const each of results) {
    if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(CallBudgetSpent);
  }
});

test('events beyond the budget wait without a connection error, and are processed when calls are allowed', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const messages = await received(connected);
  await account.forgetRequests();
  await setRow(connected, 'calls_until = ?', Date.now() + 600_000);
  await deliver('tessera-stripe', messages);
  await eventually(async () => {
    const row = await env.DB.prepare('SELECT release_at AS releaseAt FROM stripe_integration WHERE id = ?')
      .bind(integration.id)
      .first<{ releaseAt: number | null }>();
    expect(row?.releaseAt).toEqual(expect.any(Number));
  });
  expect(await openEvents(connected)).toBe(1);
  expect(await readsOf(account)).toBe(0);
  expect(await connected.read()).toMatchObject({ trouble: null });
  await setRow(connected, 'calls_until = 0');
  await release(connected);
  await eventsAreDone(integration.id);
  await expectSameAsStripe(connected);
});

test('during a connection error events wait without a call; the first success releases all of them', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  for (const name of ['ada', 'bob', 'eve']) {
    await account.stripe.customers.create({ email: `${name}@example.com` });
  }
  const [first, ...others] = await received(connected);
  if (first === undefined) throw new Error('Events are missing');
  const planned = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send').mockResolvedValue(undefined as never);
  await account.setFaults({ isDown: true, onlyRequests: 'GET /v1/customers/' });
  await deliver('tessera-stripe', [first]);
  await eventually(async () => {
    expect((await connected.read()).trouble?.message).toContain('Stripe cannot be reached');
    expect(planned).toHaveBeenCalled();
  });
  await setRow(connected, 'retry_at = ?', Date.now() + 3_600_000);
  await account.forgetRequests();
  await deliver('tessera-stripe', others);
  await release(connected);
  expect((await account.requests()).requests).toEqual([]);
  expect(await openEvents(connected)).toBe(3);

  // Still failing: one object is tried.
  await setRow(connected, 'retry_at = ?', Date.now());
  await release(connected);
  await eventually(async () => expect(await readsOf(account)).toBe(1));
  await account.clearFaults();
  planned.mockRestore();
  await setRow(connected, 'retry_at = ?', Date.now());
  await release(connected);
  await eventsAreDone(integration.id);
  expect(await connected.read()).toMatchObject({ trouble: null });
  await expectSameAsStripe(connected);
});

test('an account is asked again every few seconds, however long Stripe is down, also for its only event', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const messages = await received(connected);
  const planned = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send').mockResolvedValue(undefined as never);
  await account.setFaults({ isDown: true, onlyRequests: 'GET /v1/customers/' });
  await deliver('tessera-stripe', messages);
  try {
    for (let failures = 1; failures <= 8; failures++) {
      await eventually(() => expect(planned).toHaveBeenCalledTimes(failures));
      const [message, options] = planned.mock.calls[failures - 1] ?? [];
      expect(options?.delaySeconds).toBeLessThanOrEqual(5);
      // The message arrives when its delay is over, and no schedule runs.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (options?.delaySeconds ?? 0) * 1_000 });
      if (failures === 8) await account.clearFaults();
      await deliver('tessera-stripe-catch-up', [message as StripeEventsReleased]);
    }
    await eventsAreDone(integration.id);
  } finally {
    vi.useRealTimers();
    planned.mockRestore();
  }
  expect(await connected.read()).toMatchObject({ trouble: null });
  await expectSameAsStripe(connected);
});

test('an event that Stripe fails to answer does not keep the others waiting', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { id: broken } = await account.stripe.customers.create({ email: 'ada@example.com' });
  for (const name of ['bob', 'eve']) await account.stripe.customers.create({ email: `${name}@example.com` });
  await received(connected);
  const { fetch } = globalThis;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url } = new Request(input, init);
    return url.includes(`/v1/customers/${broken}`)
      ? Response.json({ error: { type: 'api_error', message: 'Failed' } }, { status: 500 })
      : fetch(input, init);
  });
  const planned = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send').mockResolvedValue(undefined as never);
  await setRow(connected, "trouble = 'Stripe cannot be reached. Retrying automatically.', retry_at = 0");
  for (let left = 3; left > 1; left--) {
    await release(connected);
    await eventually(async () => expect((await connected.read()).trouble).not.toBeNull());
    await setRow(connected, 'retry_at = ?', Date.now());
    await release(connected);
    await eventually(async () => expect(await openEvents(connected)).toBeLessThan(left));
    if ((await openEvents(connected)) === 1) break;
  }
  expect(await openEvents(connected)).toBe(1);
  asked.mockRestore();
  planned.mockRestore();
  await setRow(connected, 'retry_at = ?', Date.now());
  await release(connected);
  await eventsAreDone(connected.integration.id);
});

test('what a key may not read waits for a new key, holds no other event, and stays shown', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path, integration } = connected;
  const { id: refused } = await account.stripe.customers.create({ email: 'ada@example.com' });
  for (let index = 0; index < 22; index++) {
    await account.stripe.customers.create({ email: `customer-${index}@example.com` });
  }
  await received(connected);
  let refusals = 0;
  const { fetch } = globalThis;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url } = new Request(input, init);
    if (!url.includes(`/v1/customers/${refused}`)) return fetch(input, init);
    refusals += 1;
    const message = 'The provided key does not have the required permissions: rak_customer_read';
    return Response.json({ error: { type: 'invalid_request_error', message } }, { status: 403 });
  });
  await release(connected);
  await eventually(async () => expect(await openEvents(connected)).toBe(1));
  const shown = { trouble: { message: 'The key is missing a Stripe permission: rak_customer_read.' } };
  expect(await connected.read()).toMatchObject(shown);

  // Polling works, which neither ends the error nor has the event tried again.
  const now = Date.now();
  for (const minute of [1, 2, 3]) {
    await runStripeSchedule(workContext(env, () => now + minute * 60_000));
    await release(connected);
  }
  expect(await connected.read()).toMatchObject(shown);
  expect(refusals).toBe(1);
  asked.mockRestore();
  await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
  await eventsAreDone(integration.id);
  expect(await connected.read()).toMatchObject({ trouble: null });
  await expectSameAsStripe(connected);
});

test('a few objects of an account are fetched at once, and none after the account has failed', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      account.stripe.customers.create({ email: `customer-${index}@example.com` }),
    ),
  );
  const messages = await received(connected);
  const { promise: isFailing, resolve: fail } = Promise.withResolvers<void>();
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await isFailing;
    throw new TypeError('The connection broke');
  });
  await deliver('tessera-stripe', messages);
  await eventually(() => expect(asked).toHaveBeenCalledTimes(5));
  const planned = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send').mockResolvedValue(undefined as never);
  fail();
  await eventually(async () => expect((await connected.read()).trouble).not.toBeNull());
  await eventually(() => expect(planned).toHaveBeenCalled());
  expect(asked).toHaveBeenCalledTimes(5);
  asked.mockRestore();
  planned.mockRestore();
  expect(await openEvents(connected)).toBe(12);
  await setRow(connected, 'retry_at = ?, calls_until = 0', Date.now());
  await release(connected);
  await eventsAreDone(integration.id);
  expect(await connected.read()).toMatchObject({ trouble: null });
});

test('a release processes a bounded number of objects, and the rest after other integrations', async () => {
  const connected = await connectedTenant({ mode: 'live' });
  const { account } = connected;
  await Promise.all(
    Array.from({ length: 23 }, (_, index) =>
      account.liveStripe.customers.create({ email: `customer-${index}@example.com` }),
    ),
  );
  expect(await received(connected)).toHaveLength(23);
  const planned = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'send').mockResolvedValue(undefined as never);
  await release(connected);
  await eventually(async () => {
    expect(await openEvents(connected)).toBe(3);
    expect(planned).toHaveBeenCalledTimes(1);
  });
  // A second message finds nothing planned, and does nothing.
  await setRow(connected, 'release_at = NULL');
  const message = planned.mock.calls[0]?.[0] as StripeEventsReleased;
  await deliver('tessera-stripe-catch-up', [message]);
  expect(await openEvents(connected)).toBe(3);
  planned.mockRestore();
  await release(connected);
  await eventsAreDone(connected.integration.id);
});
