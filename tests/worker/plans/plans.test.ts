// Plans: names, grants and validation.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Feature } from '#contracts/console/features';
import {
  PLAN_VERSIONS_PER_PAGE,
  type Plan,
  type PlanSummary,
  type PlanVersion,
} from '#contracts/console/plans';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { expectOneOfTwoEdits, expectRefused } from '#tests/support/refusals';
import { auditRows, expectUnchanged, storedWorkspace } from '#tests/support/stored-state';
import { putCustomer } from '#tests/support/stripe-customers';
import { storedIntegration, storedProduct } from '#tests/support/stripe-rows';
import { newTenant, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
let serial = 0;

beforeAll(async () => {
  tenant = await newTenant();
});

function newPlan(): Promise<Plan> {
  serial++;
  return tenant.make<Plan>('POST', '/plans', { name: `Plan ${serial}`, slug: `plan-${serial}` });
}

const refused = (status: number, method: string, path: string, body?: unknown) =>
  expectRefused(tenant, status, method, path, body);

test('a plan is created with an empty first version and granted to nobody', async () => {
  const plan = await newPlan();
  expect(plan).toMatchObject({
    currentVersion: 1,
    grantToAnonymousSessions: false,
    grantToAuthenticatedUsers: false,
    grantProductMappings: [],
  });
  expect(await tenant.make('GET', `/plans/${plan.planId}`)).toEqual(plan);
  expect(await tenant.make<Plan[]>('GET', '/plans')).toContainEqual(plan);
  expect(await tenant.make<PlanVersion>('GET', `/plans/${plan.planId}/versions/1`)).toEqual({
    planId: plan.planId,
    version: 1,
    currentVersion: 1,
    properties: {},
    createdAt: plan.createdAt,
    createdByUserId: tenant.user.userId,
  });
});

test.each<[string, object, string[]]>([
  ['no name', { slug: 'fine' }, ['name: Required']],
  ['a short name', { name: 'ab', slug: 'fine' }, ['name: Must be at least 3 characters']],
  [
    'a slug with __proto__',
    { name: 'Fine', slug: '__proto__' },
    ['slug: Use lower-case letters, digits, hyphens and underscores'],
  ],
  [
    'a long description',
    { name: 'Fine', slug: 'fine', description: 'x'.repeat(1001) },
    ['description: Must be at most 1,000 characters'],
  ],
  [
    'grants on creation',
    { name: 'Fine', slug: 'fine', grantToAnonymousSessions: true },
    ['grantToAnonymousSessions: Unknown property'],
  ],
])('a plan is refused with %s, naming the field', async (_, body, issues) => {
  expect(await refused(400, 'POST', '/plans', body)).toEqual(issues);
});

test('an edit changes only what was sent', async () => {
  const plan = await newPlan();
  const granted = await tenant.make<Plan>('PUT', `/plans/${plan.planId}`, { grantToAnonymousSessions: true });
  expect(granted).toEqual({ ...plan, grantToAnonymousSessions: true, updatedAt: granted.updatedAt });
  const renamed = await tenant.make<Plan>('PUT', `/plans/${plan.planId}`, {
    name: 'Renamed',
    slug: 'renamed',
  });
  expect(renamed).toMatchObject({ name: 'Renamed', planSlug: 'renamed', grantToAnonymousSessions: true });
  expect(await refused(400, 'PUT', `/plans/${plan.planId}`, { grantToAuthenticatedUsers: 'yes' })).toEqual([
    'grantToAuthenticatedUsers: Must be true or false',
  ]);
});

test('an edit that changes nothing is harmless, also when it is repeated', async () => {
  const plan = await newPlan();
  const edit = { grantToAuthenticatedUsers: true, updatedAt: plan.updatedAt };
  const granted = await tenant.make<Plan>('PUT', `/plans/${plan.planId}`, edit);
  await expectUnchanged(tenant, async () => {
    expect(await tenant.make('PUT', `/plans/${plan.planId}`, edit)).toEqual(granted);
    expect(await tenant.make('PUT', `/plans/${plan.planId}`, {})).toEqual(granted);
  });
});

test('two plans never share a slug', async () => {
  const [one, other] = [await newPlan(), await newPlan()];
  const issue = `slug: A plan with the slug "${one.planSlug}" already exists`;
  expect(await refused(409, 'POST', '/plans', { name: 'Again', slug: one.planSlug })).toEqual([issue]);
  expect(await refused(409, 'PUT', `/plans/${other.planId}`, { slug: one.planSlug })).toEqual([issue]);
});

test('of two people who edit a plan, the second gets a conflict with the current plan', async () => {
  const plan = await newPlan();
  const path = `/plans/${plan.planId}`;
  const won = await expectOneOfTwoEdits(tenant, path, plan.updatedAt);
  expect(await tenant.make('GET', path)).toEqual(won);
});

test('a deleted plan is gone with its versions', async () => {
  const plan = await newPlan();
  expect((await tenant.call('DELETE', `/plans/${plan.planId}`)).status).toBe(204);
  await refused(404, 'GET', `/plans/${plan.planId}`);
  await refused(404, 'DELETE', `/plans/${plan.planId}`);
  await refused(404, 'PUT', `/plans/${plan.planId}`, { name: 'Too late' });
  await refused(404, 'GET', `/plans/${plan.planId}/versions/1`);
  await refused(404, 'PUT', `/plans/${plan.planId}/versions/1`, { properties: {} });
  expect(JSON.stringify(await storedWorkspace(tenant))).not.toContain(plan.planId);
});

test('every change of a plan is in the audit log, with the user who made it', async () => {
  const own = await newTenant();
  const feature = await own.make<Feature>('POST', '/features', { name: 'Exports', slug: 'exports' });
  const plan = await own.make<Plan>('POST', '/plans', { name: 'Pro plan', slug: 'pro' });
  const path = `/plans/${plan.planId}`;
  await own.make('PUT', path, { grantToAuthenticatedUsers: true });
  await own.make('PUT', path, { grantToAuthenticatedUsers: true });
  const [system] = feature.systemFeatureProperties;
  const properties = { [feature.id]: [{ id: system?.id, type: 'boolean', value: true }] };
  await own.make('PUT', `${path}/versions/1`, { properties });
  await own.make('PUT', `${path}/versions/2`, { properties: { [feature.id]: [] } });
  await own.call('DELETE', path);
  await own.call('DELETE', path);

  const ofPlan = { actorUserId: own.user.userId, targetId: plan.planId };
  expect((await auditRows(own)).filter(({ action }) => action.startsWith('plan.'))).toEqual([
    { ...ofPlan, action: 'plan.created', detail: { name: 'Pro plan', slug: 'pro' } },
    {
      ...ofPlan,
      action: 'plan.changed',
      detail: { changes: [{ field: 'grantToAuthenticatedUsers', from: false, to: true }] },
    },
    {
      ...ofPlan,
      action: 'plan.version-created',
      detail: { version: 2, changes: [{ field: system?.id, to: true }] },
    },
    {
      ...ofPlan,
      action: 'plan.version-created',
      detail: { version: 3, changes: [{ field: system?.id, from: true, to: null }] },
    },
    { ...ofPlan, action: 'plan.deleted', detail: { name: 'Pro plan', slug: 'pro' } },
  ]);
});

test('a summary counts the features of the current version and each customer of a plan once', async () => {
  const own = await newTenant();
  const feature = await own.make<Feature>('POST', '/features', { name: 'Exports', slug: 'exports' });
  const plan = await own.make<Plan>('POST', '/plans', { name: 'Scale', slug: 'scale' });
  const empty = await own.make<Plan>('POST', '/plans', { name: 'Empty', slug: 'empty' });
  const saved = await own.make<PlanVersion>('PUT', `/plans/${plan.planId}/versions/1`, {
    properties: {
      [feature.id]: feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
    },
  });
  const integrationId = await storedIntegration(own);
  const gold = await storedProduct(own, integrationId, 'prod_gold');
  await own.make('PUT', `/plans/${plan.planId}/products`, { addProducts: [{ ...gold, version: 2 }] });
  const subscription = (id: string, status: 'active' | 'past_due' | 'canceled') => ({
    id,
    status,
    productIds: ['prod_gold'],
  });
  for (const [id, email, subscriptions] of [
    ['cus_twice', null, [subscription('sub_1', 'active'), subscription('sub_2', 'past_due')]],
    ['cus_both', 'both@example.com', [subscription('sub_3', 'active')]],
    ['cus_ended', null, [subscription('sub_4', 'canceled')]],
  ] as const) {
    await putCustomer(own, { integrationId, id, email, subscriptions }, false);
  }
  await env.DB.prepare("UPDATE stripe_customer SET email_role = 'owner' WHERE org_id = ?")
    .bind(own.orgId)
    .run();
  for (const identifier of ['both@example.com', 'granted@example.com']) {
    await own.make('POST', `/customers/${identifierSegment(identifier)}/grants`, {
      planId: plan.planId,
      environmentId: null,
      reason: 'A trial',
      until: null,
    });
  }
  const summaries = await own.make<PlanSummary[]>('GET', '/plan-summaries');
  expect(summaries).toEqual([
    { planId: plan.planId, featureCount: 1, customerCount: 3, changedAt: saved.createdAt },
    { planId: empty.planId, featureCount: 0, customerCount: 0, changedAt: empty.updatedAt },
  ]);
  await own.make('PUT', `/plans/${empty.planId}`, { grantToAuthenticatedUsers: true });
  const [scale, everyone] = await own.make<PlanSummary[]>('GET', '/plan-summaries');
  const { results } = await env.DB.prepare('SELECT count(*) AS known FROM known_customer WHERE org_id = ?')
    .bind(own.orgId)
    .all<{ known: number }>();
  expect(everyone!.customerCount).toBe(results[0]!.known);
  expect(everyone!.customerCount).toBeGreaterThan(scale!.customerCount);
  await own.make('PUT', `/plans/${empty.planId}`, { isAddOn: true });
  expect((await own.make<PlanSummary[]>('GET', '/plan-summaries'))[1]!.customerCount).toBe(0);
  const stranger = await newTenant();
  expect(await stranger.make('GET', '/plan-summaries')).toEqual([]);
});

test('current values of all plans come in pages, and never those of another organisation', async () => {
  const [own, stranger] = [await newTenant(), await newTenant()];
  const foreign = await stranger.make<Plan>('POST', '/plans', { name: 'Foreign', slug: 'foreign' });
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO plan (id, org_id, name, slug, created_at, updated_at) SELECT 'plan_' || ?1 || i, ?1, 'Plan ' || i, 'p' || i, i / 10, 1 FROM n`,
  )
    .bind(own.orgId, PLAN_VERSIONS_PER_PAGE)
    .run();
  await env.DB.prepare(
    `INSERT INTO plan_version (org_id, plan_id, version, properties, created_at) SELECT org_id, id, 1, '{}', 1 FROM plan WHERE org_id = ?`,
  )
    .bind(own.orgId)
    .run();
  const page = (query = '') =>
    own.make<{ versions: PlanVersion[]; next: string | null }>('GET', `/plan-versions${query}`);
  const first = await page();
  expect(first.versions).toHaveLength(PLAN_VERSIONS_PER_PAGE);
  const second = await page(`?after=${first.next}`);
  expect(second.next).toBeNull();
  const ids = [...first.versions, ...second.versions].map(({ planId }) => planId);
  expect(ids).toEqual((await own.make<Plan[]>('GET', '/plans')).map(({ planId }) => planId));
  expect(await stranger.make('GET', '/plan-versions')).toMatchObject({
    versions: [{ planId: foreign.planId, version: 1, properties: {} }],
    next: null,
  });
  await expectRefused(own, 404, 'GET', `/plan-versions?after=${foreign.planId}`);
});
