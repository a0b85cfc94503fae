// The list of known customers: who is on it and why, its filters and search, and what a page costs with 100,000 of them.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { CustomerList, KnownCustomer } from '#contracts/console/customer-list';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { PlanVersion } from '#contracts/console/plans';
import type { MeterReading } from '#contracts/internal/seen-customers';
import { groupsOf, someEvent, someEvents } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import type { CustomersSeen } from '#runtime/messages';
import { putBalances } from '#tests/support/balances';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { rowsOf } from '#tests/support/database-rows';
import { eventually } from '#tests/support/eventually';
import { connectAccount, putCustomer, someCustomerId } from '#tests/support/stripe-customers';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { endExpiredEntries } from '#worker/domains/customers/entries/end-expired-entries';
import { recordSeenCustomers } from '#worker/domains/customers/list/record-seen-customers';
import { workContext } from '#worker/http/make-work-context';

const DAY_MS = 86_400_000;

async function list(tenant: Tenant, query: Record<string, string> = {}): Promise<CustomerList> {
  return tenant.make<CustomerList>('GET', `/customers?${new URLSearchParams(query)}`);
}

async function names(tenant: Tenant, query: Record<string, string> = {}): Promise<string[]> {
  return (await list(tenant, query)).items.map(({ identifier }) => identifier);
}

async function one(tenant: Tenant, identifier: string): Promise<KnownCustomer | undefined> {
  return (await list(tenant, { query: identifier })).items.find((each) => each.identifier === identifier);
}

interface Sighting {
  readonly identifier: string;
  readonly at: number;
  readonly readings?: readonly MeterReading[];
}

async function see(tenant: Tenant, sightings: readonly Sighting[], resolutionMs = 60_000): Promise<void> {
  await Promise.all(
    recordSeenCustomers(workContext(env, Date.now), [messageOf(tenant, sightings, resolutionMs)]),
  );
}

function messageOf({ orgId }: Tenant, sightings: readonly Sighting[], resolutionMs = 60_000): CustomersSeen {
  const readings = sightings.flatMap((each) => each.readings ?? []);
  return {
    type: 'customers.seen',
    orgId,
    resolutionMs,
    featureLists: readings.map(({ features }) => features),
    customers: sightings.map(({ identifier, at, readings: own = [] }) => ({
      identifier,
      at,
      readings: own.map(({ features: _, ...reading }) => ({
        ...reading,
        list: readings.findIndex((each) => each.at === reading.at && each.envId === reading.envId),
      })),
    })),
  };
}

function reading(envId: string, at: number, used: number | null): MeterReading {
  const nearLimits = used === null ? [] : [{ feature: 'workspaces', property: 'files', used, limit: 100 }];
  return { envId, at, features: ['workspaces'], nearLimits };
}

describe('a customer', () => {
  it('is listed from its first grant or override until the last one is removed', async () => {
    const { tenant, grant, override, seats, path, proId } = await customerTenant();
    expect(await list(tenant)).toEqual({ items: [], nextCursor: null, identifier: null });
    const { id: grantId } = await grant('ada');
    const { id: overrideId } = await override('ada', seats.id, 7);
    expect(await one(tenant, 'ada')).toMatchObject({
      name: null,
      email: null,
      stripe: null,
      plans: [{ planId: proId, isGranted: true }],
      overrides: 1,
      isPastDue: false,
      nearest: null,
      lastSeenAt: null,
    });
    expect(await names(tenant, { filter: 'granted' })).toEqual(['ada']);
    expect(await names(tenant, { filter: 'override' })).toEqual(['ada']);
    await tenant.make('DELETE', path('ada', `/grants/${grantId}`));
    expect(await names(tenant, { filter: 'granted' })).toEqual([]);
    expect(await one(tenant, 'ada')).toMatchObject({ plans: [], overrides: 1 });
    await tenant.make('DELETE', path('ada', `/overrides/${overrideId}`));
    expect(await names(tenant)).toEqual([]);
    expect(await wordsOf(tenant)).toBe(0);
  });

  it('leaves a filter when its last entry ends, and when its environment is deleted', async () => {
    const { tenant, grant } = await customerTenant();
    const staging = await tenant.make('POST', '/environments', {
      name: 'Staging',
      description: null,
      url: null,
      type: 'test',
    });
    await grant('ends', { until: Date.now() + DAY_MS });
    await grant('staging', { environmentId: staging.id });
    await see(tenant, [{ identifier: 'staging', at: 5_000, readings: [reading(staging.id, 5_000, 95)] }]);
    expect(await names(tenant, { filter: 'granted' })).toEqual(['staging', 'ends']);
    expect(await names(tenant, { filter: 'near-limit' })).toEqual(['staging']);
    await env.DB.prepare("UPDATE known_customer SET granted_until = 9 WHERE identifier = 'ends'").run();
    expect(await names(tenant, { filter: 'granted' })).toEqual(['staging']);
    await endExpiredEntries(workContext(env, Date.now));
    const { granted_until: end } =
      (await env.DB.prepare("SELECT granted_until FROM known_customer WHERE identifier = 'ends'").first()) ??
      {};
    expect(end).toBe(0);
    expect(await names(tenant)).toContain('ends');
    await tenant.make('DELETE', `/environments/${staging.id}`);
    expect(await names(tenant, { filter: 'granted' })).toEqual([]);
    expect(await names(tenant, { filter: 'near-limit' })).toEqual([]);
  });

  it('is known by a balance, which is closed a day after its end, and while it has one', async () => {
    const own = await customerTenant();
    const now = Date.now();
    await putBalances(
      own,
      'ada',
      { id: 'bal_ended', endsAt: now - DAY_MS - 1 },
      { id: 'bal_late', endsAt: now - DAY_MS / 2 },
      { id: 'bal_ever' },
    );
    expect(await names(own.tenant)).toEqual(['ada']);
    await endExpiredEntries(workContext(env, Date.now));
    const { results } = await env.DB.prepare(
      'SELECT id FROM customer_balance WHERE org_id = ? AND closed_at IS NULL ORDER BY id',
    )
      .bind(own.tenant.orgId)
      .all();
    expect(results).toEqual([{ id: 'bal_ever' }, { id: 'bal_late' }]);
    await putBalances(own, 'ada');
    expect(await names(own.tenant)).toEqual([]);
  });

  it('is known by calling, and shows its newest reading, whatever the order of the reports', async () => {
    const { tenant, previewId, proId } = await customerTenant();
    await tenant.make('PUT', `/plans/${proId}`, { grantToAuthenticatedUsers: true });
    await publishAll(tenant);
    const at = Date.now() - 3_600_000;
    await see(tenant, [{ identifier: 'grace', at, readings: [reading(previewId, at, 90)] }]);
    expect(await one(tenant, 'grace')).toMatchObject({
      lastSeenAt: at,
      createdAt: at,
      stripe: null,
      nearest: { environmentId: previewId, feature: 'workspaces', property: 'files', used: 90, limit: 100 },
    });
    await see(tenant, [
      { identifier: 'grace', at: at + 2_000, readings: [reading(previewId, at + 2_000, 99)] },
    ]);
    await see(tenant, [
      { identifier: 'grace', at: at + 1_000, readings: [reading(previewId, at + 1_000, null)] },
    ]);
    expect((await one(tenant, 'grace'))?.nearest).toMatchObject({ used: 99, readAt: at + 2_000 });
    expect(await names(tenant, { filter: 'near-limit' })).toEqual(['grace']);
    await see(tenant, [
      { identifier: 'grace', at: at + 3_000, readings: [reading(previewId, at + 3_000, null)] },
    ]);
    expect(await one(tenant, 'grace')).toMatchObject({ nearest: null, lastSeenAt: at + 3_000 });
    expect(await names(tenant, { filter: 'near-limit' })).toEqual([]);
  });

  it('has the limit that applies now, whatever the last call has read', async () => {
    const { tenant, grant, override, files, path, previewId } = await customerTenant();
    const metered = (limit: number) => ({
      state: 'metered',
      meter: { limit, periodType: 'lifetime', uniqueResourceIds: false },
    });
    const limitOf = async () => (await one(tenant, 'grace'))?.nearest;
    const at = Date.now() - 3_600_000;
    await grant('grace');
    await publishAll(tenant);
    await see(tenant, [{ identifier: 'grace', at, readings: [reading(previewId, at, 90)] }]);
    expect(await limitOf()).toMatchObject({ used: 90, limit: 100, readAt: at });
    const { id } = await override('grace', files.id, metered(50));
    expect(await limitOf()).toMatchObject({ used: 90, limit: 50, readAt: at });
    await override('grace', files.id, metered(120), { environmentId: previewId });
    expect(await limitOf()).toMatchObject({ used: 90, limit: 120 });
    await override('grace', files.id, { state: 'on' }, { environmentId: previewId });
    expect(await limitOf()).toBe(null);
    const { overrides } = await tenant.make<Customer>('GET', path('grace'));
    for (const each of overrides) await tenant.make('DELETE', path('grace', `/overrides/${each.id}`));
    expect(overrides.map((each) => each.id)).toContain(id);
    expect(await limitOf()).toMatchObject({ used: 90, limit: 100 });
  });

  it('has the limit and the usage that its balances leave', async () => {
    const { tenant, grant, files, path, previewId } = await customerTenant();
    const nearest = async () => (await one(tenant, 'grace'))?.nearest;
    await grant('grace');
    await publishAll(tenant);
    const common = { environmentId: previewId, propertyId: files.id, reason: 'A pilot customer' };
    const give = (amount: number) =>
      tenant.make<{ id: string }>('POST', path('grace', '/balances'), {
        ...common,
        amount,
        category: 'paid',
      });
    const { id } = await give(50);
    await tenant.make('POST', path('grace', '/corrections'), { ...common, by: 120, idempotencyKey: 'one' });
    const at = Date.now() - 3_600_000;
    const near = { feature: 'workspaces', property: 'files', used: 120, limit: 150 };
    const readings = [{ envId: previewId, at, features: ['workspaces'], nearLimits: [near] }];
    await see(tenant, [{ identifier: 'grace', at, readings }]);
    await give(1_000);
    expect(await nearest()).toMatchObject({ used: 120, limit: 1_150 });
    const { balances } = await tenant.make<{ balances: CustomerBalance[] }>(
      'GET',
      path('grace', `/environments/${previewId}/balances`),
    );
    const { updatedAt } = balances.find((each) => each.id === id) as CustomerBalance;
    await tenant.make('PUT', path('grace', `/balances/${id}`), { updatedAt, frozen: true });
    expect(await nearest()).toMatchObject({ used: 100, limit: 1_100 });
  });

  it('has the limit of the version that was deployed since, and is not evaluated where nothing has changed', async () => {
    const { tenant, grant, files, proId } = await customerTenant();
    const live = await tenant.make<Environment>('POST', '/environments', { name: 'Live', type: 'live' });
    const deploy = async () => {
      const { artifactId } = await tenant.make<Artifact>('POST', '/artifacts');
      await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
      await publishAll(tenant);
    };
    await grant('grace');
    await deploy();
    const at = Date.now() - 3_600_000;
    await see(tenant, [{ identifier: 'grace', at, readings: [reading(live.id, at, 90)] }]);
    expect((await one(tenant, 'grace'))?.nearest).toMatchObject({ used: 90, limit: 100 });
    const { properties } = await tenant.make<PlanVersion>('GET', `/plans/${proId}/versions/2`);
    const value = {
      state: 'metered',
      meter: { limit: 40, periodType: 'lifetime', uniqueResourceIds: false },
    };
    const lowered = Object.entries(properties).map(([featureId, values]) => [
      featureId,
      values.map((each) => (each.id === files.id ? { ...each, value } : each)),
    ]);
    await tenant.make('PUT', `/plans/${proId}/versions/2`, { properties: Object.fromEntries(lowered) });
    await deploy();
    await eventually(async () =>
      expect((await one(tenant, 'grace'))?.nearest).toMatchObject({ used: 90, limit: 40 }),
    );
    const later = Date.now() + 3_600_000;
    await see(tenant, [{ identifier: 'grace', at: later, readings: [reading(live.id, later, 95)] }]);
    expect((await one(tenant, 'grace'))?.nearest).toMatchObject({ used: 95, limit: 100 });
  });

  it('is known although it asked for more lists of features than one report has room for', async () => {
    const { tenant, previewId } = await customerTenant();
    const at = Date.now() - 3_600_000;
    const many = someEvents(120, (index) => {
      const slugs = Array.from({ length: 150 }, (_, each) => `feature-with-a-long-name-${index}-${each}`);
      const features = JSON.stringify(Object.fromEntries(slugs.map((slug) => [slug, { properties: {} }])));
      const near = { feature: slugs[0] ?? '', property: 'files', used: 90, limit: 100 };
      return {
        time: at + index,
        envId: previewId,
        subjectIdentifier: 'grace',
        featureSlugs: slugs,
        features,
        nearLimits: index % 2 === 0 ? [near] : [],
      };
    });
    const later = someEvent({ time: at + 500, envId: previewId, subjectIdentifier: 'later' });
    const stream = await eventStreamStub(env, tenant.orgId, 'weur');
    await stream.appendGroups({ orgId: tenant.orgId, groups: groupsOf([...many, later]) });
    await stream.reportSeenCustomers();
    await eventually(async () => expect(await names(tenant)).toEqual(['later', 'grace']));
    await eventually(async () =>
      expect((await one(tenant, 'grace'))?.nearest).toMatchObject({
        feature: 'feature-with-a-long-name-118-0',
      }),
    );
  });

  it('is not written again before the resolution has passed', async () => {
    const tenant = await newTenant();
    const at = Date.now() - DAY_MS;
    await see(tenant, [{ identifier: 'grace', at }]);
    await see(tenant, [{ identifier: 'grace', at: at + 59_000 }]);
    expect(await one(tenant, 'grace')).toMatchObject({ lastSeenAt: at });
    await see(tenant, [{ identifier: 'grace', at: at + 60_000 }]);
    expect(await one(tenant, 'grace')).toMatchObject({ lastSeenAt: at + 60_000 });
    const previewId = await tenant.previewId();
    // A meter with another limit is, even if the same share of it is used.
    const near = (time: number, used: number, limit: number) => ({
      identifier: 'grace',
      at: time,
      readings: [
        {
          ...reading(previewId, time, used),
          nearLimits: [{ feature: 'workspaces', property: 'files', used, limit }],
        },
      ],
    });
    await see(tenant, [near(at + 61_000, 90, 100)]);
    await see(tenant, [near(at + 62_000, 180, 200)]);
    expect((await one(tenant, 'grace'))?.nearest).toMatchObject({ used: 180, limit: 200 });
  });

  it('that calls all day is written once a day; one report writes one other, that was written longest ago', async () => {
    const tenant = await newTenant();
    const start = Date.now() - 30 * DAY_MS;
    const all = Array.from({ length: 50 }, (_, index) => ({
      identifier: `customer-${index}`,
      at: start + index,
    }));
    await see(tenant, all);
    const minute = 60_000;
    let written = 0;
    for (let count = 1; count <= 10; count++) {
      await see(
        tenant,
        all.map((each) => ({ ...each, at: start + count * 2 * minute })),
      );
      const { results } = await env.DB.prepare(
        'SELECT identifier FROM known_customer WHERE org_id = ? AND last_seen_at = ?',
      )
        .bind(tenant.orgId, start + count * 2 * minute)
        .all<{ identifier: string }>();
      expect(results.map(({ identifier }) => identifier)).toEqual([`customer-${count - 1}`]);
      written += results.length;
    }
    expect(written).toBe(10);
    await see(
      tenant,
      all.map((each) => ({ ...each, at: start + DAY_MS + minute })),
    );
    const { n } =
      (await env.DB.prepare('SELECT count(*) AS n FROM known_customer WHERE org_id = ? AND last_seen_at = ?')
        .bind(tenant.orgId, start + DAY_MS + minute)
        .first<{ n: number }>()) ?? {};
    expect(n).toBe(41);
  });

  it('is written with those of other organisations, and one whose report fails does not hold them up', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const at = Date.now() - 3_600_000;
    const batches: number[] = [];
    const ctx = workContext(env, Date.now);
    const db = new Proxy(ctx.db, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (name === 'batch') batches.push(1);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const broken = { ...messageOf(one, []), customers: null as never };
    const messages = [
      messageOf(one, [{ identifier: 'grace', at }]),
      messageOf(other, [{ identifier: 'grace', at }]),
      messageOf(one, [{ identifier: 'grace', at: at + 120_000 }]),
    ];
    await Promise.all(recordSeenCustomers({ ...ctx, db }, messages));
    expect(batches).toHaveLength(2);
    expect(await names(other)).toEqual(['grace']);
    const results = await Promise.allSettled(
      recordSeenCustomers(ctx, [broken, messageOf(other, [{ identifier: 'ada', at }])]),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect((await names(other)).sort()).toEqual(['ada', 'grace']);
  });

  it('that only calls is forgotten after 90 days; one with a grant is not', async () => {
    const { tenant, grant } = await customerTenant();
    const at = Date.now() - 91 * DAY_MS;
    await grant('kept');
    await see(tenant, [
      { identifier: 'kept', at },
      { identifier: 'forgotten', at },
    ]);
    await see(tenant, [{ identifier: 'new', at: Date.now() }]);
    expect(await names(tenant)).toEqual(['new', 'kept']);
  });
});

describe('customers of a Stripe account', () => {
  it('are listed with plans, follow every change, and disappear with the account', async () => {
    const connected = await connectedTenant();
    const { account, tenant, integration } = connected;
    const { productId, priceId } = await account.newProduct('Gold');
    const plan = await tenant.make<{ planId: string }>('POST', '/plans', { name: 'Gold', slug: 'gold' });
    const add = (name: string, email: string) => account.stripe.customers.create({ name, email });
    const ada = await add('Ada Lovelace', 'Ada@Example.com');
    const twin = await add('Ada Byron', 'ada@example.com');
    await tenant.make('POST', '/customers/ada@example.com/grants', {
      planId: plan.planId,
      environmentId: null,
      reason: 'A pilot customer',
      until: null,
    });
    expect(await names(tenant)).toEqual(['ada@example.com']);
    await connected.sync();
    await connected.sync('stripe-product');
    await tenant.make('PUT', `/plans/${plan.planId}/products`, {
      addProducts: [{ integrationId: integration.id, productId, version: 1 }],
    });
    // The grant is younger than the customers, so the email is an alias, and the grant its owner's.
    expect((await names(tenant)).sort()).toEqual([ada.id, twin.id].sort());
    expect((await names(tenant, { query: 'ada@example.com' })).sort()).toEqual([ada.id, twin.id].sort());
    expect(await names(tenant, { query: 'byron' })).toEqual([twin.id]);

    await tenant.make('PUT', '/customers/ada@example.com/link', {
      integrationId: integration.id,
      customerId: ada.id,
    });
    expect((await names(tenant)).sort()).toEqual([ada.id, twin.id].sort());
    expect(await one(tenant, ada.id)).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      isPastDue: false,
      stripe: { integrationId: integration.id, integrationName: integration.name, testMode: true },
      plans: [{ planId: plan.planId, isGranted: true }],
    });
    expect(await names(tenant, { filter: 'granted' })).toEqual([ada.id]);
    await see(tenant, [{ identifier: 'ada@example.com', at: 7_000_000 }]);
    expect(await one(tenant, ada.id)).toMatchObject({ lastSeenAt: 7_000_000 });

    const subscription = await account.stripe.subscriptions.create({
      customer: twin.id,
      items: [{ price: priceId }],
    });
    await connected.deliver();
    expect(await one(tenant, twin.id)).toMatchObject({ plans: [{ planId: plan.planId, isGranted: false }] });
    await account.stripe.customers.update(twin.id, { name: 'Annabella' });
    await account.stripe.subscriptions.cancel(subscription.id);
    await connected.deliver();
    expect(await names(tenant, { query: 'byron' })).toEqual([]);
    expect(await names(tenant, { query: 'annab' })).toEqual([twin.id]);
    const { items } = await tenant.make<{ items: CustomerChange[] }>('GET', `/customers/${twin.id}/changes`);
    expect(items).toMatchObject([
      { kind: 'subscription', subscriptionId: subscription.id, before: { status: 'active' }, after: null },
      {
        kind: 'subscription',
        before: null,
        after: { status: 'active', productIds: [productId] },
        productNames: { [productId]: 'Gold' },
      },
    ]);

    await tenant.make('DELETE', connected.path);
    await eventually(async () => {
      expect((await names(tenant)).sort()).toEqual([ada.id, 'ada@example.com'].sort());
      expect(await countOf(tenant, 'subscription_change')).toBe(0);
    });
    expect(await one(tenant, ada.id)).toMatchObject({ name: null, email: null, stripe: null });
    expect(await names(tenant, { query: 'lovelace' })).toEqual([]);
  });
});

describe('a search', () => {
  it.each([
    ['Bruce Lee', ['Lee', 'lee']],
    ['Ng', ['Ng']],
    ['山田太郎', ['太郎', '太', '山田太郎']],
    ['Søren Ødegård', ['ø', 'o', 'søren', 'Soren']],
    ['Łukasz', ['ł', 'l', 'lukasz', 'łukasz']],
    ['Jan Weiß', ['weiß', 'weiss', 'WEISS']],
    ['Conan O’Brien', ["O'Brien", 'O’Brien']],
    ["Sinéad O'Brien", ["O'Brien", 'O’Brien']],
    ['Globex (Acme)', ['(Acme)', 'acme']],
  ])('finds the customer %s by name', async (name, searches) => {
    const tenant = await newTenant();
    const integrationId = await connectAccount(tenant);
    const [id, other] = [someCustomerId(), someCustomerId()];
    await putCustomer(tenant, { integrationId, id, name, email: 'x@example.com' });
    await putCustomer(tenant, { integrationId, id: other, name: 'Zed', email: 'zed@example.com' });
    for (const query of searches) expect(await names(tenant, { query }), query).toEqual([id]);
  });

  it('finds a customer that only calls by its identifier', async () => {
    const tenant = await newTenant();
    await see(tenant, [{ identifier: '花子', at: Date.now() }]);
    expect(await names(tenant, { query: '子' })).toEqual(['花子']);
  });
});

describe('the changes of a customer', () => {
  it('are listed newest first, in pages, and are its own', async () => {
    const own = await customerTenant();
    const { tenant, grant, override, seats } = own;
    await grant('ada', { reason: 'A pilot customer' });
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
       INSERT INTO audit_log (id, org_id, action, target_id, detail, at)
       SELECT 'aud_many' || i, ?, 'customer.override-removed', 'ada', '{}', ? FROM n`,
    )
      .bind(tenant.orgId, Date.now())
      .run();
    await override('ada', seats.id, 22);
    await grant('grace');
    const first = await changes(own, 'ada');
    expect(first.items).toHaveLength(20);
    expect(first.items[0]).toMatchObject({
      kind: 'manual',
      action: 'customer.property-overridden',
      identifier: 'ada',
      detail: { propertyId: seats.id, value: 22 },
    });
    const rest = await changes(own, 'ada', first.nextCursor ?? '');
    expect(rest).toMatchObject({ nextCursor: null, items: { length: 2 } });
    expect(rest.items.at(-1)).toMatchObject({
      action: 'customer.plan-granted',
      detail: { reason: 'A pilot customer' },
    });
    expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(22);
    expect(await tenant.call('GET', '/customers/ada/changes?cursor=x')).toMatchObject({ status: 400 });
    const stranger = await customerTenant();
    expect((await changes(stranger, 'ada')).items).toEqual([]);
  });
});

function changes({ tenant, path }: CustomerTenant, who: string, cursor = '') {
  const query = cursor === '' ? '' : `?${new URLSearchParams({ cursor })}`;
  return tenant.make<{ items: CustomerChange[]; nextCursor: string | null }>(
    ...(['GET', path(who, `/changes${query}`)] as const),
  );
}

describe('a test check', () => {
  it('answers as the environment would, with reasons, and only for its own organisation', async () => {
    const { tenant, grant, previewId, path } = await customerTenant();
    await grant('ada');
    const check = (where: string) =>
      tenant.call<{ diagnostics: { explanation: object[] } }>(
        ...(['POST', path('ada', `/environments/${where}/test-check`), {}] as const),
      );
    const { status, body } = await check(previewId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      response: { features: { workspaces: { properties: { seats: 50 } } } },
      diagnostics: { plans: ['pro'] },
    });
    expect(body.diagnostics.explanation).toContainEqual(
      expect.objectContaining({ property: 'seats', value: 50, decidedBy: ['pro'] }),
    );
    const stranger = await newTenant();
    expect(await check(await stranger.previewId())).toMatchObject({ status: 404 });
  });
});

describe('what calls of customers write', () => {
  it('is about a dozen rows for a new customer, four at most for all known ones of a report, and none for a repeated report', async () => {
    const tenant = await newTenant();
    const people = (at: number) =>
      Array.from({ length: 200 }, (_, index) => ({ identifier: `person-${index}@example.com`, at }));
    const first = Date.now() - 600_000;
    // The row with its index entries and its words, of which an email has several.
    expect(await rowsWrittenBy(() => see(tenant, people(first)))).toBeLessThan(200 * 14);
    expect(await countOf(tenant, 'known_customer')).toBe(200);
    expect(await rowsWrittenBy(() => see(tenant, people(first)))).toBe(0);
    expect(await rowsWrittenBy(() => see(tenant, people(first + 300_000)))).toBeLessThan(5);
  });
});

describe('with 100,000 customers', () => {
  it('a page of any filter reads as many rows as it shows, and never those of another organisation', async () => {
    const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
    await fill(other.orgId, 3_000);
    await fill(tenant.orgId, 100_000);
    for (const [query, count] of [
      [{}, 50],
      [{ filter: 'granted' }, 50],
      [{ filter: 'override' }, 50],
      [{ filter: 'past-due' }, 50],
      [{ filter: 'near-limit' }, 50],
      [{ query: 'customer 4' }, 50],
      [{ query: 'own-77777' }, 1],
      [{ query: 'o' }, 50],
      [{ query: '太' }, 0],
      [{ query: 'customer', filter: 'past-due' }, 12],
    ] as const) {
      const { rowsRead, items } = await costOf(tenant, query);
      expect(items, JSON.stringify(query)).toHaveLength(count);
      expect(rowsRead, JSON.stringify(query)).toBeLessThan(
        'query' in query && 'filter' in query ? 2_500 : 800,
      );
    }
    const seen = new Set<string>();
    let cursor: string | null = '';
    for (let page = 0; page < 4 && cursor !== null; page++) {
      const answer: CustomerList = await list(tenant, cursor === '' ? {} : { cursor });
      for (const { identifier } of answer.items) seen.add(identifier);
      cursor = answer.nextCursor;
    }
    expect(seen.size).toBe(200);
    expect([...seen][0]).toBe('own-100000');
  });

  it('a cursor that is none is refused by name', async () => {
    const tenant = await newTenant();
    for (const query of ['cursor=x', 'cursor=x&filter=near-limit', 'cursor=x&query=a', 'filter=x']) {
      const { status, body } = await tenant.call<{ error: object }>('GET', `/customers?${query}`);
      expect(status, query).toBe(400);
      expect(JSON.stringify(body), query).toContain(query.startsWith('cursor') ? 'cursor' : 'filter');
    }
  });
});

/** Every 100th customer has a grant, an override, a late payment and a meter near its limit. */
async function fill(orgId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 25_000) {
    const to = Math.min(count, from + 25_000);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
       INSERT INTO known_customer (org_id, identifier, name, created_at, last_seen_at, is_past_due, granted_until, overridden_until, near_share, nearest, words)
       SELECT ?, 'own-' || i, 'Customer ' || i, i, i, i % 100 = 0, (i % 100 = 0) * 9e15, (i % 100 = 0) * 9e15, (i % 100 = 0) * 0.9,
         CASE i % 100 WHEN 0 THEN '{"envId":"env_x","feature":"f","property":"p","used":9,"limit":10,"at":1}' END,
         json_array('customer ' || i, 'own-' || i) FROM n`,
    )
      .bind(orgId)
      .run();
  }
}

/** Rows that D1 reads for the list, without those of the session. */
async function costOf(tenant: Tenant, query: Record<string, string>) {
  const without = await rowsReadBy(() => tenant.call('GET', '/customers?cursor=x'));
  let items: KnownCustomer[] = [];
  const all = await rowsReadBy(async () => {
    ({ items } = await list(tenant, query));
  });
  return { items, rowsRead: all - without };
}

const rowsReadBy = (work: () => Promise<unknown>) => rowsOf('rows_read', work);
const rowsWrittenBy = (work: () => Promise<unknown>) => rowsOf('rows_written', work);

async function countOf({ orgId }: Tenant, table: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE org_id = ?`)
    .bind(orgId)
    .first<{ count: number }>();
  return row?.count ?? 0;
}

const wordsOf = (tenant: Tenant) => countOf(tenant, 'customer_word');
