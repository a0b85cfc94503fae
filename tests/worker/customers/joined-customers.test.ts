// What customers that are one with a Stripe customer cost among 100,000 of them, and what is left when an environment or the organisation goes.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import { rowsOf } from '#tests/support/database-rows';
import { eventually } from '#tests/support/eventually';
import { requestDeletion, runToTheEnd } from '#tests/support/organisation-deletion';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { connectAccount, putCustomer } from '#tests/support/stripe-customers';
import { openDatabase } from '#worker/db/database';
import { findNameOwners } from '#worker/domains/customer-facts/customer-names';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { renewKnownCustomers } from '#worker/domains/customers/list/renew-known-customers';
import { workContext } from '#worker/http/make-work-context';

const CUSTOMERS = 100_000;

/** Each is named by the metadata of a Stripe customer; of every tenth, a call says another one. */
async function fill({ tenant: { orgId }, previewId }: Provisioner, integrationId: string): Promise<void> {
  await env.DB.prepare("UPDATE organization SET plan = 'grow' WHERE id = ?").bind(orgId).run();
  const insert = async (into: string, select: string, ...bound: string[]) => {
    for (let from = 0; from < CUSTOMERS; from += 20_000)
      await env.DB.prepare(
        `INSERT INTO ${into} WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + 20_000}) ${select}`,
      )
        .bind(...bound)
        .run();
  };
  await env.DB.prepare(
    "UPDATE stripe_integration SET user_id_key = 'workspace', user_ids_ready = 1 WHERE id = ?",
  )
    .bind(integrationId)
    .run();
  const columns =
    'integration_id, org_id, id, email, name, livemode, metadata, user_id, subscriptions, created_at, read_at, facts_version, email_since, email_role, email_role_at';
  const row = (id: string, userId: string, email: string) =>
    `SELECT ?, ?, ${id}, ${email}, 'N', 0, '{}', ${userId}, '[]', i, 1, 1, i, 'owner', 1 FROM n`;
  await insert(
    `stripe_customer (${columns})`,
    row("'cus_' || i", "'ws-' || i", "i || '@a.example'"),
    integrationId,
    orgId,
  );
  await insert(
    `stripe_customer (${columns})`,
    `${row("'cus_b' || i", 'NULL', "i || '@b.example'")} WHERE i % 10 = 0`,
    integrationId,
    orgId,
  );
  await insert(
    'provisioned_customer (environment_id, org_id, identifier, serial, created_at, updated_at, created_by_key)',
    "SELECT ?, ?, 'ws-' || i, i, i, i, '{}' FROM n",
    previewId,
    orgId,
  );
  await insert(
    'customer_source (environment_id, org_id, identifier, integration_id, livemode, customer_id, joined_at)',
    "SELECT ?, ?, 'ws-' || i, ?, 0, 'cus_b' || i, 1 FROM n WHERE i % 10 = 0",
    previewId,
    orgId,
    integrationId,
  );
  await insert(
    'known_customer (org_id, identifier, created_at, last_seen_at, words)',
    "SELECT ?, 'ws-' || i, i, i, json_array('ws-' || i) FROM n",
    orgId,
  );
}

test('with 100,000 joined customers, what concerns one of them reads rows of few', async () => {
  const own = await provisioner();
  const { tenant, previewId, managing } = own;
  const integrationId = await connectAccount(tenant);
  await fill(own, integrationId);
  const db = openDatabase(env.DB);
  const facts = (name: string) => loadFactsOfMany(db, tenant, previewId, [name]);
  const put = async (name: string, body: object) =>
    expect((await callCustomers(managing.value, 'PUT', `/${name}`, body)).status).toBe(200);
  const source = { integrationId, customerId: 'cus_b30' };
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ...['ws-5', 'cus_5', '5@a.example', 'ws-50', 'cus_50', 'cus_b50', '50@b.example'].map(
      (name) => [`facts of ${name}`, () => facts(name)] as const,
    ),
    ['owners', () => findNameOwners(db, tenant.orgId, ['ws-5', 'cus_5', '5@a.example', 'cus_b50'])],
    ['list', () => tenant.make('GET', '/customers')],
    ['search', () => tenant.make('GET', '/customers?query=ws-77777')],
    ['page', () => tenant.make('GET', own.path('ws-50'))],
    ['read', () => own.manage('GET', '/cus_b50')],
    ['separate', () => put('ws-30', { stripe: null })],
    ['join', () => put('ws-30', { stripe: source })],
    ['save with an email at Stripe', () => put('ws-30', { email: '30@a.example' })],
    ['create and join', () => put('new', { stripe: { integrationId, customerId: 'cus_7' } })],
    ['stored', () => putCustomer(tenant, { integrationId, id: 'cus_9', email: 'new@a.example' })],
  ];
  const read: Record<string, number> = {};
  for (const [what, work] of works) read[what] = await rowsOf('rows_read', work);
  for (const [what, rows] of Object.entries(read))
    expect([what, rows < 3_000 ? true : rows]).toEqual([what, true]);
  const begin = 'INSERT OR REPLACE INTO customer_word_renewal VALUES (1, ?, ?)';
  await env.DB.prepare(begin).bind(tenant.orgId, 'ws-4').run();
  const renewal = await rowsOf('rows_read', () => renewKnownCustomers(workContext(env, Date.now)));
  expect(renewal).toBeLessThan(200 * 1_000);
  const joined = (await facts('cus_b50')).get('cus_b50');
  expect(joined?.aliasOf?.customerId).toBe('ws-50');
  expect((await facts('cus_50')).get('cus_50')?.aliasOf ?? null).toBeNull();
});

test('when its environment is deleted a Stripe customer is itself again, and with the organisation nothing is left', async () => {
  const own = await provisioner();
  const { tenant } = own;
  const integrationId = await connectAccount(tenant);
  const stage = await tenant.make<Environment>('POST', '/environments', { name: 'Stage', type: 'test' });
  const key = await tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stage.id, type: 'secret', name: 'Stage', managesCustomers: true },
  });
  await putCustomer(tenant, {
    integrationId,
    id: 'cus_Stage1',
    email: 'stage@tests.example',
    name: 'Stella',
  });
  const listed = async (search = '') =>
    (await tenant.make<CustomerList>('GET', `/customers${search}`)).items.map(({ identifier }) => identifier);
  const source = { stripe: { integrationId, customerId: 'cus_Stage1' } };
  await eventually(async () =>
    expect((await callCustomers(key.value, 'PUT', '/staged', source)).status).toBe(200),
  );
  expect(await listed()).toEqual(['staged']);
  // The renewal of the migrations is over: it would begin with other organisations' customers.
  await env.DB.prepare('DELETE FROM customer_word_renewal').run();
  await tenant.make('DELETE', `/environments/${stage.id}`);
  await eventually(async () => expect(await listed()).toEqual(['cus_Stage1']));
  await renewKnownCustomers(workContext(env, Date.now));
  for (const query of ['stella', 'stage@tests.example', 'cus_stage1'])
    expect([query, await listed(`?${new URLSearchParams({ query })}`)]).toEqual([query, ['cus_Stage1']]);
  expect((await own.manage('PUT', '/kept', source)).status).toBe(200);
  await requestDeletion(tenant);
  await runToTheEnd(tenant);
  for (const table of [
    'customer_source',
    'provisioned_customer',
    'stripe_customer',
    'known_customer',
    'customer',
  ]) {
    const left = await env.DB.prepare(`SELECT count(*) AS total FROM ${table} WHERE org_id = ?`)
      .bind(tenant.orgId)
      .first<{ total: number }>();
    expect([table, left?.total]).toEqual([table, 0]);
  }
});
