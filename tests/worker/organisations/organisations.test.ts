// Creating, reading and updating organisations: atomic creation, 404 for non-members, permissions.
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Organisation } from '#contracts/console/organisations';
import type { ErrorBody } from '#contracts/public/errors';
import { LOCATIONS } from '#contracts/public/locations';
import {
  grantSupportAccess,
  newMember,
  newOrganisation,
  newStaff,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { auditLog, outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';

const db = openDatabase(env.DB);

async function read(account: SignedIn, orgId: string): Promise<Organisation> {
  return (await account.fetch(`/api/orgs/${orgId}`)).json();
}

async function actionsIn(orgId: string): Promise<string[]> {
  const rows = await db.select().from(auditLog).where(eq(auditLog.orgId, orgId)).orderBy(sql`rowid`);
  return rows.map((row) => row.action);
}

const none = Object.fromEntries(LOCATIONS.map((location) => [location, false]));

describe('creating an organisation', () => {
  test('is refused to who owns twenty, also at once', async () => {
    const ada = await signedIn();
    const create = () => ada.fetch('/api/auth/organization/create', { json: { name: 'One more' } });
    for (let owned = 0; owned < 18; owned++) await newOrganisation(ada);
    const statuses = (await Promise.all(Array.from({ length: 6 }, create))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 403, 403, 403, 403]);
  });

  test('makes its owner, its environments, their first publication and its audit rows', async () => {
    const ada = await signedIn();
    const answer = await ada.fetch('/api/auth/organization/create', { json: { name: '  Acme Analytics ' } });
    expect(answer.status).toBe(201);
    const made = await answer.json<Organisation>();
    expect(made).toMatchObject({
      id: expect.stringMatching(/^org_/),
      name: 'Acme Analytics',
      plan: 'build',
      userPermissions: ['org:edit', 'team-members:edit'],
    });
    expect(await (await ada.fetch('/api/user/orgs')).json()).toEqual([
      { id: made.id, name: 'Acme Analytics', role: 'owner' },
    ]);
    const environments = await (await ada.fetch(`/api/orgs/${made.id}/environments`)).json();
    expect(environments).toMatchObject([
      { type: 'preview', name: 'Preview' },
      { type: 'live', name: 'Production', artifactId: null },
      { type: 'test', name: 'Test', artifactId: null },
    ]);
    expect(await actionsIn(made.id)).toEqual([
      'organisation.created',
      'environment.created',
      'environment.created',
    ]);
    const [row] = await db.select().from(organization).where(eq(organization.id, made.id));
    expect(row).toMatchObject({ workspaceRevision: 1, slug: expect.stringMatching(/^acme-analytics-/) });
  });

  test.each([
    [{ latitude: '35.7', longitude: '139.7', continent: 'AS', country: 'JP' }, 'apac'],
    [{ latitude: '51.5', longitude: '-0.1', continent: 'EU', country: 'GB' }, 'weur'],
    [{ continent: 'SA', country: 'BR' }, 'sam'],
  ])('from %o starts with the location nearest to it', async (place, location) => {
    const ada = await signedIn();
    const answer = await ada.fetch('/api/auth/organization/create', {
      json: { name: 'Somewhere' },
      headers: { 'x-dev-cf': JSON.stringify(place) },
    });
    const { dataLocations } = await answer.json<Organisation>();
    expect(dataLocations).toEqual({ ...none, [location]: true });
  });

  test('gives each a unique slug, whatever is requested', async () => {
    const ada = await signedIn();
    const slug = `wished-${crypto.randomUUID().slice(0, 8)}`;
    const wishes = [slug, slug, '../../admin?x=<script>', '__proto__', 'constructor'];
    const answers = await Promise.all(
      wishes.map((wish) =>
        ada.fetch('/api/auth/organization/create', { json: { name: 'Same name', slug: wish } }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(wishes.map(() => 201));
    const slugs = (await db.select().from(organization)).map((row) => row.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const each of slugs) expect(each).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  });

  test.each([
    ['name', {}],
    ['name', { name: 'ab' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'new\nline' }],
    ['name', { name: ['Acme'] }],
    ['logo', { name: 'Acme', logo: 'javascript:alert(1)' }],
    ['logo', { name: 'Acme', logo: 'data:image/svg+xml,<svg/>' }],
    ['plan', { name: 'Acme', plan: 'grow' }],
    ['environments', { name: 'Acme', environments: [{ name: 'preview', type: 'test' }] }],
    [
      'environments',
      { name: 'Acme', environments: ['ONE', 'one'].map((name) => ({ name: `Env ${name}`, type: 'live' })) },
    ],
    [
      'environments',
      {
        name: 'Acme',
        environments: Array.from({ length: 11 }, (_, n) => ({ name: `Env ${n}`, type: 'live' })),
      },
    ],
    ['environments.0.type', { name: 'Acme', environments: [{ name: 'Other', type: 'preview' }] }],
    ['metadata', { name: 'Acme', metadata: {} }],
  ])('refuses a bad %s and names it: %o', async (path, json) => {
    const ada = await signedIn();
    const answer = await ada.fetch('/api/auth/organization/create', { json });
    expect(answer.status).toBe(400);
    const { errorType, issues } = await answer.json<ErrorBody>();
    expect(errorType).toBe('invalid-request');
    expect(issues?.map((issue) => issue.path)).toContain(path);
    expect(await (await ada.fetch('/api/user/orgs')).json()).toEqual([]);
  });

  test('refuses a name of three megabytes, and one that is not JSON', async () => {
    const ada = await signedIn();
    const large = await ada.fetch('/api/auth/organization/create', { json: { name: 'x'.repeat(3_000_000) } });
    expect(large.status).toBe(413);
    const broken = await ada.fetch('/api/auth/organization/create', {
      body: '{"name": "Acme"',
      headers: { 'content-type': 'application/json' },
    });
    expect(broken.status).toBe(400);
  });

  test('stops at twenty for one owner', async () => {
    const ada = await signedIn();
    for (let index = 0; index < 20; index++) await newOrganisation(ada, `Organisation ${index}`);
    const answer = await ada.fetch('/api/auth/organization/create', { json: { name: 'One more' } });
    expect(answer.status).toBe(403);
  });
});

describe('a stranger', () => {
  const paths = ['', '/summary', '/team-summary', '/users/usr_x'];

  test.each(paths)('learns nothing from /api/orgs/:orgId%s', async (path) => {
    const [ada, eve] = await Promise.all([signedIn(), signedIn('Eve')]);
    const { orgId } = await newOrganisation(ada);
    const foreign = await eve.fetch(`/api/orgs/${orgId}${path}`);
    const unknown = await eve.fetch(`/api/orgs/org_${'0'.repeat(26)}${path}`);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const bodies = await Promise.all([foreign, unknown].map((answer) => answer.json<object>()));
    expect({ ...bodies[0], requestId: '' }).toEqual({ ...bodies[1], requestId: '' });
  });

  test('changes nothing', async () => {
    const [ada, eve] = await Promise.all([signedIn(), signedIn('Eve')]);
    const { orgId } = await newOrganisation(ada);
    const before = await read(ada, orgId);
    const update = await eve.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Taken over' } });
    const move = await eve.fetch(`/api/orgs/${orgId}/data-locations`, {
      method: 'PUT',
      json: { locations: { ...none, sam: true } },
    });
    expect([update.status, move.status]).toEqual([404, 404]);
    expect(await read(ada, orgId)).toEqual(before);
  });
});

describe('settings', () => {
  test('are changed field by field', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const put = (json: object) => ada.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json });
    expect((await put({ name: 'Renamed', description: ' What we do ' })).status).toBe(200);
    expect((await put({ quickstartStatus: 'paused', quickstartIdIntegrationSkipped: true })).status).toBe(
      200,
    );
    expect(await read(ada, orgId)).toMatchObject({
      name: 'Renamed',
      description: 'What we do',
      quickstartStatus: 'paused',
      quickstartIdIntegrationSkipped: true,
    });
    expect((await put({ description: '' })).status).toBe(200);
    expect((await read(ada, orgId)).description).toBeNull();
    const actions = await actionsIn(orgId);
    expect(actions.filter((action) => action === 'organisation.changed')).toHaveLength(3);
  });

  test('that changed meanwhile are a conflict with the current state', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const { updatedAt } = await read(ada, orgId);
    const edit = (name: string) =>
      ada.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name, updatedAt } });
    const answers = await Promise.all([edit('First edit'), edit('Other edit')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const stale = await answers.find((answer) => answer.status === 409)?.json();
    expect(stale).toMatchObject({ errorType: 'conflict', current: await read(ada, orgId) });
    const actions = await actionsIn(orgId);
    expect(actions.filter((action) => action === 'organisation.changed')).toHaveLength(1);
  });

  test.each([
    ['name', { name: 'ab' }],
    ['description', { description: 'x'.repeat(1001) }],
    ['quickstartStatus', { quickstartStatus: 'done' }],
    ['plan', { plan: 'grow' }],
    ['dataLocations', { dataLocations: {} }],
    ['organisationId', { organisationId: 'org_other' }],
  ])('refuse a bad %s: %o', async (path, json) => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const before = await read(ada, orgId);
    const answer = await ada.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
    expect(await read(ada, orgId)).toEqual(before);
  });

  test('accept the organisation in query and body, as the page sends it', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const answer = await ada.fetch(`/api/orgs/${orgId}?organisationId=${orgId}`, {
      method: 'PUT',
      json: { name: 'Renamed', organisationId: orgId },
    });
    expect(answer.status).toBe(200);
  });
});

describe('the quick start', () => {
  const states = { quickstartStatus: null, quickstartIdIntegrationSkipped: false };

  test('is paused, dismissed and finished by any member, and stays finished', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const bob = await newMember(ada, orgId);
    const put = async (account: SignedIn, json: object) => {
      const answer = await account.fetch(`/api/orgs/${orgId}/quickstart`, { method: 'PUT', json });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    expect(await put(bob, { quickstartStatus: 'paused' })).toEqual({ ...states, quickstartStatus: 'paused' });
    expect(await put(bob, { quickstartIdIntegrationSkipped: true })).toEqual({
      quickstartStatus: 'paused',
      quickstartIdIntegrationSkipped: true,
    });
    expect(await put(ada, { quickstartStatus: 'dismissed' })).toMatchObject({
      quickstartStatus: 'dismissed',
    });
    await put(bob, { quickstartStatus: 'finished' });
    for (const quickstartStatus of ['paused', 'dismissed']) {
      expect(await put(bob, { quickstartStatus })).toMatchObject({ quickstartStatus: 'finished' });
      const general = await ada.fetch(`/api/orgs/${orgId}`, {
        method: 'PUT',
        json: { quickstartStatus, description: quickstartStatus },
      });
      expect(await general.json()).toMatchObject({
        quickstartStatus: 'finished',
        description: quickstartStatus,
      });
    }
    const summary = await (await bob.fetch(`/api/orgs/${orgId}/summary`)).json();
    expect(summary).toMatchObject({ quickstartStatus: 'finished', quickstartIdIntegrationSkipped: true });
  });

  test.each([
    ['quickstartStatus', { quickstartStatus: 'done' }],
    ['quickstartIdIntegrationSkipped', { quickstartIdIntegrationSkipped: 'yes' }],
    ['name', { name: 'Taken over', quickstartStatus: 'paused' }],
    ['', {}],
  ])('refuses a bad %s', async (path, json) => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const answer = await ada.fetch(`/api/orgs/${orgId}/quickstart`, { method: 'PUT', json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
  });
});

describe('data locations', () => {
  test('are enabled and disabled, and every environment is published again', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const [before] = await db.select().from(environment).where(eq(environment.orgId, orgId));
    const locations = { ...none, weur: true, apac: true };
    const answer = await ada.fetch(`/api/orgs/${orgId}/data-locations`, {
      method: 'PUT',
      json: { locations },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ locations });
    expect((await read(ada, orgId)).dataLocations).toEqual(locations);
    const [after] = await db.select().from(environment).where(eq(environment.orgId, orgId));
    expect(after?.generation).toBeGreaterThan(before?.generation ?? 0);
    expect(await actionsIn(orgId)).toContain('organisation.data-locations-changed');
  });

  test.each([
    ['locations', { locations: none }],
    ['locations.me', { locations: { ...none, weur: true, me: undefined } }],
    ['locations.mars', { locations: { ...none, weur: true, mars: true } }],
    ['locations.weur', { locations: { ...none, weur: 'yes' } }],
  ])('refuse a bad %s', async (path, json) => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const answer = await ada.fetch(`/api/orgs/${orgId}/data-locations`, { method: 'PUT', json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
  });
});

test('the summary names the plan, its limit and a block', async () => {
  const ada = await signedIn();
  const { orgId } = await newOrganisation(ada);
  const read = async () => (await ada.fetch(`/api/orgs/${orgId}/summary`)).json();
  expect(await read()).toMatchObject({
    plan: 'build',
    planDisplayName: 'Build',
    visibleTotalMonthlyRequestLimit: 100_000,
    hasCustomerId: false,
    quickstartStatus: null,
    quickstartIdIntegrationSkipped: false,
    blockReason: null,
    limitOrder: 'rate',
  });
  await db
    .update(organization)
    .set({ plan: 'grow', activeStripeCustomerId: 'cus_1', blockReason: 'Unpaid' })
    .where(eq(organization.id, orgId));
  expect(await read()).toMatchObject({
    plan: 'grow',
    planDisplayName: 'Grow',
    visibleTotalMonthlyRequestLimit: null,
    hasCustomerId: true,
    blockReason: 'Unpaid',
  });
});

describe('permissions', () => {
  test.each([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
  ] as const)('%s changing settings and locations: %i', async (role, status) => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const account = role === 'owner' ? ada : await newMember(ada, orgId, role);
    const { userPermissions, dataLocations } = await read(account, orgId);
    expect(userPermissions).toEqual(status === 200 ? ['org:edit', 'team-members:edit'] : []);
    const update = await account.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Renamed' } });
    const move = await account.fetch(`/api/orgs/${orgId}/data-locations`, {
      method: 'PUT',
      json: { locations: dataLocations },
    });
    expect([update.status, move.status]).toEqual([status, status]);
  });

  test('platform staff can open every organisation, and each change that an owner allowed is audited', async () => {
    const [ada, staff] = await Promise.all([signedIn(), newStaff()]);
    const { orgId } = await newOrganisation(ada);
    expect((await read(staff, orgId)).userPermissions).toEqual([]);
    await grantSupportAccess(ada, orgId);
    expect((await read(staff, orgId)).userPermissions).toEqual(['org:edit']);
    expect(await actionsIn(orgId)).not.toContain('sudo.acted');
    const answer = await staff.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Helped out' } });
    expect(answer.status).toBe(200);
    const [row] = (await db.select().from(auditLog).where(eq(auditLog.orgId, orgId))).filter(
      (each) => each.action === 'sudo.acted',
    );
    expect(row).toMatchObject({
      actorUserId: staff.userId,
      detail: { method: 'PUT', path: `/api/orgs/${orgId}` },
    });
    expect((await staff.fetch('/api/orgs/org_unknown')).status).toBe(404);
  });
});

test('a user is visible to the team of current and former members', async () => {
  const [ada, eve] = await Promise.all([signedIn(), signedIn('Eve')]);
  const { orgId } = await newOrganisation(ada);
  const charles = await newMember(ada, orgId);
  const show = (userId: string) => ada.fetch(`/api/orgs/${orgId}/users/${userId}`);
  expect(await (await show(charles.userId)).json()).toEqual({
    id: charles.userId,
    name: charles.name,
    email: charles.email,
    image: null,
  });
  await ada.fetch('/api/auth/organization/remove-member', {
    json: { organizationId: orgId, memberIdOrEmail: charles.email },
  });
  expect((await show(charles.userId)).status).toBe(200);
  expect((await show(eve.userId)).status).toBe(404);
});

test('the audit log can be neither changed nor shortened', async () => {
  const ada = await signedIn();
  const { orgId } = await newOrganisation(ada);
  const rows = db.select().from(auditLog).where(eq(auditLog.orgId, orgId));
  const before = await rows;
  await expect(db.update(auditLog).set({ action: 'plan.created' })).rejects.toThrow();
  await expect(db.delete(auditLog).where(eq(auditLog.orgId, orgId))).rejects.toThrow();
  expect(await rows).toEqual(before);
});

test('a change is committed together with its outbox row', async () => {
  const ada = await signedIn();
  const { orgId } = await newOrganisation(ada);
  const rows = await db.select().from(outbox).where(eq(outbox.orgId, orgId));
  for (const row of rows) expect(['workspace.changed', 'environment.changed']).toContain(row.type);
});
