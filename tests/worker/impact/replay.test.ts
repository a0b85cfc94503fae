// What changed workflows decide differently: recorded checks, decided by both versions, compared with checks after the deployment.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Replay } from '#contracts/console/impact';
import type { Plan } from '#contracts/console/plans';
import type { Workflow } from '#contracts/console/workflows';
import { eventStreamStub } from '#objects/stubs';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { expectRefused } from '#tests/support/refusals';
import { auditRows } from '#tests/support/stored-state';
import { newTenant, publishAll } from '#tests/support/tenants';
import { type WorkflowTenant, workflowTenant } from '#tests/support/workflows';
import { createFeature, planProperties, setPlanValues } from '../../../dev/workspace/build-workspace.ts';

let acme: WorkflowTenant;
let staging: Environment;
let key: string;
let gate: Workflow;
let provisioning: Workflow;
let quota: Workflow;

const MEL = 'mel@tests.example';
const PRO = `({ customer, context }) => context.trial === true || customer.id === 'ada@tests.example' ? ['pro'] : []`;

const replayOf = ({ artifactId }: Artifact) =>
  acme.tenant.make<Replay>('GET', `/deployments/${staging.id}/impact/checks?toArtifactId=${artifactId}`);

async function deploy({ artifactId, artifactNumber }: Artifact): Promise<void> {
  await acme.tenant.make('PUT', `/deployments/${staging.id}/artifact`, { artifactId });
  await publishAll(acme.tenant);
  await eventually(async () => expect((await check(key)).version?.number).toBe(artifactNumber));
}

/** A version with this code, which is not deployed. */
async function versionWith(code: { gate?: string; provisioning?: string }): Promise<Artifact> {
  if (code.gate !== undefined) await acme.setCode(gate, `export default ${code.gate}`);
  if (code.provisioning !== undefined)
    await acme.setCode(provisioning, `export default ${code.provisioning}`);
  return acme.tenant.make<Artifact>('POST', '/artifacts');
}

/** Ids of the recorded events, newest first, once there are so many of this customer. */
async function recorded(subject: string | null, many: number): Promise<string[]> {
  return eventually(async () => {
    const { events } = await acme.tenant.make<{ events: { id: string; subjectIdentifier: string | null }[] }>(
      'GET',
      `/event-search?criteria=${encodeURIComponent(JSON.stringify({ environment: staging.id }))}`,
    );
    const own = events.filter(({ subjectIdentifier }) => subjectIdentifier === subject);
    expect(own.length).toBeGreaterThanOrEqual(many);
    return own.map(({ id }) => id);
  });
}

beforeAll(async () => {
  acme = await workflowTenant();
  const { feature } = acme.workspace;
  provisioning = await acme.create('Partners', `export default ${PRO}`);
  gate = await acme.create('Gate', 'export default () => ({ seats: 7 })', feature.id);
  const limit = {
    state: 'metered',
    meter: { limit: 2, periodType: 'lifetime', uniqueResourceIds: false },
  } as const;
  const rows = { name: 'Rows', propertyKey: 'rows', type: 'meterable', value: limit } as const;
  const exports = await createFeature(acme.tenant, { name: 'Exports', slug: 'exports', properties: [rows] });
  const plans = await acme.tenant.make<Plan[]>('GET', '/plans');
  const pro = plans.find(({ planSlug }) => planSlug === 'pro')!;
  const values = planProperties([feature, exports], {
    'team-seats': { seats: 50 },
    exports: { rows: limit },
  });
  await setPlanValues(acme.tenant, pro, values);
  quota = await acme.create('Quota', 'export default () => ({ enabled: true })', exports.id);
  const body = { name: 'Staging', type: 'test' };
  staging = await acme.tenant.make<Environment>('POST', '/environments', body);
  key = (await acme.tenant.key(staging.id)).value;
  await deploy(await acme.tenant.make<Artifact>('POST', '/artifacts'));
  const ask = (userIdentifier: string, more: object = {}) =>
    check(key, { userIdentifier, features: ['team-seats'], ...more });
  for (let index = 0; index < 3; index++) await ask('ada@tests.example');
  await ask('grace@tests.example', { context: { trial: true } });
  await ask('linus@tests.example');
  const mel = { features: ['exports'], consume: { feature: 'exports', property: 'rows' } };
  for (let index = 0; index < 3; index++) await ask(MEL, { ...mel, context: { trial: true } });
  await recorded(MEL, 3);
  await recorded('ada@tests.example', 3);
  await recorded('grace@tests.example', 1);
  await recorded('linus@tests.example', 1);
});

test('checks that changed code denies or allows are counted and named, the latest with its event', async () => {
  const next = await versionWith({
    gate: `({ identity }) => ({ enabled: identity.identifier !== 'ada@tests.example', seats: 7 })`,
  });
  const replay = await replayOf(next);
  expect(replay).toMatchObject({ workflows: ['Gate'], newWorkflows: [], denied: 3, allowed: 1, fails: 0 });
  expect(replay.replayed).toBe(replay.found);
  const [ada, linus] = replay.customers;
  const [latest] = await recorded('ada@tests.example', 3);
  expect(ada).toMatchObject({ kind: 'denied', identifier: 'ada@tests.example', checks: 3, eventId: latest });
  expect(linus).toMatchObject({ kind: 'allowed', identifier: 'linus@tests.example', checks: 1 });
  expect(replay.customersLeft).toBe(0);
});

test('the same results are the same decision, whatever else of the code or the version changed', async () => {
  const renamed = await versionWith({ gate: `() => ({ seats: 3 + 4 })` });
  expect(await replayOf(renamed)).toMatchObject({
    denied: 0,
    allowed: 0,
    changes: 0,
    fails: 0,
    customers: [],
  });
});

test('a plan that a workflow no longer adds counts where it decides, with the context and customer of then', async () => {
  const next = await versionWith({ gate: '() => ({ seats: 7 })', provisioning: '() => []' });
  const replay = await replayOf(next);
  expect(replay).toMatchObject({ workflows: ['Partners'], allowed: 0, changes: 0, fails: 0 });
  const named = replay.customers.map(({ kind, identifier, checks }) => [kind, identifier, checks]);
  expect(named).toEqual([
    ['denied', 'ada@tests.example', 3],
    ['denied', 'grace@tests.example', 1],
  ]);
});

test('usage is what the check read or counted then, also where the code decides by it', async () => {
  await acme.setCode(quota, 'export default ({ feature }) => ({ enabled: feature.meters.rows.used < 2 })');
  const replay = await replayOf(await versionWith({ gate: '() => ({ seats: 7 })', provisioning: PRO }));
  // The second check counts up to the limit. The third was refused, and still is.
  expect(replay).toMatchObject({ workflows: ['Quota'], denied: 1, allowed: 0, changes: 1, fails: 0 });
  expect(replay.customers.map(({ identifier }) => identifier)).toEqual([MEL, MEL]);
  await acme.setCode(quota, 'export default () => ({ enabled: true })');
});

test('code that fails is counted with its reason, and its checks by what the plans then decide', async () => {
  const next = await versionWith({
    provisioning: PRO,
    gate: `({ customer }) => { if (customer.id === 'linus@tests.example') throw new Error('No luck'); return { seats: 7 } }`,
  });
  const replay = await replayOf(next);
  expect(replay.customers).toEqual([
    expect.objectContaining({ kind: 'fails', identifier: 'linus@tests.example', checks: 1 }),
  ]);
  expect(replay.customers[0]!.reason).toContain('No luck');
});

test('replaying records no event, counts no run and disables no workflow, however often its code is killed', async () => {
  const count = async () => {
    const stub = await eventStreamStub(env, acme.tenant.orgId, 'weur');
    return runInDurableObject(stub, (_, { storage }) =>
      ['chunk', 'inbox'].map((table) => [...storage.sql.exec(`SELECT count(*) AS n FROM ${table}`)]),
    );
  };
  await replayOf(await versionWith({ gate: '() => { for (;;) {} }' }));
  const [events, audited] = [await count(), (await auditRows(acme.tenant)).length];
  const replay = await replayOf(await versionWith({ gate: '() => { while (true) {} }' }));
  expect(replay.fails + replay.denied + replay.allowed).toBe(replay.replayed);
  expect(replay.replayed).toBeGreaterThan(4);
  expect(await count()).toEqual(events);
  // The version that was compared, and its code.
  expect((await auditRows(acme.tenant)).length).toBe(audited + 2);
  const { warnings } = await check(key, { userIdentifier: 'ada@tests.example' });
  expect(warnings).toEqual([]);
});

test('new workflows are named, since no check ran them; without changed workflows nothing is read', async () => {
  await acme.setCode(gate, 'export default () => ({ seats: 7 })');
  const added = await acme.create('Regions', 'export default () => []');
  const next = await acme.tenant.make<Artifact>('POST', '/artifacts');
  const none = { workflows: [], found: 0, replayed: 0, customers: [] };
  expect(await replayOf(next)).toMatchObject({ ...none, newWorkflows: ['Regions'] });
  await acme.remove(added);
  const same = await acme.tenant.make<Replay>('GET', `/deployments/${staging.id}/impact/checks`);
  expect(same).toMatchObject({ ...none, newWorkflows: [] });
});

test('checks after the deployment are decided as the replay said', async () => {
  const next = await versionWith({
    provisioning: `({ customer }) => customer.id === 'linus@tests.example' ? ['pro'] : []`,
  });
  const { customers } = await replayOf(next);
  await deploy(next);
  for (const { identifier, kind } of customers.filter((each) => each.identifier !== 'mel@tests.example')) {
    const answer = await check(key, { userIdentifier: identifier, features: ['team-seats'] });
    expect(answer.features['team-seats']!.allowed, `${identifier}`).toBe(kind === 'allowed');
  }
  expect(customers.map(({ kind }) => kind)).toContain('allowed');
});

test('environments and versions of other organisations do not exist', async () => {
  const other = await newTenant();
  await expectRefused(other, 404, 'GET', `/deployments/${staging.id}/impact/checks`);
});
