// How much an organisation may define: calls at the same moment never make more.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Feature, MAX_FEATURES, MAX_PROPERTIES } from '#contracts/console/features';
import { MAX_PLANS } from '#contracts/console/plans';
import { MAX_WORKFLOWS } from '#contracts/console/workflows';
import type { ErrorBody } from '#contracts/public/errors';
import { newTenant, type Tenant } from '#tests/support/tenants';

/** Fills a table up to the given number of rows, past the API. */
async function fill(insert: string, number: number, parent: string): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?1) ${insert}`,
  )
    .bind(number, parent)
    .run();
}

async function race(tenant: Tenant, path: string, body: (index: number) => object): Promise<ErrorBody[]> {
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => tenant.call<ErrorBody>('POST', path, body(index))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  return answers.filter(({ status }) => status === 409).map((answer) => answer.body);
}

test('the last allowed feature can be created, and no further one', async () => {
  const tenant = await newTenant();
  const insert = `INSERT INTO feature (id, org_id, name, slug, created_at, updated_at)
    SELECT ?2 || n, ?2, 'Feature ' || n, 'feature-' || n, 1, 1 FROM series`;
  await fill(insert, MAX_FEATURES - 1, tenant.orgId);
  for (const { message } of await race(tenant, '/features', (index) => ({
    name: 'Last one',
    slug: `last-${index}`,
  }))) {
    expect(message).toBe('An organisation can have at most 1,000 features');
  }
  expect(await tenant.make<Feature[]>('GET', '/features')).toHaveLength(MAX_FEATURES);
});

test('the last allowed property of a feature can be created, and no further one', async () => {
  const tenant = await newTenant();
  const feature = await tenant.make<Feature>('POST', '/features', { name: 'Crowded', slug: 'crowded' });
  const insert = `INSERT INTO feature_property (id, org_id, feature_id, property_key, name, type, value,
      conflict_resolution, is_system, created_at, updated_at)
    SELECT ?2 || n, (SELECT org_id FROM feature WHERE id = ?2), ?2, 'key-' || n, 'Property', 'number', '0',
      'higher', 0, 1, 1 FROM series`;
  await fill(insert, MAX_PROPERTIES - 1, feature.id);
  for (const { message } of await race(tenant, `/features/${feature.id}/properties`, (index) => ({
    name: 'Last one',
    propertyKey: `last-${index}`,
    type: 'number',
  }))) {
    expect(message).toBe(`A feature can have at most ${MAX_PROPERTIES} properties`);
  }
});

test('the last allowed plan can be created, and no further one', async () => {
  const tenant = await newTenant();
  const insert = `INSERT INTO plan (id, org_id, name, slug, created_at, updated_at)
    SELECT ?2 || n, ?2, 'Plan ' || n, 'plan-' || n, 1, 1 FROM series`;
  await fill(insert, MAX_PLANS - 1, tenant.orgId);
  for (const { message } of await race(tenant, '/plans', (index) => ({
    name: 'Last one',
    slug: `last-${index}`,
  }))) {
    expect(message).toBe('An organisation can have at most 1,000 plans');
  }
});

test('the last allowed workflow can be created, and no further one', async () => {
  const tenant = await newTenant();
  const insert = `INSERT INTO workflow (id, org_id, name, type, created_at, updated_at)
    SELECT ?2 || n, ?2, 'Workflow ' || n, 'dynamic-provisioning', 1, 1 FROM series`;
  await fill(insert, MAX_WORKFLOWS - 1, tenant.orgId);
  for (const { message } of await race(tenant, '/workflows', () => ({
    name: 'Last one',
    type: 'dynamic-provisioning',
  }))) {
    expect(message).toBe(`An organisation can have at most ${MAX_WORKFLOWS} workflows`);
  }
});
