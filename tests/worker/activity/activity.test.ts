// The activity of an organisation: who changed what, with names, by person, object and time, in pages and as a file.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { type Activity, type ActivityNames, KIND_BY_SUBJECT } from '#contracts/console/activity';
import { grantSupportAccess, newMember, newStaff } from '#tests/support/accounts';
import { rowsOf } from '#tests/support/database-rows';
import { provisioner } from '#tests/support/provisioning';
import { newTenant, type Tenant, tenantOf } from '#tests/support/tenants';

interface Page {
  readonly items: readonly Activity[];
  readonly names: ActivityNames;
  readonly nextCursor: string | null;
}

const list = (tenant: Tenant, filter: Record<string, string> = {}) =>
  tenant.make<Page>('GET', `/activity?${new URLSearchParams(filter)}`);
const actionsOf = ({ items }: Page) => items.map(({ action }) => action);
const property = { name: 'Formats', propertyKey: 'formats', type: 'string', value: 'csv' };

let tenant: Tenant;
let featureId: string;
let propertyId: string;

beforeAll(async () => {
  tenant = await newTenant();
  featureId = (await tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' })).id;
  propertyId = (await tenant.make('POST', `/features/${featureId}/properties`, property)).id;
});

test('says who did what to which object, newest first, with names in place of ids', async () => {
  const { items, names } = await list(tenant);
  const { userId, name, email } = tenant.user;
  const actor = { kind: 'member', id: userId, name, email };
  expect(items.slice(0, 2)).toMatchObject([
    { action: 'property.created', kind: 'feature', targetId: propertyId, actor },
    { action: 'feature.created', kind: 'feature', targetId: featureId, actor },
  ]);
  expect(names).toMatchObject({ [featureId]: 'Exports', [propertyId]: 'exports.formats' });
});

test('the history of a feature has its properties’ changes, that of an environment its keys’ and deployments', async () => {
  const feature = await list(tenant, { target: featureId });
  expect(actionsOf(feature)).toEqual(['property.created', 'feature.created']);
  const { id: environmentId } = await tenant.make('POST', '/environments', { name: 'Staging', type: 'test' });
  const key = await tenant.key(environmentId);
  const { id: artifactId } = await tenant.make('POST', '/artifacts', {});
  await tenant.make('PUT', `/deployments/${environmentId}/artifact`, { artifactId });
  expect(actionsOf(await list(tenant, { target: environmentId }))).toEqual([
    'version.deployed',
    'api-key.created',
    'environment.created',
  ]);
  expect(actionsOf(await list(tenant, { target: key.id }))).toEqual(['api-key.created']);
});

test('what is gone keeps its name', async () => {
  const made = await tenant.make<{ planId: string }>('POST', '/plans', { name: 'Pilot', slug: 'pilot' });
  await tenant.make('PUT', `/plans/${made.planId}`, { name: 'Pilots' });
  await tenant.make('DELETE', `/plans/${made.planId}`);
  const previewId = await tenant.previewId();
  const key = await tenant.make('POST', '/api-keys', {
    environmentId: previewId,
    type: 'secret',
    name: 'Old server',
  });
  await tenant.make('DELETE', `/api-keys/${key.id}`);
  const gone = await tenant.make('POST', `/features/${featureId}/properties`, {
    ...property,
    propertyKey: 'gone',
  });
  await tenant.make('DELETE', `/features/${featureId}/properties/${gone.id}`);
  const { names } = await list(tenant);
  expect(names).toMatchObject({ [made.planId]: 'Pilots', [key.id]: 'Old server', [gone.id]: 'gone' });
});

test('API keys, support and Tessera itself are told apart from members', async () => {
  const own = await provisioner();
  await own.manage('PUT', '/ada@tests.example', { name: 'Ada Lovelace' });
  const [byKey] = (await list(own.tenant)).items;
  expect(byKey?.actor).toEqual({ kind: 'key', id: own.managing.id, name: 'Billing server', email: null });
  expect((await list(own.tenant)).names).toMatchObject({ 'ada@tests.example': 'Ada Lovelace' });
  expect(actionsOf(await list(own.tenant, { actor: own.managing.id }))).toEqual(['customer.created']);

  const staff = await newStaff('Grace Staff');
  await grantSupportAccess(own.tenant.user, own.tenant.orgId);
  await tenantOf(staff, own.tenant.orgId).make('PUT', '', { description: 'Engines' });
  const bySupport = await list(own.tenant, { actor: staff.userId });
  expect(actionsOf(bySupport).sort()).toEqual(['organisation.changed', 'sudo.acted']);
  expect(bySupport.items[0]?.actor).toMatchObject({ kind: 'support', name: 'Grace Staff' });

  const row = 'INSERT INTO audit_log (id, org_id, action, at) VALUES (?, ?, ?, 4000000000000)';
  await env.DB.prepare(row).bind('aud_s', own.tenant.orgId, 'billing.subscription-changed').run();
  await env.DB.prepare(row).bind('aud_t', own.tenant.orgId, 'billing.usage-blocked').run();
  expect((await list(own.tenant)).items.slice(0, 2).map(({ actor }) => actor.kind)).toEqual([
    'service',
    'stripe',
  ]);
  expect(actionsOf(await list(own.tenant, { actor: 'stripe' }))).toEqual(['billing.subscription-changed']);
});

test('the database gives each subject of an action the kind that it has in the contract', async () => {
  const subjects = Object.keys(KIND_BY_SUBJECT);
  const row = env.DB.prepare('INSERT INTO audit_log (id, action, at) VALUES (?, ?, 1)');
  await env.DB.batch(subjects.map((subject) => row.bind(`aud_${subject}`, `${subject}.done`)));
  const stored = await env.DB.prepare("SELECT action, kind FROM audit_log WHERE action LIKE '%.done'").all<{
    action: string;
    kind: string;
  }>();
  expect(Object.fromEntries(stored.results.map(({ action, kind }) => [action.slice(0, -5), kind]))).toEqual(
    KIND_BY_SUBJECT,
  );
});

test('is filtered by kind of object and by time', async () => {
  const { items } = await list(tenant, { kind: 'feature' });
  expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['feature']));
  const [newest] = items;
  const before = await list(tenant, { kind: 'feature', to: String(newest?.at) });
  expect(before.items.every(({ at }) => at < (newest?.at ?? 0))).toBe(true);
  expect(actionsOf(await list(tenant, { from: '4000000000000' }))).toEqual([]);
  expect((await tenant.call('GET', '/activity?kind=nothing')).status).toBe(400);
  expect((await tenant.call('GET', '/activity?cursor=nothing')).status).toBe(400);
});

test('every member reads it, in pages that read about as many rows as they show', async () => {
  const own = await newTenant();
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (id, org_id, actor_user_id, action, target_id, at) VALUES (?, ?, 'user_x', 'plan.changed', 'plan_x', ?)",
  );
  const ids = Array.from({ length: 130 }, (_, index) => `aud_${String(index).padStart(3, '0')}`);
  await env.DB.batch(
    ids.map((id, index) => insert.bind(id, own.orgId, 4_000_000_000_000 + Math.floor(index / 7))),
  );
  const member = tenantOf(await newMember(own.user, own.orgId), own.orgId);
  for (const filter of [{}, { target: 'plan_x' }, { actor: 'user_x' }, { kind: 'plan' }] as Record<
    string,
    string
  >[]) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await list(member, { ...filter, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    expect(await rowsOf('rows_read', () => list(member, filter))).toBeLessThan(400);
  }
});

test('the file has every change of the filter, and no cell that a spreadsheet would take for a formula', async () => {
  await tenant.make('POST', '/plans', { name: '=SUM(A1)', slug: 'formula' });
  const answer = await tenant.user.fetch(`/api/orgs/${tenant.orgId}/activity-export?kind=plan`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const lines = (await answer.text()).split('\r\n');
  expect(lines[0]).toBe('time,id,by,person or key,email,person or key id,action,object,object id,details');
  expect(lines[1]).toContain(`member,${tenant.user.name},${tenant.user.email},`);
  expect(lines[1]).toContain(`plan.created,"'=SUM(A1)",`);
  expect(lines).toHaveLength(1 + (await list(tenant, { kind: 'plan' })).items.length + 1);
});
