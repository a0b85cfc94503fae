// Which code decides a check: that of the version which its environment runs.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { LoadableCode } from '#contracts/internal/workflow-run';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { auditRows } from '#tests/support/stored-state';
import { publishAll } from '#tests/support/tenants';
import { workflowTenant } from '#tests/support/workflows';
import { openDatabase } from '#worker/db/database';
import { loadSnapshot } from '#worker/domains/snapshots/load-snapshot';
import { load } from '#worker/domains/snapshots/snapshot-cache';
import { preparedWorkflowsOf } from '#worker/domains/workflows/prepared-workflows';

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

it('what is loaded is made once, when a version is published, and no check waits for it', async () => {
  const acme = await workflowTenant();
  const { tenant } = acme;
  await acme.create('Routed', `export default () => ({ plans: ['pro'], mode: 'replace' })`);
  await acme.publish();
  const stored = () => env.ARTIFACTS.list({ prefix: `artifacts/${tenant.orgId}/code-` });
  const { objects } = await stored();
  expect(objects).toHaveLength(1);
  // Another version with the same workflows.
  await tenant.make('POST', '/features', { name: 'Other', slug: 'other' });
  await acme.publish();
  expect((await stored()).objects.map(({ key, uploaded }) => [key, uploaded])).toEqual(
    objects.map(({ key, uploaded }) => [key, uploaded]),
  );

  // A replica that an earlier release filled has nothing to load but the version itself.
  const snapshot = await loadSnapshot(env, openDatabase(env.DB), acme.environmentId);
  if (snapshot === null || snapshot.artifact === null) throw new Error('Nothing is deployed');
  const { workflowCode, ...artifact } = snapshot.artifact;
  const loaded = JSON.parse(workflowCode?.text ?? '') as LoadableCode;
  expect(loaded.workflows).toMatchObject([{ module: expect.stringContaining('step(), { plans:') }]);
  const older = load({ ...snapshot, artifact }, null, 0);
  const [plain] = preparedWorkflowsOf(older)?.code.workflows ?? [];
  expect(plain?.module).toBe(`export default () => ({ plans: ['pro'], mode: 'replace' })`);
  const newer = load(snapshot, older, 0);
  expect(preparedWorkflowsOf(newer)?.code).toEqual(loaded);
  expect(preparedWorkflowsOf(load(snapshot, newer, 0))?.code).toBe(preparedWorkflowsOf(newer)?.code);
});
