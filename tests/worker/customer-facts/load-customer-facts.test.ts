// Facts of many customers are read together: the same as each alone, and at a cost that only their own rows decide.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { rowsOf } from '#tests/support/database-rows';
import { payingTenant, someAddress } from '#tests/support/paying-tenants';
import { putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { commit, openDatabase } from '#worker/db/database';
import { loadCustomerFacts, loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { deleteStripeIntegration } from '#worker/domains/integrations/stripe/connect/delete-integration';
import { applyCustomers } from '#worker/domains/integrations/stripe/sync/apply-customers';
import { workContext } from '#worker/http/make-work-context';

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

it('a version is raised by the deletion of an integration, also if its customer was stored with a later clock, and by the next change', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const db = openDatabase(env.DB);
  const { id, email } = await own.someone();
  const versionOf = async (name: string) =>
    (await loadCustomerFacts(db, { orgId }, own.previewId, name)).version;
  const late = Date.now() + 60_000;
  await env.DB.prepare('UPDATE stripe_customer SET facts_version = ? WHERE org_id = ? AND id = ?')
    .bind(late, orgId, id)
    .run();
  expect(await versionOf(id)).toBe(late);
  await deleteStripeIntegration(workContext(env, Date.now), { orgId, actor: null }, own.testAccount);
  expect(await versionOf(id)).toBeGreaterThan(late);

  const before = await versionOf(email);
  expect(before).toBeGreaterThan(late);
  await own.grant(email, { planId: own.plusId });
  expect(await versionOf(email)).toBeGreaterThan(before);
});

it('a version is raised for all names of the first carrier of an id by a second one, whatever a later clock has stored', async () => {
  const own = await payingTenant();
  const { orgId } = own.tenant;
  const db = openDatabase(env.DB);
  const carrier = (email: string) => {
    const created = {
      id: someCustomerId(),
      email,
      name: null,
      livemode: false,
      createdAt: 1,
      isDeleted: false,
    };
    return { ...created, metadata: { workspace: 'ws_9' }, subscriptions: [] };
  };
  const put = (customer: ReturnType<typeof carrier>) => {
    const read = { orgId, integrationId: own.testAccount, outboxId: customer.id, now: Date.now() };
    return commit(
      db,
      applyCustomers(db, { ...read, customers: [{ customer, readAt: Date.now() }] }).statements,
    );
  };
  await env.DB.prepare(
    "UPDATE stripe_integration SET user_id_key = 'workspace', user_ids_ready = 1 WHERE id = ?",
  )
    .bind(own.testAccount)
    .run();
  await env.DB.prepare(
    "INSERT INTO provisioned_customer (org_id, environment_id, identifier, serial, created_by_key, created_at, updated_at) VALUES (?, ?, 'ws_9', 1, '{}', 1, 1)",
  )
    .bind(orgId, own.previewId)
    .run();
  const email = someAddress();
  await put(carrier(email));
  const factsOf = (name: string) => loadCustomerFacts(db, { orgId }, own.previewId, name);
  await own.grant(email, { planId: own.plusId });
  await env.DB.prepare('UPDATE customer SET facts_version = ? WHERE org_id = ? AND identifier = ?')
    .bind(Date.now() + 300_000, orgId, email)
    .run();
  const before = await factsOf('ws_9');
  expect(before.userIds).toHaveLength(1);
  await put(carrier(someAddress()));
  const after = await factsOf('ws_9');
  expect(after.userIds ?? []).toEqual([]);
  expect(after.version).toBeGreaterThan(before.version);
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
  ]);
  expect(await cost()).toBeLessThan(few * 1.2);
});
