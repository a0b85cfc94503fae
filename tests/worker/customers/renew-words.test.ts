// Words of customers that an earlier release stored.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
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
