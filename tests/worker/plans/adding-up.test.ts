// Values that add up across a customer's plans, add-ons, and how limits of different periods compare.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Artifact, Diff } from '#contracts/console/artifacts';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanValue } from '#contracts/console/plans';
import type { ErrorBody } from '#contracts/public/errors';
import type { MeterableValue } from '#contracts/public/values';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { check, propertyOf } from '#tests/support/access-checks';
import { PATIENCE } from '#tests/support/patience';
import { expectRefused } from '#tests/support/refusals';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
let feature: Feature;
let seats: FeatureProperty;
let calls: FeatureProperty;
let base: Plan;
let addOn: Plan;

beforeEach(async () => {
  tenant = await newTenant();
  feature = await tenant.make<Feature>('POST', '/features', { name: 'Reports', slug: 'reports' });
  const make = (propertyKey: string, type: string) =>
    tenant.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, {
      ...{ name: 'Some property', propertyKey, type, conflictResolution: 'sum' },
      ...(type === 'meterable' && { value: { state: 'off' } }),
    });
  seats = await make('seats', 'number');
  calls = await make('calls', 'meterable');
  base = await tenant.make<Plan>('POST', '/plans', { name: 'Team', slug: 'team' });
  addOn = await tenant.make<Plan>('POST', '/plans', { name: 'More seats', slug: 'more-seats' });
});

const monthly = (limit: number): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});
const daily = (limit: number): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'day', uniqueResourceIds: false },
});

const valuesOf = (each: Partial<{ seats: number; calls: MeterableValue }>): PlanValue[] => [
  ...(each.seats === undefined ? [] : [{ id: seats.id, type: 'number' as const, value: each.seats }]),
  ...(each.calls === undefined ? [] : [{ id: calls.id, type: 'meterable' as const, value: each.calls }]),
];

async function put(plan: Plan, each: Parameters<typeof valuesOf>[0]) {
  const { currentVersion } = await tenant.make<Plan>('GET', `/plans/${plan.planId}`);
  const body = { properties: { [feature.id]: valuesOf(each) } };
  return tenant.call<ErrorBody>('PUT', `/plans/${plan.planId}/versions/${currentVersion}`, body);
}

async function save(plan: Plan, each: Parameters<typeof valuesOf>[0]): Promise<void> {
  expect((await put(plan, each)).status).toBe(200);
}

async function grant(plan: Plan, identifier: string): Promise<void> {
  const body = { environmentId: null, planId: plan.planId, reason: 'Agreed by phone', until: null };
  await tenant.make('POST', `/customers/${identifierSegment(identifier)}/grants`, body);
}

const makeAddOn = () => tenant.make<Plan>('PUT', `/plans/${addOn.planId}`, { isAddOn: true });

async function previewKey(): Promise<string> {
  const { value } = await tenant.key(await tenant.previewId());
  await publishAll(tenant);
  return value;
}

test('numbers and limits of a customer’s plans add up', async () => {
  await save(base, { seats: 5, calls: monthly(1_000) });
  await save(addOn, { seats: 10, calls: monthly(500) });
  await grant(base, 'ada');
  await grant(addOn, 'ada');
  const answer = await check(await previewKey(), { userIdentifier: 'ada' });
  expect(propertyOf(answer, 'reports', 'seats')).toBe(15);
  expect(propertyOf(answer, 'reports', 'calls')).toMatchObject({ limit: 1_500 });
});

test('an add-on counts only beside a plan that is none', async () => {
  await save(base, { seats: 5 });
  await save(addOn, { seats: 10 });
  expect(await makeAddOn()).toMatchObject({ isAddOn: true });
  await grant(addOn, 'alone');
  await grant(addOn, 'both');
  await grant(base, 'both');
  const key = await previewKey();
  const alone = await check(key, { userIdentifier: 'alone' });
  expect(alone.customer.plans).toEqual([]);
  expect(propertyOf(alone, 'reports', 'seats')).toBe(0);
  const both = await check(key, { userIdentifier: 'both' });
  expect(both.customer.plans.toSorted()).toEqual(['more-seats', 'team']);
  expect(propertyOf(both, 'reports', 'seats')).toBe(15);
});

describe('limits that add up', () => {
  test('have one period in all plans', async () => {
    await save(base, { calls: monthly(1_000) });
    const refused = await put(addOn, { calls: daily(10) });
    expect(refused.status).toBe(400);
    expect(refused.body.issues).toEqual([
      {
        path: `properties.${feature.id}.0.value.meter.periodType`,
        message: 'The plan "Team" sets another period. Limits that add up need the same one.',
      },
    ]);
    await save(addOn, { calls: monthly(10) });
    await save(addOn, { calls: { state: 'on' } });
  });

  test('have one period when two plans are saved at once', async () => {
    const answers = await Promise.all([put(base, { calls: monthly(1) }), put(addOn, { calls: daily(1) })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('cannot be chosen while plans set different periods', async () => {
    const path = `/features/${feature.id}/properties/${calls.id}`;
    await tenant.make('PUT', path, { conflictResolution: 'higher' });
    await save(base, { calls: monthly(1_000) });
    await save(addOn, { calls: daily(10) });
    await expectRefused(tenant, 409, 'PUT', path, { conflictResolution: 'sum' });
    await save(addOn, { calls: monthly(10) });
    await tenant.make('PUT', path, { conflictResolution: 'sum' });
  });

  test.each(['string', 'boolean'])('are not those of a %s', async (type) => {
    const path = `/features/${feature.id}/properties`;
    const body = { name: 'Some property', propertyKey: 'other', type };
    expect(await tenant.call<ErrorBody>('POST', path, { ...body, conflictResolution: 'sum' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'conflictResolution', message: 'Only numbers and limits add up' }] },
    });
    const { id } = await tenant.make<FeatureProperty>('POST', path, body);
    await expectRefused(tenant, 400, 'PUT', `${path}/${id}`, { conflictResolution: 'sum' });
  });
});

test('a workspace from before compares limits as it did until a plan is edited, and the change shows', async () => {
  await tenant.make('PUT', `/features/${feature.id}/properties/${calls.id}`, {
    conflictResolution: 'higher',
  });
  await save(base, { calls: monthly(5_000) });
  await save(addOn, { calls: daily(1_000) });
  await env.DB.prepare(`UPDATE organization SET limit_order = 'limit', workspace_revision = workspace_revision + 1
    WHERE id = ?`)
    .bind(tenant.orgId)
    .run();
  await tenant.make<Artifact>('POST', '/artifacts', {});
  await grant(base, 'ada');
  await grant(addOn, 'ada');
  const key = await previewKey();
  expect(propertyOf(await check(key, { userIdentifier: 'ada' }), 'reports', 'calls')).toMatchObject({
    limit: 5_000,
  });

  await save(base, { calls: monthly(6_000) });
  await publishAll(tenant);
  expect((await tenant.make<Diff>('GET', '/artifacts/last-diff')).items).toContainEqual(
    expect.objectContaining({
      itemType: 'workspace',
      changes: [{ path: 'limitOrder', from: 'limit', to: 'rate' }],
    }),
  );
  // An isolate learns of a new version within a second.
  await expect
    .poll(async () => propertyOf(await check(key, { userIdentifier: 'ada' }), 'reports', 'calls'), PATIENCE)
    .toMatchObject({ limit: 1_000 });
});
