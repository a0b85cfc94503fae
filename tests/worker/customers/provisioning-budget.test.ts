// What customers created by API cost the database that all organisations share, and what stops, counts and deletes them.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Plan } from '#contracts/console/plans';
import { CUSTOMER_BUDGETS } from '#engine/usage/customer-budget';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { connectAccount, putCustomer } from '#tests/support/stripe-customers';
import { publishAll } from '#tests/support/tenants';
import { forgetReceipts } from '#worker/domains/customers/provisioning/receipts';
import { forgetReportedChanges, reportChanges } from '#worker/domains/customers/provisioning/report-changes';
import { forgetDeletedCustomers } from '#worker/domains/environments/forget-deleted-customers';
import { countCallsEver, readUsage } from '#worker/domains/events/reads';
import { workContext } from '#worker/http/make-work-context';

const DAY_MS = 86_400_000;

let own: Provisioner;
beforeAll(async () => {
  own = await provisioner();
});

const orgOf = ({ tenant }: Provisioner) => tenant.orgId;
const stored = async (of: Provisioner, kind = 'provisioned_customer') =>
  (await env.DB.prepare('SELECT total FROM stored_rows WHERE org_id = ? AND kind = ?')
    .bind(orgOf(of), kind)
    .first<number>('total')) ?? 0;
const setStored = (of: Provisioner, total: number) =>
  env.DB.prepare("UPDATE stored_rows SET total = ? WHERE org_id = ? AND kind = 'provisioned_customer'")
    .bind(total, orgOf(of))
    .run();
const count = async (table: string, where: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<number>('n')) ?? 0;

it('the budget counts the customers of all environments, and refuses the next one of the free plan by name', async () => {
  const other = await own.tenant.make<{ id: string }>('POST', '/environments', { name: 'Two', type: 'test' });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    environmentId: other.id,
    type: 'secret',
    managesCustomers: true,
  });
  await publishAll(own.tenant);
  await own.manage('PUT', '/one', {});
  expect((await callCustomers(key.value, 'PUT', '/one', {})).status).toBe(200);
  expect(await stored(own)).toBe(2);

  await setStored(own, CUSTOMER_BUDGETS.build - 1);
  const answers = await Promise.all([1, 2, 3].map((n) => own.manage('PUT', `/last-${n}`, {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = await callCustomers(key.value, 'PUT', '/more', { name: 'More' });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      errorType: 'conflict',
      code: 'customer-limit-reached',
      issues: [{ path: 'customer', message: expect.stringContaining('10,000') }],
    },
  });
  expect(await count('provisioned_customer', `identifier = 'more'`)).toBe(0);
  const changes = [
    { change: 'save-customer', customer: 'one', name: 'Kept' },
    { change: 'save-customer', customer: 'more' },
  ];
  const batch = await own.manage<{ results: readonly object[] }>('POST', '', { changes });
  expect(batch.body.results).toMatchObject([
    { status: 'success', changed: true },
    { status: 'error', issues: [{ path: 'changes.1.customer' }] },
  ]);
});

it('an organisation that has more keeps what it has, and a paid plan has room', async () => {
  await setStored(own, CUSTOMER_BUDGETS.build + 5_000);
  expect((await own.manage('GET', '/one')).status).toBe(200);
  expect((await own.manage('PUT', '/one', { name: 'Still mine' })).status).toBe(200);
  expect((await own.manage('PUT', '/over', {})).status).toBe(409);
  const plan = (to: string) =>
    env.DB.prepare('UPDATE organization SET plan = ? WHERE id = ?').bind(to, orgOf(own)).run();
  await plan('grow');
  expect((await own.manage('PUT', '/over', {})).status).toBe(200);
  await setStored(own, CUSTOMER_BUDGETS.grow);
  expect(await own.manage('PUT', '/far-over', {})).toMatchObject({ status: 409 });
  await plan('build');
});

it('customers of a deleted environment leave the budget', async () => {
  const of = await provisioner();
  const made = await of.tenant.make<{ id: string }>('POST', '/environments', { name: 'Gone', type: 'test' });
  const key = await of.tenant.make<{ value: string }>('POST', '/api-keys', {
    environmentId: made.id,
    type: 'secret',
    managesCustomers: true,
  });
  await publishAll(of.tenant);
  for (const id of ['a', 'b', 'c']) await callCustomers(key.value, 'PUT', `/${id}`, {});
  await of.manage('PUT', '/kept', {});
  expect(await stored(of)).toBe(4);
  await of.tenant.call('DELETE', `/environments/${made.id}`);
  await forgetDeletedCustomers(workContext(env, Date.now));
  expect(await stored(of)).toBe(1);
  expect(await count('provisioned_customer', `org_id = '${orgOf(of)}'`)).toBe(1);
});

it('a customer with name, email and user id costs one outbox row and few words', async () => {
  const id = `user_${crypto.randomUUID()}`;
  const before = await count('audit_log', '1');
  const body = { name: 'Ada Lovelace', email: 'ada.lovelace@example.com', userId: crypto.randomUUID() };
  const results = await own.manage<{ results: readonly object[] }>('POST', '', {
    changes: [{ change: 'save-customer', customer: 'one', ...body }],
  });
  expect(results.body.results).toMatchObject([{ changed: true }]);
  const messages = await env.DB.prepare(
    `SELECT payload FROM outbox WHERE org_id = ? AND type = 'customer.changed'`,
  )
    .bind(orgOf(own))
    .all<{ payload: string }>();
  const named = messages.results.map(({ payload }) => JSON.parse(payload));
  expect(named.filter(({ customer }) => customer === 'one')).toHaveLength(1);
  expect(named.at(-1)).toMatchObject({ customers: ['one', body.email, body.userId] });
  expect(await count('audit_log', '1')).toBe(before + 1);

  const other = await provisioner();
  await other.manage('PUT', `/${id}`, { ...body, email: 'ada@example.org' });
  expect(await count('customer_word', `org_id = '${orgOf(other)}'`)).toBeLessThanOrEqual(6);
});

it('each change counts once as an API call of its environment and day, without an event', async () => {
  const of = await provisioner();
  const scope = { orgId: orgOf(of) };
  const ctx = workContext(env, Date.now);
  const why = { reason: 'Invoice 2026-118' };
  await of.tenant.make<Plan>('POST', '/plans', { name: 'Extra', slug: 'extra' });
  await of.manage('PUT', '/counted', { name: 'One' });
  await of.manage('PUT', '/counted', { name: 'One' });
  await of.manage('PUT', '/counted', { name: 'Two' });
  await of.manage('PUT', '/counted/grants/extra', why);
  await of.manage('DELETE', '/counted/grants/extra');
  await of.manage('GET', '/counted');
  const changes = ['x', 'y', 'z'].map((customer) => ({ change: 'save-customer', customer }));
  await of.manage('POST', '', { changes });
  await reportChanges(ctx);
  await reportChanges(ctx);
  expect(await countCallsEver(ctx, scope)).toBe(7);
  const today = Date.now() - (Date.now() % DAY_MS);
  const { items } = await readUsage(ctx, scope, today - DAY_MS, today + 2 * DAY_MS);
  expect(items.map(({ type, environment, total }) => [type, environment, total])).toEqual([
    ['ac', of.previewId, 7],
  ]);
  const { body } = await of.tenant.call<{ events: unknown[] }>('GET', '/event-search');
  expect(body.events).toEqual([]);

  await of.manage('PUT', '/counted', { name: 'Three' });
  // Reported, and what was committed afterwards was lost: a report of what is counted already counts nothing.
  await env.DB.prepare('UPDATE counted_change SET reported = 0 WHERE org_id = ?').bind(scope.orgId).run();
  await reportChanges(ctx);
  expect(await countCallsEver(ctx, scope)).toBe(8);
  await forgetReportedChanges(workContext(env, () => Date.now() + 5 * DAY_MS));
  expect(await count('counted_change', `org_id = '${scope.orgId}'`)).toBe(0);
});

it('a call that creates or saves a customer and says which Stripe customer it is counts once', async () => {
  const of = await provisioner();
  const integrationId = await connectAccount(of.tenant);
  for (const id of ['cus_Counted1', 'cus_Counted2']) await putCustomer(of.tenant, { integrationId, id });
  const counted = async () => {
    const row = await env.DB.prepare(
      'SELECT coalesce(sum(total), 0) AS total FROM counted_change WHERE org_id = ?',
    )
      .bind(orgOf(of))
      .first<{ total: number }>();
    return row?.total;
  };
  const stripe = (customerId: string) => ({ stripe: { integrationId, customerId } });
  await of.manage('PUT', '/counted', { name: 'One', ...stripe('cus_Counted1') });
  expect(await counted()).toBe(1);
  await of.manage('PUT', '/counted', { name: 'Two', ...stripe('cus_Counted2') });
  expect(await counted()).toBe(2);
  await of.manage('PUT', '/counted', stripe('cus_Counted1'));
  expect(await counted()).toBe(3);
  await of.manage('PUT', '/counted', { stripe: null });
  expect(await counted()).toBe(4);
});

it('two calls that create or change a customer at once leave what one of them says, and no alias of the other', async () => {
  const of = await provisioner();
  for (let round = 0; round < 4; round++) {
    const emails = [1, 2, 3].map((n) => `race-${round}-${n}@tests.example`);
    const answers = await Promise.all(
      emails.map((email) => of.manage('PUT', `/race-${round}`, { name: email, email })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await env.DB.prepare(
      'SELECT name, email FROM provisioned_customer WHERE org_id = ? AND identifier = ?',
    )
      .bind(orgOf(of), `race-${round}`)
      .all<{ name: string; email: string }>();
    expect(rows.results).toHaveLength(1);
    expect(rows.results[0]?.email).toBe(rows.results[0]?.name);
    const created = await count(
      'audit_log',
      `org_id = '${orgOf(of)}' AND action = 'customer.created' AND target_id = 'race-${round}'`,
    );
    expect(created).toBe(1);
    const known = await env.DB.prepare('SELECT identifier FROM known_customer WHERE org_id = ?')
      .bind(orgOf(of))
      .all<{ identifier: string }>();
    expect(known.results.filter(({ identifier }) => identifier.includes('@'))).toEqual([]);
  }
});

it('receipts are deleted by the schedule after a day, however many there are', async () => {
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
    INSERT INTO provisioning_receipt (environment_id, customer, key, org_id, request_hash, created_at)
    SELECT ?, 'someone', 'key-' || i, ?, 'hash', CASE WHEN i <= 10 THEN ? ELSE 1 END FROM n`;
  await env.DB.prepare(many).bind(own.previewId, orgOf(own), Date.now()).run();
  await forgetReceipts(workContext(env, Date.now));
  expect(await count('provisioning_receipt', `customer = 'someone'`)).toBe(10);
});
