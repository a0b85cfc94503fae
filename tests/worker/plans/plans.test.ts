// Plans: what they are called, whom they are granted to, and what is refused.
import { beforeAll, expect, test } from 'vitest';
import type { Feature } from '#contracts/console/features';
import type { Plan, PlanVersion } from '#contracts/console/plans';
import { editedByTwo, expectRefused } from '#tests/support/refusals';
import { auditRows, expectUnchanged, storedWorkspace } from '#tests/support/stored-state';
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
    ['description: Must be at most 1000 characters'],
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
  const issue = `slug: A plan with the slug "${one.planSlug}" exists already`;
  expect(await refused(409, 'POST', '/plans', { name: 'Again', slug: one.planSlug })).toEqual([issue]);
  expect(await refused(409, 'PUT', `/plans/${other.planId}`, { slug: one.planSlug })).toEqual([issue]);
});

test('of two people who edit a plan the second is told what stands now', async () => {
  const plan = await newPlan();
  const path = `/plans/${plan.planId}`;
  const { won, lost } = await editedByTwo<Plan>(tenant, path, plan.updatedAt, [
    { name: 'Hers' },
    { name: 'His' },
  ]);
  expect(lost).toMatchObject({ errorType: 'conflict', current: won });
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
  await own.call('DELETE', path);
  await own.call('DELETE', path);

  const ofPlan = { actorUserId: own.user.userId, targetId: plan.planId };
  expect((await auditRows(own)).filter(({ action }) => action.startsWith('plan.'))).toEqual([
    { ...ofPlan, action: 'plan.created', detail: { name: 'Pro plan', slug: 'pro' } },
    { ...ofPlan, action: 'plan.changed', detail: { fields: ['grantToAuthenticatedUsers'] } },
    { ...ofPlan, action: 'plan.version-created', detail: { version: 2 } },
    { ...ofPlan, action: 'plan.deleted', detail: { name: 'Pro plan', slug: 'pro' } },
  ]);
});
