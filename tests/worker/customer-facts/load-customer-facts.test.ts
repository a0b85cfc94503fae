// Facts of many customers are read together: the same as each alone, and at a cost that only their own rows decide.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { putBalances } from '#tests/support/balances';
import { customerTenant } from '#tests/support/customers';
import { rowsOf } from '#tests/support/database-rows';
import { payingTenant, someAddress } from '#tests/support/paying-tenants';
import { putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { openDatabase } from '#worker/db/database';
import { loadCustomerFacts, loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { hasCustomerFacts } from '#worker/domains/snapshots/load-snapshot';

it('customers that share emails have the same facts together as alone', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const [shared, single, free] = [someAddress(), someAddress(), someAddress()];
  const [first, second, third] = [someCustomerId(), someCustomerId(), someCustomerId()];
  const put = (id: string, email: string | null, product: string, integrationId = own.testAccount) =>
    putCustomer(own.tenant, { integrationId, id, email, subscriptions: [subscribed(product)] });
  await put(first, shared, 'prod_pro');
  await put(second, shared, 'prod_plus');
  await put(third, single, 'prod_plus');
  await put('own-id', null, 'prod_pro');
  for (const name of [shared, first, third, free]) await own.grant(name, { planId: own.plusId });
  const db = openDatabase(env.DB);
  const names = [shared, first, free, 'unknown', second, single, third, 'own-id', 'UNION', "'"];
  const together = await loadFactsOfMany(db, { orgId }, own.previewId, names);
  expect([...together.keys()]).toEqual(names);
  for (const name of names) {
    expect(together.get(name), name).toEqual(await loadCustomerFacts(db, { orgId }, own.previewId, name));
  }
  expect(together.get(shared)).toMatchObject({
    aliasOf: { customerId: first },
    grants: [{ planId: own.plusId }],
  });
  expect(together.get(first)).toMatchObject({
    stripe: { customerId: first, isNamedByEmail: true },
    grants: [{ planId: own.plusId, isFromEmail: true }, { planId: own.plusId }],
    namesakes: [{ customerId: second }],
  });
  expect(together.get(free)).toMatchObject({ aliasOf: null, grants: [{ planId: own.plusId }] });
  expect(together.get('unknown')).not.toHaveProperty('stripe');
});

it('the rows read do not depend on how many customers the organisation has', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const id = someCustomerId();
  const email = someAddress();
  await putCustomer(own.tenant, { integrationId: own.testAccount, id, email, subscriptions: [] });
  const cost = () =>
    rowsOf('rows_read', () =>
      loadFactsOfMany(openDatabase(env.DB), { orgId }, own.previewId, [id, email, 'unknown', someAddress()]),
    );
  const few = await cost();
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO stripe_customer (integration_id, org_id, id, email, livemode, metadata, subscriptions, created_at, read_at, facts_version)
       SELECT ?1, ?2, 'cus_stored' || i, 'stored' || i || '@example.com', 0, '{}', '[]', i, 1, 1 FROM n`,
    ).bind(own.testAccount, orgId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO customer (org_id, identifier, facts_version, created_at, updated_at)
       SELECT ?1, 'own-' || i, 1, 1, 1 FROM n`,
    ).bind(orgId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO customer_grant (id, org_id, customer_identifier, plan_id, reason, created_at)
       SELECT 'grant_' || ?1 || i, ?1, 'own-' || i, ?2, '', 1 FROM n`,
    ).bind(orgId, own.plusId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO customer_balance
         (id, org_id, customer_identifier, property_id, amount, category, source, reason, starts_at, created_at, updated_at)
       SELECT 'bal_' || ?1 || i, ?1, 'own-' || i, ?2, 5, 'paid', '{}', '', 1, 1, 1 FROM n`,
    ).bind(orgId, own.files.id),
  ]);
  expect(await cost()).toBeLessThan(few * 1.2);
});

it('balances come with the names of their customer, and a change of one raises the version of each', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const db = openDatabase(env.DB);
  const factsOf = (name: string) => loadCustomerFacts(db, { orgId }, own.previewId, name);
  const { id, email } = await own.someone([subscribed('prod_pro')]);
  const before = await loadFactsOfMany(db, { orgId }, own.previewId, [id, email]);
  for (const facts of before.values()) expect(facts).not.toHaveProperty('balances');
  const endsAt = Date.now() + 86_400_000;
  await putBalances(own, email, {
    id: 'bal_mail',
    endsAt,
    takenBack: 20,
    isFrozen: true,
    category: 'promotional',
  });
  await putBalances(own, id, { id: 'bal_id', priority: 10, startsAt: 7 });
  const both = [
    {
      id: 'bal_id',
      propertyId: own.files.id,
      amount: 50,
      category: 'paid',
      startsAt: 7,
      endsAt: null,
      priority: 10,
    },
    {
      ...{
        id: 'bal_mail',
        propertyId: own.files.id,
        amount: 30,
        category: 'promotional',
        startsAt: 0,
        endsAt,
      },
      ...{ priority: 50, isFrozen: true, isFromEmail: true },
    },
  ];
  const [ofId, ofEmail] = [await factsOf(id), await factsOf(email)];
  expect(ofId.balances).toEqual(both);
  expect(ofEmail).toMatchObject({ aliasOf: { customerId: id }, balances: [{ id: 'bal_mail' }] });
  for (const [name, facts] of [
    [id, ofId],
    [email, ofEmail],
  ] as const)
    expect(facts.version).toBeGreaterThan(before.get(name)!.version);
  await putBalances(own, email);
  const after = await factsOf(id);
  expect(after.balances).toEqual(both.slice(0, 1));
  expect(after.version).toBeGreaterThan(ofId.version);

  // A created customer that is the Stripe customer, by its metadata.
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE stripe_integration SET user_id_key = 'workspace', user_ids_ready = 1 WHERE id = ?",
    ).bind(own.testAccount),
    env.DB.prepare("UPDATE stripe_customer SET user_id = 'ws_7' WHERE id = ?").bind(id),
    env.DB.prepare(
      `INSERT INTO provisioned_customer (org_id, environment_id, identifier, user_id, serial, created_by_key, created_at, updated_at)
       VALUES (?, ?, 'ws_7', 'own-7', 1, '{}', 1, 1)`,
    ).bind(orgId, own.previewId),
  ]);
  await putBalances(own, 'own-7', { id: 'bal_own' });
  await putBalances(own, 'ws_7', { id: 'bal_ws' });
  expect((await factsOf('ws_7')).balances).toMatchObject([
    { id: 'bal_id', isFromEmail: true },
    { id: 'bal_own', isFromEmail: true },
    { id: 'bal_ws' },
  ]);
});

it('a balance alone makes checks of its environment ask for facts', async () => {
  const own = await customerTenant();
  const has = () =>
    openDatabase(env.DB).get<{ has: number }>(sql`SELECT ${hasCustomerFacts(own.previewId)} AS has`);
  expect(await has()).toEqual({ has: 0 });
  await putBalances(own, 'ada', {});
  expect(await has()).toEqual({ has: 1 });
});

it('a balance counts in its environment, and one that was paid in test mode in no live one', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const live = await env.DB.prepare("SELECT id FROM environment WHERE org_id = ? AND type = 'live'")
    .bind(orgId)
    .first<{ id: string }>();
  const idsIn = async (environmentId: string) => {
    const facts = await loadCustomerFacts(openDatabase(env.DB), { orgId }, environmentId, 'ada');
    return facts.balances?.map(({ id }) => id);
  };
  const paid = (paymentId: string, livemode: boolean) => ({
    ...{ integrationId: own.testAccount, paymentId, livemode },
  });
  await putBalances(
    own,
    'ada',
    { id: 'bal_a' },
    { id: 'bal_b', environmentId: own.previewId },
    { id: 'bal_c', environmentId: live!.id },
    { id: 'bal_d', ...paid('pi_1', false) },
    { id: 'bal_e', ...paid('pi_2', true) },
    { id: 'bal_f', closedAt: 5 },
    { id: 'bal_g', needsPlan: true },
  );
  expect(await idsIn(own.previewId)).toEqual(['bal_a', 'bal_b', 'bal_d', 'bal_e', 'bal_g']);
  expect(await idsIn(live!.id)).toEqual(['bal_a', 'bal_c', 'bal_e', 'bal_g']);
});

it('of more than 200 balances those count that end last, and without any nothing more is read', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const load = () => loadCustomerFacts(openDatabase(env.DB), { orgId }, own.previewId, 'ada');
  await putBalances(own, 'ada');
  const none = await rowsOf('rows_read', load);
  const now = Date.now();
  await putBalances(
    own,
    'ada',
    ...Array.from({ length: 202 }, (_, each) => ({ id: `bal_${1000 + each}`, endsAt: now + each })),
    { id: 'bal_ever' },
  );
  const { balances = [] } = await load();
  expect(balances).toHaveLength(200);
  expect([balances[0], balances.at(-1)]).toMatchObject([{ id: 'bal_ever' }, { id: 'bal_1003' }]);
  await putBalances(own, 'ada', { closedAt: 1 });
  expect(await rowsOf('rows_read', load)).toBe(none);
});

it('a balance that an email had before its Stripe customer keeps it from being an alias', async () => {
  const own = await payingTenant();
  const [email, free] = [someAddress(), someAddress()];
  await putBalances(own, email, { createdAt: Date.now() - 60_000 });
  for (const each of [email, free]) await own.someone([], { email: each });
  const { results } = await env.DB.prepare(
    'SELECT email, email_role AS role FROM stripe_customer WHERE org_id = ? AND email IN (?, ?)',
  )
    .bind(own.tenant.orgId, email, free)
    .all<{ email: string; role: string }>();
  expect(Object.fromEntries(results.map((each) => [each.email, each.role]))).toEqual({
    [email]: 'separate',
    [free]: 'owner',
  });
});
