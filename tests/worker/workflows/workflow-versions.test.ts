// Which code decides a check: that of the version which its environment runs.
import { expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { auditRows } from '#tests/support/stored-state';
import { publishAll } from '#tests/support/tenants';
import { workflowTenant } from '#tests/support/workflows';

it('the preview environment runs the edited code, and a rollback the code of its version', async () => {
  const acme = await workflowTenant();
  const { tenant } = acme;
  const live = await tenant.make<Environment>('POST', '/environments', { name: 'Rolled', type: 'live' });
  const { value: liveKey } = await tenant.key(live.id);
  const freeze = () => tenant.make<Artifact>('POST', '/artifacts', {});
  const deployTo = async ({ artifactId }: Artifact) => {
    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
    await publishAll(tenant);
  };
  const expectLivePlans = (plans: readonly string[]) =>
    eventually(async () => {
      const { customer, warnings } = await check(liveKey, {});
      expect({ plans: customer.plans, warnings }).toEqual({ plans, warnings: [] });
    });
  const only = (slug: string) => `export default () => ({ plans: ['${slug}'], mode: 'replace' })`;

  const routed = await acme.create('Routed', only('pro'));
  await acme.publish();
  const first = await freeze();
  await deployTo(first);
  await expectLivePlans(['pro']);

  await acme.setCode(routed, only('starter'));
  await acme.publish();
  expect((await acme.check()).customer.plans).toEqual(['starter']);
  await expectLivePlans(['pro']);
  await deployTo(await freeze());
  await expectLivePlans(['starter']);

  await deployTo(first);
  await expectLivePlans(['pro']);
  expect((await acme.check()).customer.plans).toEqual(['starter']);
  const changed = (await auditRows(tenant)).filter(({ targetId }) => targetId === routed.id);
  expect(changed.map(({ action }) => action)).toEqual([
    'workflow.created',
    'workflow.changed',
    'workflow.changed',
  ]);
});
