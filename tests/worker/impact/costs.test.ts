// What known customers pay for one of a meter, before a version is deployed that changes it.
import { expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { FeatureProperty } from '#contracts/console/features';
import type { Impact } from '#contracts/console/impact';
import { customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { newFeatureForAll } from '#tests/support/features';
import { publishAll } from '#tests/support/tenants';

test('a cost that rises is less for those who pay it, and a loss for those whose plan has nothing to pay with', async () => {
  const { tenant, files, plusId, grant } = await customerTenant();
  const images = await newFeatureForAll(tenant, { name: 'Images', slug: 'images' });
  const path = `/features/${images.id}/properties`;
  const { id } = await tenant.make<FeatureProperty>('POST', path, {
    ...{ name: 'Generations', propertyKey: 'generations', type: 'meterable', value: { state: 'on' } },
  });
  const { id: environmentId } = await tenant.make<Environment>('POST', '/environments', {
    ...{ name: 'Staging', type: 'test' },
  });
  const customers = ['one', 'two', 'three', 'four', 'five'];
  for (const customer of customers) await grant(customer);
  await grant('without', { planId: plusId });
  const cost = (per: number) => tenant.make('PUT', `${path}/${id}`, { costs: { propertyId: files.id, per } });
  const freeze = async () => (await tenant.make<Artifact>('POST', '/artifacts')).artifactId;
  const deploy = async (artifactId: string) => {
    await tenant.make('PUT', `/deployments/${environmentId}/artifact`, { artifactId });
    await publishAll(tenant);
  };
  const impact = () => tenant.make<Impact>('GET', `/deployments/${environmentId}/impact`);
  await deploy(await freeze());

  await cost(2);
  const changed = { path: 'images.generations', before: { state: 'on' }, after: { state: 'on' } };
  const two = { path: 'workspaces.files', per: 2 };
  const first = await impact();
  expect(first).toMatchObject({ customersThatLose: 1, customersWithLess: 5, readings: 0 });
  expect(first.changes).toMatchObject([
    { ...changed, kind: 'loses', customers: 1, costs: { before: null, after: two } },
    { ...changed, kind: 'less', customers: 5, costs: { before: null, after: two } },
  ]);
  const second = await freeze();
  const kept = `/deployments/${environmentId}/impact/kept-values`;
  expect(await tenant.make('POST', kept, { toArtifactId: second, days: 1 })).toEqual({
    ...{ customers: 1, overrides: 0, notKept: ['Images Generations'] },
  });

  await deploy(second);
  await cost(4);
  await eventually(async () => {
    const { changes } = await impact();
    expect(changes).toMatchObject([
      { ...changed, kind: 'less', customers: 5, costs: { before: two, after: { ...two, per: 4 } } },
    ]);
    expect(changes[0]?.names.map(({ identifier }) => identifier).toSorted()).toEqual(customers.toSorted());
  });
});
