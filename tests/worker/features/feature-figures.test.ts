// What the list of features shows beside each: plans, calls of the last day, and who changed it last.
import { expect, test } from 'vitest';
import type { ActivityActor } from '#contracts/console/activity';
import type { FeatureCalls } from '#contracts/console/event-metrics';
import { check } from '#tests/support/access-checks';
import { newMember } from '#tests/support/accounts';
import { eventually } from '#tests/support/eventually';
import { newTenant, publishAll, tenantOf } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';

interface Summary {
  readonly featureId: string;
  readonly planCount: number;
}
interface LastChange {
  readonly featureId: string;
  readonly at: number;
  readonly actor: ActivityActor;
}

test('plans count once if they have a value of the feature', async () => {
  const tenant = await newTenant();
  const { feature, seats } = await newWorkspace(tenant);
  const other = await tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' });
  const summaries = () => tenant.make<Summary[]>('GET', '/feature-summaries');
  const of = (planCount: number) => [
    { featureId: feature.id, planCount },
    { featureId: other.id, planCount: 0 },
  ];
  expect(await summaries()).toEqual(of(1));
  const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', { name: 'Pro', slug: 'pro' });
  const properties = { [feature.id]: [{ id: seats.id, type: 'number', value: 9 }], [other.id]: [] };
  await tenant.make('PUT', `/plans/${planId}/versions/1`, { properties });
  expect(await summaries()).toEqual(of(2));
  await tenant.make('PUT', `/plans/${planId}/versions/2`, { properties: {} });
  expect(await summaries()).toEqual(of(1));
  expect(await (await newTenant()).make<Summary[]>('GET', '/feature-summaries')).toEqual([]);
});

test('calls of the last day are counted by the feature that they name, with those that were denied', async () => {
  const tenant = await newTenant();
  await newWorkspace(tenant);
  await tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' });
  const { value: key } = await tenant.key(await tenant.previewId());
  await publishAll(tenant);
  await eventually(async () => expect((await check(key)).features).toHaveProperty('exports'));
  await check(key, { features: ['team-seats'] });
  await check(key, { features: ['team-seats', 'exports'] });
  await eventually(async () => {
    const { features, countedFrom } = await tenant.make<FeatureCalls>('GET', '/feature-calls');
    expect(countedFrom).toBeNull();
    expect(features).toEqual([
      { slug: 'team-seats', calls: 2, denied: 0 },
      { slug: 'exports', calls: 1, denied: 1 },
    ]);
  });
});

test('the last change is of the feature or of one of its properties, with its author', async () => {
  const tenant = await newTenant();
  const { feature, seats } = await newWorkspace(tenant);
  const other = await tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' });
  const editor = await newMember(tenant.user, tenant.orgId, 'admin');
  const colleague = tenantOf(editor, tenant.orgId);
  await colleague.make('PUT', `/features/${feature.id}/properties/${seats.id}`, { name: 'Places' });
  const changes = () => tenant.make<LastChange[]>('GET', '/last-feature-changes');
  const authors = async () =>
    Object.fromEntries((await changes()).map((each) => [each.featureId, each.actor.name]));
  expect(await authors()).toEqual({ [feature.id]: editor.name, [other.id]: tenant.user.name });
  await tenant.make('PUT', `/features/${feature.id}`, { name: 'Teams' });
  expect(await authors()).toEqual({ [feature.id]: tenant.user.name, [other.id]: tenant.user.name });
  await tenant.make('DELETE', `/features/${feature.id}`);
  expect(Object.keys(await authors())).toEqual([other.id]);
});
