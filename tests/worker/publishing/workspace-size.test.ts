// How large a workspace may become: what would make it larger than the limit is refused, and what makes it smaller never.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type DeploymentStatus, MAX_WORKSPACE_BYTES, workspaceBytes } from '#contracts/console/artifacts';
import type { Feature } from '#contracts/console/features';
import type { ErrorBody } from '#contracts/public/errors';
import { newTenant, type Tenant } from '#tests/support/tenants';

async function sizeOf(tenant: Tenant) {
  return (await tenant.make<DeploymentStatus>('GET', '/deployments')).workspaceSize;
}

const create = (tenant: Tenant, slug: string) =>
  tenant.call<Feature & ErrorBody>('POST', '/features', { name: 'Exports', slug });

test('a workspace above the limit takes nothing more, says what it consists of, and may shrink', async () => {
  const tenant = await newTenant();
  const { body: large } = await create(tenant, 'large');
  const { body: small } = await create(tenant, 'small');
  const before = await sizeOf(tenant);
  expect(before.features).toBeGreaterThan(0);
  await env.DB.prepare('UPDATE feature SET description = ? WHERE id = ?')
    .bind('x'.repeat(1_900_000), large.id)
    .run();
  for (let index = 0; index < 4; index++) {
    await env.DB.prepare(
      "INSERT INTO feature (id, org_id, name, slug, description, created_at, updated_at) VALUES (?, ?, 'Filled', ?, ?, 1, 1)",
    )
      .bind(`${large.id}${index}`, tenant.orgId, `filled-${index}`, 'x'.repeat(1_900_000))
      .run();
  }
  const refused = await create(tenant, 'more');
  expect(refused.status).toBe(409);
  expect(refused.body.message).toMatch(
    /^The workspace would be 9\.5 MB: features 9\.5 MB, plans \d\.\d MB, workflows 0\.0 MB\. The limit is 8 MB\./,
  );
  expect(await sizeOf(tenant)).toEqual(before);

  // Stored before there was a limit.
  await env.DB.prepare(
    "UPDATE organization SET workspace_size = json_set(workspace_size, '$.features', 9900000) WHERE id = ?",
  )
    .bind(tenant.orgId)
    .run();
  expect((await tenant.call('DELETE', `/features/${small.id}`)).status).toBeLessThan(300);
  expect(workspaceBytes(await sizeOf(tenant))).toBeGreaterThan(MAX_WORKSPACE_BYTES);
  expect((await create(tenant, 'more')).status).toBe(409);
  expect((await tenant.call('DELETE', `/features/${large.id}`)).status).toBeLessThan(300);
  expect((await create(tenant, 'more')).status).toBe(201);
});

test('texts count as they are in the version: escaped', async () => {
  const tenant = await newTenant();
  const { body: one } = await create(tenant, 'one');
  const sizeWith = async (description: string) => {
    await tenant.make('PUT', `/features/${one.id}`, { description });
    return (await sizeOf(tenant)).features;
  };
  const [plain, escaped] = [await sizeWith('x'.repeat(100)), await sizeWith('"'.repeat(100))];
  expect(escaped - plain).toBe(100);
});
