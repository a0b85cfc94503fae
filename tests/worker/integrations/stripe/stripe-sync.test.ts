// Stripe syncs: complete, without duplicates, resumable after any crash, and consistent with Stripe.
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { AvailableProduct, StripeProduct, SyncJob } from '#contracts/console/stripe';
import type { ErrorBody } from '#contracts/public/errors';
import type { QueueMessage, StripeSyncAdvanced } from '#runtime/messages';
import { eventually } from '#tests/support/eventually';
import {
  type ConnectedTenant,
  connectedTenant,
  expectSameAsStripe,
  listedCustomers,
} from '#tests/support/stripe-integrations';
import { deliver, type Tenant } from '#tests/support/tenants';
import { advanceSync } from '#worker/domains/integrations/stripe/sync/advance-sync';
import { workContext } from '#worker/http/make-work-context';

const LIST = 'GET /v1/customers';

async function syncMessages({ orgId }: Pick<Tenant, 'orgId'>): Promise<StripeSyncAdvanced[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE org_id = ? AND type = 'stripe.sync-advanced'",
  )
    .bind(orgId)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as StripeSyncAdvanced);
}

/** Starts a sync whose messages are lost: the queue never gets them. */
async function startUndelivered({ tenant, path }: ConnectedTenant): Promise<StripeSyncAdvanced> {
  const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  await tenant.make<SyncJob>('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  lost.mockRestore();
  const [message] = await syncMessages(tenant);
  if (message === undefined) throw new Error('The start left no message');
  return message;
}

test('a sync reads every customer with its subscriptions, and every product', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  const { priceId, productId } = await account.newProduct('Gold');
  const archived = await account.newProduct('Bronze');
  await account.stripe.products.update(archived.productId, { active: false });
  await account.seed({ count: 250, prices: [priceId], subscribeEvery: 2 });
  await account.forgetRequests();

  expect(await connected.sync()).toMatchObject({
    status: 'finished',
    processed: 250,
    failed: 0,
    error: null,
  });
  expect((await account.requests()).counts[LIST]).toBe(3);
  await expectSameAsStripe(connected);
  expect(await listedCustomers(connected)).toHaveLength(250);

  expect(await connected.sync('stripe-product')).toMatchObject({ status: 'finished', processed: 2 });
  expect(await connected.read()).toMatchObject({ customerCount: 250, productCount: 2 });
  const { items } = await tenant.make<{ items: StripeProduct[] }>('GET', `${path}/products`);
  expect(items.map(({ id, active, testMode }) => ({ id, active, testMode }))).toEqual(
    expect.arrayContaining([
      { id: productId, active: true, testMode: true },
      { id: archived.productId, active: false, testMode: true },
    ]),
  );
  // An archived product is not offered to be linked.
  expect(await tenant.make<AvailableProduct[]>('GET', '/integrations/stripe-products')).toMatchObject([
    { productId, name: 'Gold', testMode: true, active: true, integrationName: connected.integration.name },
  ]);
});

test('a sync of nothing new writes no customer', async () => {
  const connected = await connectedTenant();
  await connected.account.seed({ count: 150 });
  await connected.sync();
  const rows = () =>
    env.DB.prepare(
      'SELECT id, read_at, facts_version FROM stripe_customer WHERE integration_id = ? ORDER BY id',
    )
      .bind(connected.integration.id)
      .all();
  const before = (await rows()).results;
  expect(await connected.sync()).toMatchObject({ status: 'finished', processed: 150 });
  expect((await rows()).results).toEqual(before);
});

test('starting a sync while one runs is a conflict with the running job', async () => {
  const connected = await connectedTenant();
  const { tenant, path } = connected;
  await startUndelivered(connected);
  const second = await tenant.call<ErrorBody>('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  expect(second.status).toBe(409);
  expect(second.body.current).toMatchObject({ type: 'stripe-customer', status: 'running' });
  expect((await tenant.call('POST', `${path}/sync-jobs`, { type: 'stripe-product' })).status).toBe(202);
});

test('a sync that crashes after every page resumes there, and fetches no page more than twice', async () => {
  const connected = await connectedTenant();
  const { account, tenant } = connected;
  await account.seed({ count: 730 });
  await startUndelivered(connected);
  await account.forgetRequests();
  vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  // After every page the process dies: when the next one was fetched, when it is about to be stored, or before it is asked for.
  for (let death = 0; death < 40; death++) {
    const [message] = await syncMessages(tenant);
    if (message === undefined) break;
    let calls = 0;
    const dying = () => {
      calls += 1;
      if (calls === 8 + (death % 3)) throw new Error('killed');
      return Date.now();
    };
    await advanceSync(workContext(env, dying), message).catch((error: Error) =>
      expect(error.message).toBe('killed'),
    );
  }
  vi.restoreAllMocks();
  expect(await syncMessages(tenant)).toEqual([]);
  const fetched = Map.groupBy(
    (await account.requests()).requests.filter(({ url }) => url.startsWith('/v1/customers?')),
    ({ url }) => new URL(url, 'http://stripe').searchParams.get('starting_after'),
  );
  expect((await connected.read()).lastSyncJobReport).toMatchObject({ status: 'finished', processed: 730 });
  expect(await connected.read()).toMatchObject({ customerCount: 730 });
  await expectSameAsStripe(connected);
  expect(fetched.size).toBeGreaterThanOrEqual(8);
  for (const [page, requests] of fetched) expect([page, requests.length <= 2]).toEqual([page, true]);
});

test('a duplicated or stale message fetches nothing', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.seed({ count: 210 });
  const message = await startUndelivered(connected);
  await deliver('tessera-sync', [message]);
  await account.forgetRequests();
  await deliver('tessera-sync', [message, { ...message, page: 1 }, message] as QueueMessage[]);
  expect((await account.requests()).counts[LIST] ?? 0).toBe(0);
  expect((await connected.read()).lastSyncJobReport).toMatchObject({ processed: 210 });
});

test('a job waits as long as Stripe requests, shows why, and resumes', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.seed({ count: 220 });
  await account.setFaults({ refuseNext: 2, retryAfterS: 1, onlyRequests: LIST });
  await tenant.make('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  await eventually(async () => {
    const { lastSyncJobReport, trouble } = await connected.read();
    expect(lastSyncJobReport?.error).toContain('Stripe’s rate limit is reached');
    expect(lastSyncJobReport?.waitsUntil).toBeGreaterThan(lastSyncJobReport?.startedAt ?? 0);
    expect(trouble).toBeNull();
  });
  await eventually(async () => {
    expect((await connected.read()).lastSyncJobReport).toMatchObject({
      status: 'finished',
      processed: 220,
      error: null,
      waitsUntil: null,
    });
  });
});

test.each([
  ['fails', { failNext: 1 }],
  ['breaks off its answers', { loseAnswers: 1 }],
])('a job resumes automatically after Stripe %s for a while', async (_, faults) => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.seed({ count: 220 });
  await account.setFaults({ ...faults, onlyRequests: LIST });
  await tenant.make('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  await eventually(async () => {
    const { lastSyncJobReport, trouble } = await connected.read();
    expect(lastSyncJobReport).toMatchObject({ status: 'running' });
    expect(lastSyncJobReport?.error).toContain('Stripe cannot be reached');
    expect(trouble?.message).toContain('Stripe cannot be reached');
  });
  await eventually(async () => {
    const { lastSyncJobReport, trouble } = await connected.read();
    expect(lastSyncJobReport).toMatchObject({ status: 'finished', processed: 220, error: null });
    expect(trouble).toBeNull();
  });
  await expectSameAsStripe(connected);
});

test('a job with a rejected key fails with a message; a new key works again', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.seed({ count: 10 });
  await account.expireKey(account.keys.secretKey);
  expect(await connected.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Stripe rejects the secret key'),
  });
  expect((await connected.read()).trouble?.message).toContain('Stripe rejects the secret key');
  await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
  expect(await connected.read()).toMatchObject({ trouble: null });
  expect(await connected.sync()).toMatchObject({ status: 'finished', processed: 10 });
});

test('customers deleted without an event are detected by the next sync', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.seed({ count: 240, createdFrom: 1_700_000_000, createdTo: 1_700_000_120 });
  await connected.sync();
  const listed = await listedCustomers(connected);
  const gone = listed.filter((_, index) => index % 7 === 0 || index === listed.length - 1);
  await Promise.all(gone.map(({ id }) => account.stripe.customers.del(id)));
  expect(await connected.sync()).toMatchObject({ status: 'finished', processed: 240 - gone.length });
  expect(await connected.read()).toMatchObject({ customerCount: 240 - gone.length });
  await expectSameAsStripe(connected);
});

test('a sync continues although its cursor customer is deleted', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.seed({ count: 350, createdFrom: 1_700_000_000, createdTo: 1_700_100_000 });
  const message = await startUndelivered(connected);
  vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  let calls = 0;
  const dying = () => {
    calls += 1;
    if (calls === 8) throw new Error('killed');
    return Date.now();
  };
  await advanceSync(workContext(env, dying), message).catch(() => undefined);
  vi.restoreAllMocks();
  const [next] = await syncMessages(connected.tenant);
  const { cursor } = (await env.DB.prepare('SELECT cursor FROM stripe_sync_job WHERE id = ?')
    .bind(message.jobId)
    .first<{ cursor: string }>()) as { cursor: string };
  await account.stripe.customers.del(cursor);
  await deliver('tessera-sync', [next as QueueMessage]);
  expect((await connected.read()).lastSyncJobReport).toMatchObject({ status: 'finished', processed: 350 });
  const held = await listedCustomers(connected);
  expect(held.filter(({ id }) => id !== cursor)).toHaveLength(349);
});

test('a customer that Stripe does not list but still has keeps its subscriptions', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { stripe } = account;
  const { priceId } = await account.newProduct('Gold');
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) });
  const subscribed = async (email: string) => {
    const { id } = await stripe.customers.create({
      email,
      test_clock: clock.id,
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    await stripe.subscriptions.create({ customer: id, items: [{ price: priceId }] });
    return id;
  };
  const kept = await subscribed('kept@example.com');
  const gone = await subscribed('gone@example.com');
  await connected.deliver();
  expect((await stripe.customers.list()).data).toEqual([]);
  await stripe.customers.del(gone);
  const report = await connected.sync();
  expect(report).toMatchObject({ status: 'finished', error: null });
  expect(
    (await listedCustomers(connected)).map(({ id, subscriptions }) => [id, subscriptions.length]),
  ).toEqual([[kept, 1]]);
  // What was retrieved once is retrieved once by the next sync as well.
  await account.forgetRequests();
  await connected.sync();
  expect((await account.requests()).counts['GET /v1/customers/:id']).toBe(1);
});

test('more missing customers than one page retrieves are all verified by one sync', async () => {
  const connected = await connectedTenant({ mode: 'live' });
  const { account, integration, tenant } = connected;
  const { id } = await account.liveStripe.customers.create({ email: 'ada@example.com' });
  await connected.sync();
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
     INSERT INTO stripe_customer (integration_id, org_id, id, email, livemode, metadata, subscriptions, created_at, read_at, facts_version)
     SELECT ?1, ?2, 'cus_gone' || i, 'gone' || i || '@example.com', 1, '{}', '[]', ?3 + i * 1000, 1, 1 FROM n`,
  )
    .bind(integration.id, tenant.orgId, Date.now() - 86_400_000)
    .run();
  expect(await connected.read()).toMatchObject({ customerCount: 121 });
  expect(await connected.sync()).toMatchObject({ status: 'finished', processed: 1 });
  expect((await listedCustomers(connected)).map((each) => each.id)).toEqual([id]);
});

test('a page that Stripe does not list in time is asked for again with fewer customers', async () => {
  const connected = await connectedTenant();
  const { account, tenant } = connected;
  await account.seed({ count: 130 });
  await startUndelivered(connected);
  await account.forgetRequests();
  await account.setFaults({ failNext: 2, onlyRequests: LIST });
  const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [message] = await syncMessages(tenant);
    if (message === undefined) throw new Error('The job has no message');
    await advanceSync(
      workContext(env, () => Date.now() + attempt * 3_600_000),
      message,
    );
  }
  lost.mockRestore();
  const { requests } = await account.requests();
  const limits = requests
    .filter(({ url }) => url.startsWith('/v1/customers?'))
    .map(({ url }) => new URL(url, 'http://stripe').searchParams.get('limit'));
  expect(limits).toEqual(['100', '50', '25', '50', '100']);
  expect((await connected.read()).lastSyncJobReport).toMatchObject({ status: 'finished', processed: 130 });
  await expectSameAsStripe(connected);
});

test('a customer who changes during a sync keeps the newer state', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { priceId } = await account.newProduct('Gold');
  await account.seed({ count: 130 });
  const message = await startUndelivered(connected);
  const [last] = (await account.stripe.customers.list({ limit: 1 })).data;
  const customer = last?.id ?? '';
  const { id: card } = await account.stripe.paymentMethods.attach('pm_card_visa', { customer });
  await account.stripe.subscriptions.create({
    customer,
    items: [{ price: priceId }],
    default_payment_method: card,
  });
  await Promise.all([connected.deliver(), deliver('tessera-sync', [message])]);
  await expectSameAsStripe(connected);
});

test('the job of a deleted integration ends', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.seed({ count: 120 });
  const message = await startUndelivered(connected);
  await tenant.call('DELETE', path);
  await account.forgetRequests();
  await deliver('tessera-sync', [message]);
  expect((await account.requests()).counts[LIST] ?? 0).toBe(0);
  expect(await syncMessages(tenant)).toEqual([]);
});

test('customers are found by id, email and name, whatever characters these have', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.stripe.customers.create({ email: '100%_sure@example.com', name: "O'Neil 50%" });
  await account.stripe.customers.create({ email: 'bob@example.com', name: 'Bob' });
  await account.stripe.customers.create({ name: 'Zoë' });
  await connected.deliver();
  const found = async (query: string) => (await listedCustomers(connected, query)).map(({ name }) => name);
  expect(await found('%_SURE')).toEqual(["O'Neil 50%"]);
  expect(await found('%')).toEqual(["O'Neil 50%"]);
  expect(await found('bob@')).toEqual(['Bob']);
  expect(await found('zoë')).toEqual(['Zoë']);
  expect(await found("' OR 1=1 --")).toEqual([]);
  expect(await found('cus_')).toHaveLength(3);
});

test.each([
  ['Bruce Lee', ['lee', 'LEE']],
  ['山田太郎', ['太郎', '太']],
  ['Søren Ødegård', ['Øde', 'soren', 'odegard', 'SØREN']],
  ['Łukasz', ['łuka', 'lukasz', 'ŁUKASZ']],
  // Ids are searched, too, and are random: “łu” or “ß”, which are found as “lu” and “ss”, would be in one of them now and then.
  ['Jan Weiß', ['weiß', 'weiss', 'WEISS']],
  ['Strasse', ['straße']],
  ['Conan O’Brien', ["o'brien", 'O’Brien']],
  ["Sinéad O'Brien", ['sinead', 'o’brien']],
  ['Globex (Acme)', ['(acme)']],
])('the customer and the product %s are found by name', async (name, searches) => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  for (const each of [name, 'Zed']) {
    await account.stripe.customers.create({ name: each });
    await account.stripe.products.create({ name: each });
  }
  await connected.deliver();
  for (const query of searches) {
    const products = await tenant.make<{ items: { name: string }[]; total: number }>(
      ...(['GET', `${path}/products?${new URLSearchParams({ query })}`] as const),
    );
    expect(
      products.items.map((each) => each.name),
      query,
    ).toEqual([name]);
    expect(products.total).toBe(1);
    const customers = await listedCustomers(connected, query);
    expect(
      customers.map((each) => each.name),
      query,
    ).toEqual([name]);
  }
});

/** What a sync whose first message reads everything costs the database in all batches together. */
async function costOfSync(connected: ConnectedTenant): Promise<{ rows_read: number; rows_written: number }> {
  const cost = { rows_read: 0, rows_written: 0 };
  const batch = env.DB.batch.bind(env.DB);
  const spied = vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
    const results = await batch(statements);
    for (const { meta } of results) {
      cost.rows_read += meta.rows_read;
      cost.rows_written += meta.rows_written;
    }
    return results as never;
  });
  await deliver('tessera-sync', [await startUndelivered(connected)]);
  spied.mockRestore();
  return cost;
}

test('a new customer writes its rows with their index entries, and an unchanged one writes almost nothing', async () => {
  const connected = await connectedTenant();
  await connected.account.seed({ count: 250 });
  const first = await costOfSync(connected);
  const again = await costOfSync(connected);
  expect(await connected.read()).toMatchObject({ customerCount: 250 });
  // D1 counts the entry of every index as a row written: the customer and four of them (lab/bench/bench-sync.ts). The
  // customer is written once more when it is decided whether its email becomes an alias. Its row in the list of known
  // customers has two index entries and about ten words.
  expect(first.rows_written - again.rows_written).toBeLessThan(250 * 20 + 50);
  expect(again.rows_written).toBeLessThan(100);
});

test('the database cost of a page is independent of the number of customers', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  const rowsRead = async () => (await costOfSync(connected)).rows_read;
  await account.seed({ count: 100 });
  await rowsRead();
  const few = await rowsRead();
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO stripe_customer (integration_id, org_id, id, email, livemode, metadata, subscriptions, created_at, read_at, facts_version)
     SELECT ?1, ?2, 'cus_stored' || i, 'stored' || i || '@example.com', 0, '{}', '[]', ?3 + i, ?3, 1 FROM n`,
  )
    .bind(integration.id, connected.tenant.orgId, Date.now() + 60_000)
    .run();
  expect(await rowsRead()).toBeLessThan(few * 1.2);
});
