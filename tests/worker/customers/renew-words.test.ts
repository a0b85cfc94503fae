// Words of customers that an earlier release stored, and who they were joined with.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import { provisioner } from '#tests/support/provisioning';
import { auditRows } from '#tests/support/stored-state';
import { connectAccount, putCustomer } from '#tests/support/stripe-customers';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { renewWords } from '#worker/domains/customers/list/renew-words';
import { workContext } from '#worker/http/make-work-context';

const renew = () => renewWords(workContext(env, Date.now));
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
  const tenant = await newTenant();
  await env.DB.prepare(
    `INSERT INTO known_customer (org_id, identifier, name, email, words, created_at)
     VALUES (?, 'cus_1', '山田太郎', 'taro@example.com', '["cus_1","taro@example.com","zed","山田太郎"]', 1)`,
  )
    .bind(tenant.orgId)
    .run();
  expect(await found(tenant, '太')).toEqual([]);
  expect(await found(tenant, 'zed')).toEqual(['cus_1']);
  await renew();
  expect(await found(tenant, '太')).toEqual(['cus_1']);
  expect(await found(tenant, 'zed')).toEqual([]);
  expect(await isUnfinished()).toBe(false);
});

it('takes a bounded number of customers per run, and the next run goes on after them', async () => {
  const tenant = await newTenant();
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
     INSERT INTO known_customer (org_id, identifier, name, words, created_at)
     SELECT ?, 'own-' || i, 'Bruce Lee', '[]', i FROM n`,
  )
    .bind(tenant.orgId)
    .run();
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
