// Files of a version for applications: its types, and its JSON, with which the fake server answers as the version does.
import { expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import { createFakeServer } from '#sdk/fake-server';
import { createTessera } from '#sdk/index';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';

const download = (tenant: Tenant, { artifactId }: Pick<Artifact, 'artifactId'>, file: string) =>
  tenant.user.fetch(`/api/orgs/${tenant.orgId}/artifacts/${artifactId}/${file}`);

test('a version is downloaded as types and as JSON, which the fake server takes', async () => {
  const tenant = await newTenant();
  await newWorkspace(tenant);
  const version = await tenant.make<Artifact>('POST', '/artifacts', {});
  const types = await download(tenant, version, 'tessera.gen.ts');
  expect(types.headers.get('content-disposition')).toBe('attachment; filename="tessera.gen.ts"');
  const text = await types.text();
  const json = await download(tenant, version, 'tessera-version.json');
  expect(json.headers.get('content-type')).toBe('application/json');
  const content = (await json.json()) as {
    formatVersion: number;
    workflows: unknown[];
    features: { slug: string }[];
  };
  expect(content.workflows).toEqual([]);
  for (const { slug } of content.features) expect(text).toContain(`"${slug}": {`);
  const fake = createFakeServer(content);
  const access = await createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch }).check({
    user: 'ada',
  });
  expect(Object.keys(access.features).sort()).toEqual(content.features.map(({ slug }) => slug).sort());
});

test('a version of another organisation is 404', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  await newWorkspace(tenant);
  const version = await tenant.make<Artifact>('POST', '/artifacts', {});
  for (const file of ['tessera.gen.ts', 'tessera-version.json']) {
    expect((await download({ ...other, orgId: other.orgId }, version, file)).status).toBe(404);
    expect(
      (await other.user.fetch(`/api/orgs/${tenant.orgId}/artifacts/${version.artifactId}/${file}`)).status,
    ).toBe(404);
  }
});
