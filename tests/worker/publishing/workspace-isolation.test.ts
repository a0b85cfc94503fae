// What is another organisation's does not exist: on every route of the workspace, answered just like an unknown id.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '#contracts/console/environments';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { ErrorBody } from '#contracts/public/errors';
import { storedState } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

interface Ids {
  feature: string;
  property: string;
  system: string;
  plan: string;
  workflow: string;
  environment: string;
  key: string;
}

let owner: Tenant;
let intruder: Tenant;
let theirs: Ids;
let own: Ids;
let unknown: Ids;

async function workspaceOf(tenant: Tenant): Promise<Ids> {
  const feature = await tenant.make<Feature>('POST', '/features', { name: 'A feature', slug: 'a-feature' });
  const property = await tenant.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, {
    name: 'A property',
    propertyKey: 'a-property',
    type: 'number',
  });
  const plan = await tenant.make<Plan>('POST', '/plans', { name: 'A plan', slug: 'a-plan' });
  const workflow = await tenant.make('POST', '/workflows', {
    name: 'A workflow',
    type: 'dynamic-provisioning',
  });
  const environment = await tenant.make<Environment>('POST', '/environments', {
    name: 'Live one',
    type: 'live',
  });
  return {
    feature: feature.id,
    property: property.id,
    system: feature.systemFeatureProperties[0]?.id ?? '',
    plan: plan.planId,
    workflow: workflow.id,
    environment: environment.id,
    key: (await tenant.key(environment.id)).id,
  };
}

beforeAll(async () => {
  [owner, intruder] = [await newTenant(), await newTenant()];
  theirs = await workspaceOf(owner);
  own = await workspaceOf(intruder);
  // Well-formed ids that nobody has.
  unknown = Object.fromEntries(
    Object.entries(theirs).map(([kind, id]) => [kind, `${id.slice(0, -16)}${'0'.repeat(16)}`]),
  ) as unknown as Ids;
});

const property = { name: 'Taken over', propertyKey: 'taken-over', type: 'number' };
type Address = (ids: Ids) => [method: string, path: string, body?: unknown];
const addresses: [string, Address][] = [
  ['read a feature', ({ feature }) => ['GET', `/features/${feature}`]],
  ['change a feature', ({ feature }) => ['PUT', `/features/${feature}`, { name: 'Taken over' }]],
  ['delete a feature', ({ feature }) => ['DELETE', `/features/${feature}`]],
  ['add a property', ({ feature }) => ['POST', `/features/${feature}/properties`, property]],
  [
    'change a property',
    (ids) => ['PUT', `/features/${ids.feature}/properties/${ids.property}`, { value: 9 }],
  ],
  ['delete a property', (ids) => ['DELETE', `/features/${ids.feature}/properties/${ids.property}`]],
  [
    'change a property as of an own feature',
    (ids) => ['PUT', `/features/${own.feature}/properties/${ids.property}`, { value: 9 }],
  ],
  [
    'delete a property as of an own feature',
    (ids) => ['DELETE', `/features/${own.feature}/properties/${ids.property}`],
  ],
  [
    'change a system property',
    (ids) => ['PUT', `/features/${ids.feature}/system-properties/${ids.system}`, { value: true }],
  ],
  ['read a plan', ({ plan }) => ['GET', `/plans/${plan}`]],
  ['change a plan', ({ plan }) => ['PUT', `/plans/${plan}`, { grantToAnonymousSessions: true }]],
  ['delete a plan', ({ plan }) => ['DELETE', `/plans/${plan}`]],
  ["read a plan's values", ({ plan }) => ['GET', `/plans/${plan}/versions/1`]],
  ["change a plan's values", ({ plan }) => ['PUT', `/plans/${plan}/versions/1`, { properties: {} }]],
  ['read a workflow', ({ workflow }) => ['GET', `/workflows/${workflow}`]],
  ['change a workflow', ({ workflow }) => ['PUT', `/workflows/${workflow}`, { source: '// ours' }]],
  ['read a workflow by changing nothing', ({ workflow }) => ['PUT', `/workflows/${workflow}`, {}]],
  ['delete a workflow', ({ workflow }) => ['DELETE', `/workflows/${workflow}`]],
  ['read an environment', ({ environment }) => ['GET', `/environments/${environment}`]],
  [
    'change an environment',
    ({ environment }) => ['PUT', `/environments/${environment}`, { name: 'Taken over' }],
  ],
  ['delete an environment', ({ environment }) => ['DELETE', `/environments/${environment}`]],
  ['read a feature by changing nothing', ({ feature }) => ['PUT', `/features/${feature}`, {}]],
  [
    'read a property by changing nothing',
    (ids) => ['PUT', `/features/${ids.feature}/properties/${ids.property}`, {}],
  ],
  [
    'read a system property by changing nothing',
    (ids) => ['PUT', `/features/${ids.feature}/system-properties/${ids.system}`, {}],
  ],
  ['read a plan by changing nothing', ({ plan }) => ['PUT', `/plans/${plan}`, {}]],
  [
    'read an environment by changing nothing',
    ({ environment }) => ['PUT', `/environments/${environment}`, {}],
  ],
  [
    'learn of a property by a refused value',
    (ids) => ['PUT', `/features/${ids.feature}/properties/${ids.property}`, { value: 'text' }],
  ],
  ['list keys', ({ environment }) => ['GET', `/environments/${environment}/api-keys`]],
  ['make a key', ({ environment }) => ['POST', '/api-keys', { environmentId: environment, type: 'secret' }]],
  ['reveal a key', ({ key }) => ['GET', `/api-keys/${key}`]],
  ['revoke a key', ({ key }) => ['DELETE', `/api-keys/${key}`]],
];

/** The answer without what is different in every answer. */
async function answerTo(tenant: Tenant, [method, path, body]: ReturnType<Address>): Promise<unknown> {
  const answer = await tenant.call<ErrorBody>(method, path, body);
  const { requestId, ...rest } = answer.body;
  expect(requestId).toEqual(expect.any(String));
  return { status: answer.status, body: rest };
}

describe.each(addresses)("to %s of another organisation's", (_, address) => {
  test('returns not found and changes nothing in either organisation', async () => {
    const before = await Promise.all([storedState(owner), storedState(intruder)]);
    const foreign = await answerTo(intruder, address(theirs));
    expect(foreign).toMatchObject({ status: 404, body: { errorType: 'not-found' } });
    expect(foreign).toEqual(await answerTo(intruder, address(unknown)));
    expect(await Promise.all([storedState(owner), storedState(intruder)])).toEqual(before);
  });

  test("through that organisation's path returns the same", async () => {
    const [method, path, body] = address(theirs);
    if (path.includes(own.feature)) return;
    const before = await storedState(owner);
    const intrusion = await intruder.user.fetch(`/api/orgs/${owner.orgId}${path}`, {
      method,
      ...(body === undefined ? {} : { json: body }),
    });
    expect(intrusion.status).toBe(404);
    expect(await storedState(owner)).toEqual(before);
  });
});

test("lists contain only the caller's organisation's items", async () => {
  const lists = await Promise.all(
    ['/features', '/plans', '/workflows', '/environments'].map((path) => intruder.make<unknown>('GET', path)),
  );
  const text = JSON.stringify(lists);
  for (const id of Object.values(theirs)) expect(text).not.toContain(id);
});

test('two organisations may use the same slugs, keys and names', () => {
  expect(own.feature).not.toBe(theirs.feature);
});
