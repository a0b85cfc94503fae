// Grants of a plan that was deleted from the workspace: they stay as long as a version contains the plan, and then end by themselves.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { auditRows } from '#tests/support/stored-state';
import { outboxMessages, publishAll } from '#tests/support/tenants';
import { endGrantsOfDeletedPlans } from '#worker/domains/customers/entries/end-grants-of-deleted-plans';
import { workContext } from '#worker/http/make-work-context';

const run = () => endGrantsOfDeletedPlans(workContext(env, Date.now));

async function grantsOf({ tenant, path }: CustomerTenant, who: string) {
  return (await tenant.make<Customer>('GET', path(who))).grants;
}

const freeze = ({ tenant }: CustomerTenant) => tenant.make<Artifact>('POST', '/artifacts', {});

async function deletePlan({ tenant, proId }: CustomerTenant): Promise<void> {
  await tenant.make('DELETE', `/plans/${proId}`);
  await publishAll(tenant);
}

async function grantedIn({ tenant }: CustomerTenant): Promise<string[]> {
  const { items } = await tenant.make<{ items: { identifier: string }[] }>(
    'GET',
    '/customers?filter=granted',
  );
  return items.map(({ identifier }) => identifier);
}

async function factsVersionOf({ tenant }: CustomerTenant, who: string): Promise<number> {
  const row = await env.DB.prepare(
    'SELECT facts_version AS v FROM customer WHERE org_id = ? AND identifier = ?',
  )
    .bind(tenant.orgId, who)
    .first<{ v: number }>();
  return row?.v ?? 0;
}

async function isListed({ proId }: CustomerTenant): Promise<boolean> {
  const row = await env.DB.prepare('SELECT 1 FROM deleted_plan WHERE plan_id = ?').bind(proId).first();
  return row !== null;
}

it('is listed and applies where a version that has the plan is deployed, and can be revoked', async () => {
  const own = await customerTenant();
  const { tenant, proId, path } = own;
  const live = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
  const version = await freeze(own);
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.artifactId });
  const { id } = await own.grant('ada');
  await deletePlan(own);
  await run();
  expect(await grantsOf(own, 'ada')).toMatchObject([{ id, planId: proId }]);
  const { plans } = await tenant.make<CustomerEntitlements>('GET', path('ada', `/environments/${live.id}`));
  expect(plans).toMatchObject([{ planId: proId, name: 'Pro plan' }]);
  expect((await tenant.call('DELETE', path('ada', `/grants/${id}`))).status).toBe(204);
  expect(await grantsOf(own, 'ada')).toEqual([]);
});

it('ends when the last version that contains the plan is deleted: listed, audited and pushed', async () => {
  const own = await customerTenant();
  const { tenant } = own;
  const first = await freeze(own);
  const { id } = await own.grant('ada', { reason: 'A pilot customer' });
  await own.grant('grace', { planId: own.plusId });
  await deletePlan(own);
  await freeze(own);
  await run();
  await run();
  expect(await grantsOf(own, 'ada')).toMatchObject([{ id }]);
  await publishAll(tenant);
  await tenant.make('DELETE', `/artifacts/${first.artifactId}`);
  const before = await factsVersionOf(own, 'ada');
  await run();
  expect(await factsVersionOf(own, 'ada')).toBeGreaterThan(before);
  expect(await grantsOf(own, 'ada')).toEqual([]);
  expect(await grantedIn(own)).toEqual(['grace']);
  expect(await isListed(own)).toBe(false);
  expect((await auditRows(tenant)).filter(({ action }) => action === 'customer.plan-ended')).toMatchObject([
    { targetId: 'ada', actorUserId: null, detail: { grantId: id, planId: own.proId, environmentId: null } },
  ]);
  expect(await outboxMessages(tenant.orgId)).toContainEqual(
    expect.objectContaining({ type: 'customer.changed', customers: ['ada'] }),
  );
  await publishAll(tenant);
});

it('ends as soon as the workspace is published, where no version was made', async () => {
  const own = await customerTenant();
  await own.grant('ada');
  await own.grant('ada', { environmentId: own.previewId, until: Date.now() + 86_400_000 });
  await own.tenant.make('DELETE', `/plans/${own.proId}`);
  await run();
  expect(await grantsOf(own, 'ada')).toHaveLength(2);
  await publishAll(own.tenant);
  await run();
  expect(await grantsOf(own, 'ada')).toEqual([]);
});

it('is searched for in a bounded number of versions at a time, and found in the oldest', async () => {
  const own = await customerTenant();
  const { orgId } = own.tenant;
  await own.grant('ada');
  await deletePlan(own);
  const keep = async (id: string, number: number, plans: readonly { id: string }[]) => {
    const content = JSON.stringify({ plans });
    await env.ARTIFACTS.put(`artifacts/${orgId}/${id}`, content);
    await env.DB.prepare('INSERT INTO artifact (id, org_id, number, hash, created_at) VALUES (?, ?, ?, ?, 1)')
      .bind(`${id}_${orgId}`, orgId, number, id)
      .run();
  };
  await keep('art_0000', 1, [{ id: own.proId }]);
  for (let number = 2; number < 25; number += 1) await keep(`art_00${10 + number}`, number, []);
  for (let runs = 0; runs < 4; runs += 1) await run();
  expect(await grantsOf(own, 'ada')).toHaveLength(1);
  await env.DB.prepare('DELETE FROM artifact WHERE id = ?').bind(`art_0000_${orgId}`).run();
  await run();
  expect(await grantsOf(own, 'ada')).toEqual([]);
});

it('ends for any number of customers, some in each run', async () => {
  const own = await customerTenant();
  const { orgId } = own.tenant;
  await own.grant('ada');
  await env.DB.prepare(
    `INSERT INTO customer_grant (id, org_id, customer_identifier, plan_id, reason, created_at)
     SELECT 'grant_' || value || ?1, ?1, 'user_' || value, ?2, 'Many', 1 FROM json_each(?3)`,
  )
    .bind(orgId, own.proId, JSON.stringify(Array.from({ length: 120 }, (_, index) => index)))
    .run();
  await deletePlan(own);
  const left = async () => {
    const row = await env.DB.prepare('SELECT count(*) AS n FROM customer_grant WHERE org_id = ?')
      .bind(orgId)
      .first<{ n: number }>();
    return row?.n;
  };
  await run();
  expect(await left()).toBe(21);
  await run();
  expect(await left()).toBe(0);
  expect(await isListed(own)).toBe(false);
});
