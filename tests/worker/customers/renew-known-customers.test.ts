// Rows and words of customers that an earlier release or a fault left wrong, and who they were joined with; and words of those that have a row
// of their own again.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { StripeUserIdsChanged } from '#runtime/messages';
import { joiningTenant } from '#tests/support/joining-tenants';
import { provisioner } from '#tests/support/provisioning';
import { auditRows } from '#tests/support/stored-state';
import { connectAccount, putCustomer } from '#tests/support/stripe-customers';
import type { Tenant } from '#tests/support/tenants';
import { commit, openDatabase } from '#worker/db/database';
import { recordSeenCustomers } from '#worker/domains/customers/list/record-seen-customers';
import { renewKnownCustomers, startRenewal } from '#worker/domains/customers/list/renew-known-customers';
import { renewUserIds } from '#worker/domains/integrations/stripe/sync/renew-user-ids';
import { workContext } from '#worker/http/make-work-context';
import { outboxRow } from '#worker/queue/outbox';

const renew = () => renewKnownCustomers(workContext(env, Date.now));
const isUnfinished = async () =>
  (await env.DB.prepare('SELECT 1 FROM customer_word_renewal').first()) !== null;

/** As after the migration. */
beforeEach(async () => {
  await env.DB.prepare("INSERT OR REPLACE INTO customer_word_renewal VALUES (1, '', '')").run();
});

async function found({ make }: Tenant, query: string): Promise<string[]> {
  const { items } = await make<CustomerList>('GET', `/customers?${new URLSearchParams({ query })}`);
  return items.map(({ identifier }) => identifier);
}

it('a customer is found by its name after the renewal, and no longer by words that it has lost', async () => {
  const { tenant, manage } = await provisioner();
  await manage('PUT', '/cus1', { name: '山田太郎', email: 'taro@example.com' });
  await env.DB.prepare(
    `UPDATE known_customer SET words = '["cus1","taro@example.com","zed","山田太郎"]' WHERE org_id = ?`,
  )
    .bind(tenant.orgId)
    .run();
  expect(await found(tenant, '太')).toEqual([]);
  expect(await found(tenant, 'zed')).toEqual(['cus1']);
  await renew();
  expect(await found(tenant, '太')).toEqual(['cus1']);
  expect(await found(tenant, 'zed')).toEqual([]);
  expect(await isUnfinished()).toBe(false);
});

it('once a day, rows that are wrong, missing or too many are as the other tables say again', async () => {
  const own = await provisioner();
  const { tenant, manage } = own;
  const integrationId = await connectAccount(tenant);
  for (const name of ['granted', 'plain', 'joined']) await manage('PUT', `/${name}`, { name });
  await manage('PUT', '/with-email', { name: 'Zoe', email: 'zoe@tests.example' });
  await own.grant('granted');
  await own.grant('entries-only');
  await own.override('zoe@tests.example', own.seats.id, 7);
  for (const id of ['cus_One', 'cus_Two']) await putCustomer(tenant, { integrationId, id, name: id });
  await manage('PUT', '/joined', { stripe: { integrationId, customerId: 'cus_One' } });
  const rows = () =>
    env.DB.prepare('SELECT * FROM known_customer WHERE org_id = ? ORDER BY identifier')
      .bind(tenant.orgId)
      .all<{ identifier: string }>()
      .then(({ results }) => results);
  for (let run = 0; run < 20 && (await isUnfinished()); run++) await renew();
  const right = await rows();
  expect(right.map(({ identifier }) => identifier)).toEqual(
    ['cus_Two', 'entries-only', 'granted', 'joined', 'plain', 'with-email'].toSorted(),
  );
  const spoil = (text: string) => env.DB.prepare(`${text} AND org_id = ?`).bind(tenant.orgId).run();
  await spoil("UPDATE known_customer SET granted_until = 0, name = 'Wrong' WHERE identifier = 'granted'");
  await spoil("UPDATE known_customer SET overridden_until = 0 WHERE identifier = 'with-email'");
  await spoil("UPDATE known_customer SET granted_until = 5, is_past_due = 1 WHERE identifier = 'joined'");
  await spoil("DELETE FROM known_customer WHERE identifier IN ('entries-only', 'plain')");
  await env.DB.prepare(
    `INSERT INTO known_customer (org_id, identifier, created_at, last_seen_at)
     SELECT ?, value, 1, 1 FROM json_each('["cus_One", "zoe@tests.example"]')`,
  )
    .bind(tenant.orgId)
    .run();
  await startRenewal({ db: openDatabase(env.DB) });
  for (let run = 0; run < 20 && (await isUnfinished()); run++) await renew();
  // What calls have shown counts for whom the name belongs to.
  const isSeen = (identifier: string) => ['joined', 'with-email'].includes(identifier);
  expect(await rows()).toEqual(
    right.map((row) => (isSeen(row.identifier) ? { ...row, last_seen_at: 1 } : row)),
  );
});

it('the next sync makes rows of Stripe customers right that are wrong or missing, though nothing has changed', async () => {
  const { tenant, connected, newStripeCustomer } = await joiningTenant();
  const ids = [];
  for (const name of ['Ada', 'Grace']) ids.push(await newStripeCustomer({ name, pays: false }));
  const rows = () =>
    env.DB.prepare('SELECT * FROM known_customer WHERE org_id = ? ORDER BY identifier')
      .bind(tenant.orgId)
      .all()
      .then(({ results }) => results);
  const right = await rows();
  expect(right).toHaveLength(2);
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE known_customer SET name = 'Wrong', granted_until = 5 WHERE org_id = ? AND identifier = ?",
    ).bind(tenant.orgId, ids[0] ?? ''),
    env.DB.prepare('DELETE FROM known_customer WHERE org_id = ? AND identifier = ?').bind(
      ...[tenant.orgId, ids[1] ?? ''],
    ),
  ]);
  await connected.sync('stripe-customer');
  expect(await rows()).toEqual(right);
});

it('takes a bounded number of customers per run, and the next run goes on after them', async () => {
  const { tenant, previewId } = await provisioner();
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)';
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO provisioned_customer (environment_id, org_id, identifier, name, serial, created_at, updated_at, created_by_key)
       ${numbers} SELECT ?, ?, 'own-' || i, 'Bruce Lee', i, i, i, '{}' FROM n`,
    ).bind(previewId, tenant.orgId),
    env.DB.prepare(
      `INSERT INTO known_customer (org_id, identifier, name, words, created_at)
       ${numbers} SELECT ?, 'own-' || i, 'Bruce Lee', '[]', i FROM n`,
    ).bind(tenant.orgId),
  ]);
  const renewed = async () =>
    (
      await env.DB.prepare("SELECT count(*) AS count FROM customer_word WHERE org_id = ? AND word = 'lee'")
        .bind(tenant.orgId)
        .first<{ count: number }>()
    )?.count;
  await renew();
  expect(await renewed()).toBeLessThanOrEqual(200);
  expect(await isUnfinished()).toBe(true);
  for (let run = 0; run < 5 && (await isUnfinished()); run++) await renew();
  expect(await renewed()).toBe(500);
  expect(await isUnfinished()).toBe(false);
});

it('who was joined before that was stored is stored since when the log says so, and not logged again', async () => {
  const { tenant, manage } = await provisioner();
  const integrationId = await connectAccount(tenant);
  await putCustomer(tenant, { integrationId, id: 'cus_Early' });
  await manage('PUT', '/early', { stripe: { integrationId, customerId: 'cus_Early' } });
  const joins = () =>
    env.DB.prepare('SELECT * FROM customer_join WHERE org_id = ?')
      .bind(tenant.orgId)
      .all()
      .then(({ results }) => results);
  const logged = async () =>
    (await auditRows(tenant)).filter(({ action }) => /customer\.(joined|separated)/.test(action)).length;
  const before = await joins();
  expect(before).toMatchObject([
    { identifier: 'early', customer_id: 'cus_Early', joined_at: expect.any(Number) },
  ]);
  const forget = () => env.DB.prepare('DELETE FROM customer_join WHERE org_id = ?').bind(tenant.orgId).run();
  await forget();
  for (let run = 0; run < 20 && (await isUnfinished()); run++) await renew();
  expect(await joins()).toEqual(before);
  // Also if something changes before the renewal comes to it.
  await forget();
  await putCustomer(tenant, { integrationId, id: 'cus_Early', name: 'Early' });
  expect(await joins()).toEqual(before);
  expect(await logged()).toBe(1);
});

it.each([
  ['before ledgers are told', false],
  ['also if one called before it was listed again', true],
])(
  'once an account names no metadata key, a search finds its customers by their own names, %s',
  async (_, hasCalled) => {
    const { tenant, manage } = await provisioner();
    const { orgId } = tenant;
    const integrationId = await connectAccount(tenant);
    const setKey = (key: string | null) =>
      env.DB.prepare('UPDATE stripe_integration SET user_id_key = ?, user_ids_ready = ? WHERE id = ?')
        .bind(key, key === null ? 0 : 1, integrationId)
        .run();
    await setKey('workspace');
    await manage('PUT', '/acme');
    const one = {
      integrationId,
      id: 'cus_Acme',
      userId: 'acme',
      name: 'Zaphod',
      email: 'zaphod@tests.example',
    };
    await putCustomer(tenant, one);
    expect(await found(tenant, 'zaphod')).toEqual(['acme']);
    await setKey(null);
    const message: StripeUserIdsChanged = {
      ...{ type: 'stripe.user-ids-changed', outboxId: `out_user_ids_${integrationId}`, orgId, integrationId },
      ...{ changeId: 'out_change', after: '', isInEffect: false },
    };
    await commit(openDatabase(env.DB), [outboxRow(openDatabase(env.DB), message, Date.now())]);
    const late = { send: async () => {} } as unknown as typeof env.FACTS_QUEUE;
    if (hasCalled) {
      const sightings = {
        featureLists: [],
        customers: [{ identifier: 'cus_Acme', at: Date.now(), readings: [] }],
      };
      const seen = { type: 'customers.seen', orgId, resolutionMs: 0, ...sightings } as const;
      await Promise.all(recordSeenCustomers(workContext(env, Date.now), [seen]));
      expect(await found(tenant, 'cus_acme')).toContain('cus_Acme');
    }
    await renewUserIds(workContext({ ...env, FACTS_QUEUE: late }, Date.now), message);
    for (const query of ['zaphod', 'zaphod@tests.example', 'cus_acme'])
      expect([query, await found(tenant, query)]).toEqual([query, ['cus_Acme']]);
  },
);
