// What a deployment would change, compared with what it then changes: every known customer is checked before and after.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Impact } from '#contracts/console/impact';
import type { StoredSubscription } from '#contracts/console/stripe';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { check } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { hold } from '#tests/support/holds';
import { ofFiles, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { callCustomers } from '#tests/support/provisioning';
import { expectRefused } from '#tests/support/refusals';
import { auditRows } from '#tests/support/stored-state';
import { putCustomer } from '#tests/support/stripe-customers';
import { newTenant, publishAll } from '#tests/support/tenants';

let own: PayingTenant;
let staging: Environment;
let secret: string;
let managing: string;
let first: Artifact;
let second: Artifact;

const impactOf = (version: Artifact, environment = staging) =>
  own.tenant.make<Impact>('GET', `/deployments/${environment.id}/impact?toArtifactId=${version.artifactId}`);

async function deploy({ artifactId, artifactNumber }: Artifact): Promise<void> {
  await own.tenant.make('PUT', `/deployments/${staging.id}/artifact`, { artifactId });
  await publishAll(own.tenant);
  await eventually(async () => expect((await check(secret)).version?.number).toBe(artifactNumber));
}

let serial = 0;
const on = (productId: string, more: Partial<StoredSubscription> = {}): readonly StoredSubscription[] => {
  serial += 1;
  return [{ id: `sub_${serial}`, status: 'active', productIds: [productId], ...more } as StoredSubscription];
};

async function setPlan(planId: string, seats: number, limit: number | null): Promise<void> {
  const [feature] = await own.tenant.make<[{ id: string }]>('GET', '/features');
  const meter = { limit, periodType: 'lifetime', uniqueResourceIds: false };
  const files = { id: own.files.id, type: 'meterable', value: { state: 'metered', meter } };
  await own.tenant.make('PUT', `/plans/${planId}/versions/2`, {
    properties: {
      [feature.id]: [{ id: own.seats.id, type: 'number', value: seats }, ...(limit === null ? [] : [files])],
    },
  });
}

beforeAll(async () => {
  own = await payingTenant();
  staging = await own.tenant.make<Environment>('POST', '/environments', { name: 'Staging', type: 'test' });
  const key = (more: object) =>
    own.tenant.make<{ value: string }>('POST', '/api-keys', {
      environmentId: staging.id,
      type: 'secret',
      ...more,
    });
  secret = (await key({})).value;
  managing = (await key({ name: 'Billing server', managesCustomers: true })).value;
  [first] = (await own.tenant.make<Artifact[]>('GET', '/artifacts')) as [Artifact];
  await deploy(first);
  await setPlan(own.proId, 40, 20);
  await setPlan(own.plusId, 9, null);
  second = await own.tenant.make<Artifact>('POST', '/artifacts');
  await everyKindOfCustomer();
});

/** Subscriptions in all states, shared emails and user ids, grants, overrides, customers by API, and some that only called. */
async function everyKindOfCustomer(): Promise<void> {
  const { someone, testAccount, liveAccount, grant, override, tenant, proId, plusId, seats } = own;
  for (const product of ['prod_pro', 'prod_pro', 'prod_plus', 'prod_plus', 'prod_plus'])
    await someone(on(product));
  await someone(on('prod_pro', { status: 'past_due' }));
  await someone(on('prod_pro', { status: 'unpaid' }));
  await someone([...on('prod_plus'), ...on('prod_pro')]);
  await someone();
  const shared = await someone(on('prod_plus'));
  await someone(on('prod_pro'), { email: shared.email });
  await someone(on('prod_pro'), { integrationId: liveAccount, livemode: true });
  const twice = await someone(on('prod_plus'));
  await putCustomer(tenant, {
    integrationId: liveAccount,
    id: twice.id,
    livemode: true,
    subscriptions: on('prod_pro'),
  });
  await someone(on('prod_pro'), { userId: 'user-1' });
  const granted = await someone();
  await grant(granted.id, { planId: plusId });
  await grant(granted.email, { planId: proId, environmentId: staging.id });
  await grant('grantee-1');
  await grant('grantee-2', { environmentId: staging.id });
  await grant('grantee-3', { environmentId: own.previewId });
  await override('overridden-1', seats.id, 45);
  await override((await someone(on('prod_pro'))).id, seats.id, 2, { environmentId: staging.id });
  await override((await someone(on('prod_pro'))).email, own.files.id, { state: 'on' });
  const create = (id: string, body: object) => callCustomers(managing, 'PUT', `/${id}`, body);
  await create('made-1', { name: 'Made', email: 'made-1@tests.example' });
  await create('made-2', { name: 'Made, too', userId: 'made-user' });
  await callCustomers(managing, 'PUT', '/made-1/plans/pro', {});
  await someone(on('prod_plus'), { email: 'made-3@tests.example' });
  await create('made-3', { email: 'made-3@tests.example' });
  await putCustomer(tenant, {
    integrationId: testAccount,
    id: 'cus_withoutEmail',
    subscriptions: on('prod_pro'),
  });
}

async function knownIdentifiers(): Promise<string[]> {
  const rows = await env.DB.prepare('SELECT identifier FROM known_customer WHERE org_id = ?')
    .bind(own.tenant.orgId)
    .all<{ identifier: string }>();
  return rows.results.map(({ identifier }) => identifier);
}

/** What checks answer of everyone. */
async function valuesOfAll(names: readonly string[]) {
  const values = new Map<string, { seats: unknown; files: unknown }>();
  for (const userIdentifier of names) {
    const { features } = await check(secret, { userIdentifier });
    const { seats, files } = features.workspaces!.properties as Record<
      string,
      { limit?: number; state?: string }
    >;
    values.set(userIdentifier, { seats, files: files!.limit ?? files!.state });
  }
  return values;
}

test('values of all known customers are exact: checks after the deployment say the same', async () => {
  const names = await knownIdentifiers();
  expect(names.length).toBeGreaterThan(25);
  const before = await valuesOfAll(names);
  const impact = await impactOf(second);
  await deploy(second);
  const after = await valuesOfAll(names);
  await deploy(first);

  const counted = new Map<string, number>();
  const isKept = (name: string) => canonicalJson(before.get(name)) === canonicalJson(after.get(name));
  const kept = impact.kept.map(({ identifier }) => identifier);
  expect(kept.toSorted()).toEqual(names.filter(isKept).toSorted());
  expect(kept.length).toBeGreaterThan(2);
  for (const name of names) {
    for (const property of ['seats', 'files'] as const) {
      const [from, to] = [before.get(name)![property], after.get(name)![property]];
      if (from === to) continue;
      const key = `${property}: ${from} to ${to}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
  }
  const shown = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? ((value as { meter?: { limit: number } }).meter?.limit ?? (value as { state: string }).state)
      : value;
  const said = impact.changes.map(({ path, before: from, after: to, customers }) => [
    `${path.split('.')[1]}: ${shown(from)} to ${shown(to)}`,
    customers,
  ]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(counted));
  expect(counted.size).toBeGreaterThan(2);
  expect(impact).toMatchObject({
    customers: names.length,
    notCompared: 0,
    fromArtifactNumber: 1,
    toArtifactNumber: 2,
  });
});

const inAnyOrder = ({ changes, kept, customers, readings }: Impact) => ({
  customers,
  readings,
  kept,
  changes: changes.map((each) => ({
    ...each,
    names: each.names.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1)),
  })),
});

test('a customer that is a created one in another test environment is compared as itself', async () => {
  const { id } = await own.someone(on('prod_pro'));
  const before = await impactOf(second);
  const key = { environmentId: own.previewId, type: 'secret', name: 'Preview', managesCustomers: true };
  const { value } = await own.tenant.make<{ value: string }>('POST', '/api-keys', key);
  const stripe = { integrationId: own.testAccount, customerId: id };
  await publishAll(own.tenant);
  expect((await callCustomers(value, 'PUT', '/elsewhere', { stripe })).status).toBe(200);
  expect(await knownIdentifiers()).not.toContain(id);
  expect(inAnyOrder(await impactOf(second))).toEqual(inAnyOrder(before));
});

test('a limit that falls is less, and a loss for whoever has used or held as much; their names, plans and usage are there', async () => {
  const { id } = await own.someone(on('prod_pro'));
  await update(secret, ofFiles(id, { by: 20 }));
  await hold(secret, '', ofFiles(id, { amount: 10, lastsMs: 3_600_000 }));
  const { changes, customersThatLose, readings } = await impactOf(second);
  const files = changes.filter(({ path }) => path === 'workspaces.files');
  const [lost, less] = files;
  expect(files.map(({ kind }) => kind)).toEqual(['loses', 'less']);
  expect(lost).toMatchObject({
    featureName: 'Workspaces',
    customers: 1,
    names: [{ identifier: id, plans: expect.arrayContaining(['Pro plan']), used: 20, held: 10 }],
  });
  expect(less!.names.every(({ used }) => used === 0)).toBe(true);
  expect(customersThatLose).toBe(1);
  expect(readings).toBeGreaterThan(5);
});

test('values of those who would lose something are kept by overrides of this environment, which end', async () => {
  const loser = (await impactOf(second)).changes.find(({ kind }) => kind === 'loses')!.names[0]!.identifier;
  const keep = (more: object = {}) =>
    own.tenant.make('POST', `/deployments/${staging.id}/impact/kept-values`, {
      toArtifactId: second.artifactId,
      days: 30,
      ...more,
    });
  expect(await keep()).toEqual({ customers: 1, overrides: 2, notKept: [] });
  const [entry] = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === loser);
  expect(entry).toMatchObject({
    action: 'customer.property-overridden',
    detail: { environmentId: staging.id, reason: 'Kept as it was before v2', until: expect.any(Number) },
  });
  expect((await impactOf(second)).customersThatLose).toBe(0);
  expect(await keep()).toEqual({ customers: 0, overrides: 0, notKept: [] });
  await deploy(second);
  const { features } = await check(secret, { userIdentifier: loser });
  expect(features.workspaces!.properties).toMatchObject({
    seats: 50,
    files: { limit: 100, used: 20, held: 10 },
  });
  await deploy(first);
});

test('a live environment counts no customers of test mode', async () => {
  const { environments } = await own.tenant.make<{
    environments: { environmentId: string; environmentName: string }[];
  }>('GET', '/deployments');
  const shop = environments.find(({ environmentName }) => environmentName === 'Shop')!;
  const inLive = await impactOf(second, { ...staging, id: shop.environmentId });
  const inTest = await impactOf(second);
  expect(inLive.customers).toBeLessThan(inTest.customers);
  const seats = inLive.changes.filter(({ path, before }) => path === 'workspaces.seats' && before === 50);
  // Two of the live account, and a grant for all environments.
  expect(seats.map(({ customers }) => customers)).toEqual([3]);
});

test('unsaved values of a plan say what saving them would change, are refused as saving them is, and stay unsaved', async () => {
  const [feature] = await own.tenant.make<[{ id: string }]>('GET', '/features');
  const path = `/deployments/${staging.id}/impact/plans/${own.proId}`;
  const draft = (seats: unknown) => ({
    properties: { [feature.id]: [{ id: own.seats.id, type: 'number', value: seats }] },
  });
  const { changes, customersThatLose } = await own.tenant.make<Impact>('POST', path, draft(60));
  const [lost, more] = changes;
  // The meter is no part of the draft, so that its default applies: it is off.
  expect(lost).toMatchObject({ kind: 'loses', path: 'workspaces.files', after: { state: 'off' } });
  expect(more).toMatchObject({ kind: 'more', path: 'workspaces.seats', before: 40, after: 60 });
  expect(customersThatLose).toBe(lost!.customers);
  const [issue] = await expectRefused(own.tenant, 400, 'POST', path, draft(5_000));
  expect(issue).toMatch(/^properties\..+\.0\.value: /);
  await expectRefused(
    own.tenant,
    404,
    'POST',
    `/deployments/${staging.id}/impact/plans/plan_gone`,
    draft(60),
  );
  const other = await newTenant();
  await expectRefused(other, 404, 'POST', path, draft(60));
});

test('without a deployment there is nothing to compare, and the workspace is compared where no version is named', async () => {
  const empty = await own.tenant.make<Environment>('POST', '/environments', { name: 'Empty', type: 'test' });
  const nothing = { fromArtifactNumber: null, customers: 0, changes: [] };
  expect(await impactOf(second, empty)).toMatchObject(nothing);
  const same = await own.tenant.make<Impact>('GET', `/deployments/${staging.id}/impact`);
  expect({ ...same, asOf: 0 }).toEqual({ ...(await impactOf(second)), asOf: 0 });
});

test('environments and versions of other organisations do not exist', async () => {
  const other = await newTenant();
  const path = `/deployments/${staging.id}/impact`;
  await expectRefused(other, 404, 'GET', path);
  const mine = await other.previewId();
  const foreign = `/deployments/${mine}/impact?toArtifactId=${first.artifactId}`;
  await expectRefused(other, 404, 'GET', foreign);
});

test('all customers of one group keep their values, however many of them have the same plans', async () => {
  const path = `/deployments/${staging.id}/impact`;
  for (let index = 0; index < 28; index++) await own.grant(`same-${index}`, { environmentId: staging.id });
  await own.tenant.make('PUT', `/plans/${own.proId}/versions/3`, { properties: {} });
  const off = await own.tenant.make<Artifact>('POST', '/artifacts');
  const losing = (await impactOf(off)).customersThatLose;
  expect(losing).toBeGreaterThan(28);
  const body = { toArtifactId: off.artifactId, days: 1 };
  const kept = await own.tenant.make<{ customers: number }>('POST', `${path}/kept-values`, body);
  expect(kept.customers).toBe(losing);
  expect((await impactOf(off)).customersThatLose).toBe(0);
});

test('a value that the workspace can no longer keep is named, and the others are kept', async () => {
  const [feature] = await own.tenant.make<[{ id: string }]>('GET', '/features');
  await own.tenant.make('DELETE', `/features/${feature.id}/properties/${own.seats.id}`);
  await own.grant('latecomer', { environmentId: staging.id });
  const [off] = await own.tenant.make<[Artifact]>('GET', '/artifacts'); // Newest first.
  const losers = (await impactOf(off)).customersThatLose;
  expect(losers).toBeGreaterThan(0);
  const body = { toArtifactId: off.artifactId, days: 1 };
  const path = `/deployments/${staging.id}/impact/kept-values`;
  expect(await own.tenant.make('POST', path, body)).toEqual({
    customers: losers,
    overrides: losers,
    notKept: ['Workspaces seats'],
  });
});
