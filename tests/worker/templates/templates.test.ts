// Templates: from an empty organisation to a check that is allowed, one that is denied and one at its limit, in both environments.

import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { activityEndpoints } from '#contracts/console/activity';
import type { DeploymentStatus } from '#contracts/console/artifacts';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import { type AppliedTemplate, type TemplateId, templateSchema } from '#contracts/console/templates';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { AnswerOf } from '#contracts/public/endpoint';
import { billingWindow } from '#engine/metering/billing-window';
import { grantSupportAccess, newMember, newStaff, signedIn } from '#tests/support/accounts';
import { publicRequest } from '#tests/support/public-requests';
import { auditTrail } from '#tests/support/stored-state';
import { newTenant, publishAll, type Tenant, tenantOf } from '#tests/support/tenants';
import { TEMPLATES } from '#worker/domains/templates/templates';

const apply = (tenant: Tenant, template: TemplateId) =>
  tenant.call<AppliedTemplate & { message: string }>('POST', '/templates', { template });

async function applied(tenant: Tenant, template: TemplateId): Promise<AppliedTemplate> {
  const { status, body } = await apply(tenant, template);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function check(key: string, userIdentifier: string): Promise<AccessCheckAnswer> {
  const request = publicRequest('access-checks', key, { userIdentifier });
  return (await exports.default.fetch(request)).json();
}

/** Its own customer is answered in its environments as the template says. */
async function expectVerdicts({ checks, customer, customerWithoutPlan, environments }: AppliedTemplate) {
  expect(environments.map(({ type }) => type)).toEqual(['live', 'test']);
  for (const { secretKey } of environments) {
    const { features } = await check(secretKey, customer);
    for (const { feature, denial } of checks) {
      expect(features[feature]?.allowed, feature).toBe(denial === null);
      expect(features[feature]?.reason ?? null).toBe(denial);
    }
    const without = await check(secretKey, customerWithoutPlan);
    for (const { feature } of checks)
      expect(without.features[feature]).toMatchObject({ reason: 'not-in-plan' });
  }
}

const countsOf = async (tenant: Tenant) => ({
  features: (await tenant.make<Feature[]>('GET', '/features')).length,
  plans: (await tenant.make<Plan[]>('GET', '/plans')).length,
  environments: (await tenant.make<Environment[]>('GET', '/environments')).length,
  versions: (await tenant.make<unknown[]>('GET', '/artifacts')).length,
});

test.each(templateSchema.options)(
  '%s: allowed, not in the plan and at its limit, in both environments',
  async (id) => {
    const tenant = await newTenant();
    const template = await applied(tenant, id);
    expect(template.checks.map(({ denial }) => denial)).toEqual([null, 'not-in-plan', 'limit-reached']);
    await expectVerdicts(template);
    const { environments } = await tenant.make<DeploymentStatus>('GET', '/deployments');
    const deployable = environments.filter(({ environmentType }) => environmentType === 'deployable');
    expect(deployable.map(({ artifactNumber }) => artifactNumber)).toEqual([1, 1]);
    const actions = (await auditTrail(tenant)).map(({ action }) => action);
    const { items } = await tenant.make<AnswerOf<typeof activityEndpoints.list>>('GET', '/activity');
    const order = ['version.deployed', 'version.created', 'plan.version-created', 'plan.created'];
    const listed = items.map(({ action }) => action);
    const places = order.map((action) => listed.lastIndexOf(action));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    for (const action of ['feature.created', 'version.deployed', 'api-key.created', 'customer.plan-granted'])
      expect(actions).toContain(action);
  },
);

test('a month of a template is the calendar month', async () => {
  const { environments, customer } = await applied(await newTenant(), 'api-limits');
  const { features } = await check(environments[0]!.secretKey, customer);
  const requests = features.api?.properties.requests as { readonly resetsAt: number } | undefined;
  expect(new Date(requests?.resetsAt ?? 1).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
});

test('a month of AI credits is the billing month of the customer', async () => {
  const tenant = await newTenant();
  const { environments, customer } = await applied(tenant, 'ai-credits');
  const [{ id, secretKey }] = environments as [AppliedTemplate['environments'][number]];
  const { grants } = await tenant.make<Customer>('GET', `/customers/${customer}`);
  const { createdAt } = grants.find(({ environmentId }) => environmentId === id)!;
  const { features } = await check(secretKey, customer);
  expect(features['ai-calls']?.properties.credits).toMatchObject({
    ...{ used: 140, limit: 600, remaining: 460, periodType: 'billing' },
    // Windows begin with a whole minute.
    resetsAt: billingWindow(createdAt - (createdAt % 60_000), 1, Date.now()).resetsAt,
  });
});

test('AI credits pay for chat, images and video, and what was bought pays once the month’s are used', async () => {
  const { environments, customer } = await applied(await newTenant(), 'ai-credits');
  for (const { secretKey } of environments) {
    const { features } = await check(secretKey, customer);
    const paid = (per: number) => ({
      costs: { feature: 'ai-calls', property: 'credits', per, remaining: 460 },
    });
    expect(features.chat?.properties.tokens).toMatchObject({ state: 'on', allowed: true, ...paid(0.1) });
    expect(features.images?.properties.generations).toMatchObject({ used: 25, limit: 25, ...paid(4) });
    expect(features.video?.properties.seconds).toEqual({ state: 'off', allowed: false, used: 0 });
    const body = { userIdentifier: customer, feature: 'chat', property: 'tokens', amount: 100 };
    const held = await exports.default.fetch(publicRequest('holds', secretKey, body));
    expect(await held.json()).toMatchObject({
      accepted: true,
      costs: { applied: 10, draws: [{ from: 'example-500-credits', amount: 10 }] },
    });
  }
});

test('in an organisation that has Production and Test, they are used', async () => {
  const user = await signedIn();
  const made = await user.fetch('/api/auth/organization/create', { json: { name: 'Fresh Works' } });
  const tenant = tenantOf(user, (await made.json<{ id: string }>()).id);
  const { environments } = await applied(tenant, 'seats');
  expect(environments.map(({ name }) => name)).toEqual(['Production', 'Test']);
  expect(await countsOf(tenant)).toEqual({ features: 3, plans: 2, environments: 3, versions: 1 });
});

test('repeated, also at once, nothing is created or counted twice, and the keys are the same', async () => {
  const tenant = await newTenant();
  const answers = await Promise.all([apply(tenant, 'seats'), apply(tenant, 'seats')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const first = await applied(tenant, 'seats');
  const keysOf = ({ environments }: AppliedTemplate) => environments.map(({ keyId }) => keyId);
  for (const { body } of answers) expect(keysOf(body)).toEqual(keysOf(first));
  for (const { id } of first.environments) {
    const { keys } = await tenant.make<{ keys: unknown[] }>('GET', `/environments/${id}/api-keys`);
    expect(keys).toHaveLength(1);
  }
  const counts = { features: 3, plans: 2, environments: 3, versions: 1 };
  expect(await countsOf(tenant)).toEqual(counts);
  expect(await applied(tenant, 'seats')).toEqual(first);
  expect(await countsOf(tenant)).toEqual(counts);
  const [production] = first.environments;
  const { features } = await check(production?.secretKey ?? '', first.customer);
  expect(features.seats?.properties.members).toMatchObject({ used: 3, limit: 3 });
});

test('one after the other, all of them work', async () => {
  const tenant = await newTenant();
  for (const id of templateSchema.options) await expectVerdicts(await applied(tenant, id));
  expect(await countsOf(tenant)).toMatchObject({ features: 13, plans: 8, versions: 4 });
});

test('what a call that ended half-way has left is completed', async () => {
  const tenant = await newTenant();
  const [seats] = TEMPLATES.seats.features;
  const [team] = TEMPLATES.seats.plans;
  await tenant.make('POST', '/features', { name: seats?.name, slug: seats?.slug });
  await tenant.make('POST', '/plans', { name: team.name, slug: team.slug });
  await tenant.make('POST', '/artifacts', {});
  await expectVerdicts(await applied(tenant, 'seats'));
});

test.each([
  ['feature', '/features', { name: 'Our seats', slug: 'seats' }],
  ['plan', '/plans', { name: 'Our team', slug: 'team' }],
])(
  'a %s of the organisation’s own with the slug of one is refused, and nothing changes',
  async (what, path, body) => {
    const tenant = await newTenant();
    const own = await tenant.make<Feature>('POST', '/features', { name: 'Colours', slug: 'colours' });
    const made = await tenant.make<{ id: string; planId: string }>('POST', path, body);
    if (what === 'feature') {
      const property = { name: 'Colour', propertyKey: 'colour', type: 'string' };
      await tenant.make('POST', `/features/${made.id}/properties`, property);
    } else {
      const values = own.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true }));
      await tenant.make('PUT', `/plans/${made.planId}/versions/1`, { properties: { [own.id]: values } });
    }
    const before = await countsOf(tenant);
    const { status, body: refusal } = await apply(tenant, 'seats');
    expect(status).toBe(409);
    expect(refusal.message).toContain('of your own');
    expect(await countsOf(tenant)).toEqual(before);
  },
);

test('what runs in an environment gets no other changes of the workspace with it', async () => {
  const tenant = await newTenant();
  await applied(tenant, 'seats');
  await publishAll(tenant);
  const features = await tenant.make<Feature[]>('GET', '/features');
  await tenant.make('PUT', `/features/${features[0]?.id}`, { name: 'Renamed' });
  const before = await countsOf(tenant);
  const { status, body } = await apply(tenant, 'api-limits');
  expect(status).toBe(409);
  expect(body.message).toContain('Production runs version 1, and the workspace has changes');
  expect(await countsOf(tenant)).toEqual(before);
});

test.each([
  ['a feature', '/features', { name: 'Unfinished', slug: 'unfinished' }],
  ['a plan', '/plans', { name: 'Unfinished', slug: 'unfinished' }],
])(
  '%s of the organisation’s own, deployed or not, never reaches Production with one',
  async (_, path, body) => {
    const tenant = await newTenant();
    await tenant.make('POST', path, body);
    const before = await countsOf(tenant);
    for (const id of ['seats', 'ai-tokens'] as const) {
      const { status, body: refusal } = await apply(tenant, id);
      expect([status, refusal.message]).toEqual([409, expect.stringContaining('of your own')]);
    }
    expect(await countsOf(tenant)).toEqual(before);
  },
);

test('code of the organisation’s own never reaches Production with one', async () => {
  const tenant = await newTenant();
  const workflow = { name: 'Trial', type: 'dynamic-provisioning' };
  const { id } = await tenant.make<{ id: string }>('POST', '/workflows', workflow);
  const code = 'export default () => []';
  await tenant.make('PUT', `/workflows/${id}`, { source: code, compiled: code });
  expect((await apply(tenant, 'seats')).status).toBe(409);
});

test('a member may, platform staff with support access may not', async () => {
  const tenant = await newTenant();
  const member = await newMember(tenant.user, tenant.orgId);
  const staff = await newStaff('Grace Staff');
  await grantSupportAccess(tenant.user, tenant.orgId);
  const refused = await apply(tenantOf(staff, tenant.orgId), 'seats');
  expect(refused.status).toBe(403);
  expect(await countsOf(tenant)).toEqual({ features: 0, plans: 0, environments: 1, versions: 0 });
  await expectVerdicts(await applied(tenantOf(member, tenant.orgId), 'seats'));
});

test.each([{}, { template: 'seat' }, { template: ['seats'] }, { template: 'seats', name: 'x' }])(
  'refuses %o',
  async (body) => {
    const tenant = await newTenant();
    expect((await tenant.call('POST', '/templates', body)).status).toBe(400);
  },
);
