// Platform staff change nothing in an organisation without an owner's consent, which is audited and expires.

import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditAction } from '#contracts/console/activity';
import type { SupportAccess } from '#contracts/console/support-access';
import type { Endpoint } from '#contracts/public/endpoint';
import { newSigner } from '#lab/fixtures/tokens';
import {
  grantSupportAccess,
  mailsTo,
  makeStaff,
  newEmail,
  newMember,
  newOrganisation,
  newStaff,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { endpoints } from '#tests/support/endpoints';
import { expectUnchanged } from '#tests/support/stored-state';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, tenantOf } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { environment as environmentTable } from '#worker/db/schema/environments';
import { auditLog } from '#worker/db/schema/operations';
import { member, supportAccess } from '#worker/db/schema/organisations';

const db = openDatabase(env.DB);
const NEEDS_CONSENT = 'An owner of the organisation must grant support access first';

/** Every call that changes something in an organisation named in its path. */
const writes = endpoints.filter(
  ({ endpoint: { guard, method } }) => guard.kind === 'member' && method !== 'GET',
);

let owner: SignedIn;
let staff: SignedIn;
let orgId: string;

beforeAll(async () => {
  owner = await signedIn('Orla Owner');
  staff = await newStaff();
  ({ orgId } = await newOrganisation(owner, 'Quince & Sons'));
});

const base = () => `/api/orgs/${orgId}/support-access`;

async function accessOf(who: SignedIn): Promise<SupportAccess> {
  const answer = await who.fetch(base());
  expect(answer.status).toBe(200);
  return answer.json();
}

async function actions(action: AuditAction) {
  return db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.orgId, orgId), eq(auditLog.action, action)));
}

function pathOf(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'orgId' ? orgId : `${name}_unknown`,
  );
}

/** The team's calls name the organisation in the body. */
const teamCalls = (email: string, invitationId: string) =>
  [
    ['invite-member', { email, role: 'owner' }],
    ['invite-member', { email, role: 'member' }],
    ['update-member-role', { memberId: 'mem_unknown', role: 'owner' }],
    ['remove-member', { memberIdOrEmail: owner.email }],
    ['cancel-invitation', { invitationId }],
  ] as const;

describe('without consent, platform staff', () => {
  test('may look, with no permission to change anything', async () => {
    const answer = await staff.fetch(`/api/orgs/${orgId}`);
    expect(await answer.json()).toMatchObject({ id: orgId, userPermissions: [] });
  });

  test.each(writes)('are refused $name', async ({ endpoint }) => {
    await expectUnchanged({ orgId }, async () => {
      const answer = await staff.fetch(pathOf(endpoint), { method: endpoint.method, json: {} });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ errorType: 'forbidden', message: NEEDS_CONSENT });
    });
  });

  test('are refused every change of the team, themselves as owner included', async () => {
    const invited = await owner.fetch('/api/auth/organization/invite-member', {
      json: { organizationId: orgId, email: newEmail(), role: 'member' },
    });
    const { id: invitationId } = await invited.json<{ id: string }>();
    await expectUnchanged({ orgId }, async () => {
      for (const [call, body] of teamCalls(staff.email, invitationId)) {
        const json = { organizationId: orgId, ...body };
        const answer = await staff.fetch(`/api/auth/organization/${call}`, { json });
        expect(answer.status).toBe(403);
        expect(await answer.json()).toMatchObject({ message: NEEDS_CONSENT });
      }
    });
    expect(await db.select().from(member).where(eq(member.userId, staff.userId))).toEqual([]);
  });

  test('cannot take a member’s account by another email', async () => {
    const colleague = await newMember(owner, orgId);
    const take = await staff.fetch(`/api/sudo/users/${colleague.userId}`, {
      method: 'PUT',
      json: { email: newEmail() },
    });
    expect(take.status).toBe(403);
    expect(await take.json()).toMatchObject({ issues: [{ path: 'email' }] });
    const same = { method: 'PUT', json: { email: colleague.email.toUpperCase(), emailVerified: true } };
    expect((await staff.fetch(`/api/sudo/users/${colleague.userId}`, same)).status).toBe(200);
  });

  test('who are plain members keep the permissions of members only', async () => {
    const both = await newMember(owner, orgId);
    await makeStaff(both);
    const settings = { method: 'PUT', json: { name: 'Renamed' } };
    expect((await both.fetch(`/api/orgs/${orgId}`, settings)).status).toBe(403);
    const feature = { json: { name: 'Seats', slug: `seats-${crypto.randomUUID().slice(0, 8)}` } };
    expect((await both.fetch(`/api/orgs/${orgId}/features`, feature)).status).not.toBe(403);
  });
});

describe('consent', () => {
  test('is given by owners only: not by admins, members, or staff', async () => {
    const admin = await newMember(owner, orgId, 'admin');
    for (const who of [admin, staff]) {
      const answer = await who.fetch(base(), { method: 'PUT', json: { hours: 4 } });
      expect(answer.status).toBe(403);
      expect((await who.fetch(base(), { method: 'DELETE' })).status).toBe(403);
    }
    expect(await accessOf(owner)).toEqual({ request: null, grant: null, needsConsentToRead: false });
  });

  test('names a number of hours that is offered', async () => {
    for (const hours of [0, -1, 2, 1000, 1e308, '4', null, undefined]) {
      const answer = await owner.fetch(base(), { method: 'PUT', json: { hours } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ path: 'hours' }] });
    }
  });

  test('is asked for with a reason that the owners get by mail, at most once an hour', async () => {
    const ask = (reason: unknown) =>
      staff.fetch(`/api/sudo/orgs/${orgId}/support-access`, { json: { reason } });
    for (const reason of ['short', 'x'.repeat(501), '          ', 5, undefined]) {
      const answer = await ask(reason);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ path: 'reason' }] });
    }
    expect((await ask('Your plan links look broken')).status).toBe(200);
    expect(await (await ask('Your plan links are broken')).json()).toMatchObject({
      request: { reason: 'Your plan links are broken' },
      grant: null,
    });
    const mails = (await mailsTo(owner.email)).filter(({ subject }) => subject.includes('requests access'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.links).toContain(`http://localhost:4001/o/${orgId}/settings`);
    expect(await actions('support-access.requested')).toHaveLength(2);
    const unknown = await staff.fetch('/api/sudo/orgs/org_unknown/support-access', {
      json: { reason: 'Nobody is there at all' },
    });
    expect(unknown.status).toBe(404);
    expect((await owner.fetch(base(), { method: 'DELETE' })).status).toBe(204);
    expect((await accessOf(owner)).request).toBeNull();
  });

  test('is asked for by several at once with one mail', async () => {
    const { orgId: of } = await newOrganisation(owner, 'Asked at Once');
    const json = { reason: 'Your plan links look broken' };
    const ask = () => staff.fetch(`/api/sudo/orgs/${of}/support-access`, { json });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const mails = (await mailsTo(owner.email)).filter(({ subject }) => subject.includes('Asked at Once'));
    expect(mails).toHaveLength(1);
  });

  test('is in the audit log, lets staff change things on the record, and ends at once when the owner says so', async () => {
    await grantSupportAccess(owner, orgId, 4);
    const [granted] = await actions('support-access.granted');
    expect(granted).toMatchObject({ actorUserId: owner.userId, detail: { hours: 4 } });
    const change = () => staff.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Helped out' } });
    expect((await change()).status).toBe(200);
    expect(await (await staff.fetch(`/api/orgs/${orgId}`)).json()).toMatchObject({
      userPermissions: ['org:edit'],
    });
    expect(await actions('sudo.acted')).toContainEqual(
      expect.objectContaining({
        actorUserId: staff.userId,
        detail: { method: 'PUT', path: `/api/orgs/${orgId}` },
      }),
    );
    const own = await staff.fetch(base(), { method: 'PUT', json: { hours: 72 } });
    expect(own.status).toBe(403);
    expect((await owner.fetch(base(), { method: 'DELETE' })).status).toBe(204);
    expect((await change()).status).toBe(403);
    expect((await owner.fetch(base(), { method: 'DELETE' })).status).toBe(204);
    expect(await actions('support-access.ended')).toHaveLength(2);
  });

  test('leaves staff with nothing that outlives it: no member, no invitation, no key', async () => {
    const colleague = await newMember(owner, orgId);
    await makeStaff(colleague);
    const invited = await owner.fetch('/api/auth/organization/invite-member', {
      json: { organizationId: orgId, email: newEmail(), role: 'member' },
    });
    const { id: invitationId } = await invited.json<{ id: string }>();
    const [environment] = await db
      .select({ id: environmentTable.id })
      .from(environmentTable)
      .where(eq(environmentTable.orgId, orgId));
    const [own] = await db.select({ id: member.id }).from(member).where(eq(member.userId, colleague.userId));
    await grantSupportAccess(owner, orgId, 1);
    for (const who of [staff, colleague]) {
      const calls = [
        ...teamCalls(who.email, invitationId),
        ['update-member-role', { memberId: own?.id, role: 'admin' }],
      ] as const;
      for (const [call, body] of calls) {
        const json = { organizationId: orgId, ...body };
        expect((await who.fetch(`/api/auth/organization/${call}`, { json })).status).toBe(403);
      }
    }
    const key = { json: { environmentId: environment?.id, type: 'secret' } };
    const answer = await staff.fetch(`/api/orgs/${orgId}/api-keys`, key);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      message: 'Only members of the organisation can create keys',
    });
    expect((await owner.fetch(`/api/orgs/${orgId}/api-keys`, key)).status).toBe(201);
    await owner.fetch(base(), { method: 'DELETE' });
  });

  test('leaves staff with no say about whose tokens and whose subscriptions are accepted', async () => {
    const tenant = await newTenant();
    const { path, account } = await connectedTenant({ tenant });
    const [signer, staffSigner] = await Promise.all([newSigner(), newSigner()]);
    const jwt = { name: 'Our sign-in', publicKey: signer.pem, claimKey: 'sub', aud: 'shop' };
    const { id } = await tenant.make('POST', '/integrations/jwt', jwt);
    await grantSupportAccess(tenant.user, tenant.orgId, 1);
    const asStaff = tenantOf(staff, tenant.orgId);
    const refused: [method: string, path: string, body: object][] = [
      ['POST', '/integrations/jwt', { ...jwt, publicKey: staffSigner.pem }],
      ...[
        { publicKey: staffSigner.pem, name: 'Renamed' },
        { aud: null },
        { iss: 'https://elsewhere.example' },
        { claimKey: 'email' },
        { claimIndex: 'email' },
      ].map((body): (typeof refused)[number] => ['PUT', `/integrations/jwt/${id}`, body]),
      ['POST', '/integrations/stripe', { secretKey: account.keys.liveSecretKey }],
      ['PUT', path, { secretKey: account.keys.secretKey }],
      ['POST', `${path}/webhook`, { mode: 'manual', signingSecret: `whsec_${'0'.repeat(32)}` }],
    ];
    const stored = async () => [
      await tenant.make('GET', `/integrations/jwt`),
      await tenant.make('GET', '/integrations/stripe'),
    ];
    const before = await stored();
    for (const [method, of, body] of refused) {
      expect(await asStaff.call(method, of, body)).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/^Only members of the organisation can /) },
      });
    }
    expect(await stored()).toEqual(before);
    const rename = { name: 'Renamed', aud: 'shop' };
    expect(await asStaff.call('PUT', `/integrations/jwt/${id}`, rename)).toMatchObject({ status: 200 });
    expect(await asStaff.call('PUT', path, { name: 'Renamed' })).toMatchObject({ status: 200 });
    expect(await asStaff.call('POST', `${path}/webhook`, { mode: 'automatic' })).toMatchObject({
      status: 200,
    });
  });

  test('does not let staff in as a member by an email of theirs', async () => {
    const colleague = await newMember(owner, orgId);
    await grantSupportAccess(owner, orgId, 1);
    const take = { method: 'PUT', json: { email: newEmail() } };
    expect((await staff.fetch(`/api/sudo/users/${colleague.userId}`, take)).status).toBe(403);
    await owner.fetch(base(), { method: 'DELETE' });
  });

  test('expires', async () => {
    await grantSupportAccess(owner, orgId, 1);
    await db
      .update(supportAccess)
      .set({ expiresAt: Date.now() })
      .where(eq(supportAccess.organizationId, orgId));
    expect((await accessOf(owner)).grant).toBeNull();
    const answer = await staff.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Too late' } });
    expect(answer.status).toBe(403);
  });

  test('of one organisation opens no other', async () => {
    const other = await newOrganisation(owner, 'Elsewhere');
    await grantSupportAccess(owner, other.orgId, 1);
    const answer = await staff.fetch(`/api/orgs/${orgId}`, { method: 'PUT', json: { name: 'Wrong one' } });
    expect(answer.status).toBe(403);
  });
});

describe('what staff read', () => {
  const viewsOf = async (of: string) =>
    (
      await db
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.orgId, of), eq(auditLog.action, 'sudo.viewed')))
    )
      .map(({ actorUserId }) => actorUserId)
      .sort();

  test('leaves one row for each person, organisation and hour, which the owners see', async () => {
    const { orgId: viewed } = await newOrganisation(owner, 'Viewed');
    const colleague = await signedIn('Second Staff');
    await makeStaff(colleague);
    const paths = ['', '/features', '/customers', '/activity'].map((path) => `/api/orgs/${viewed}${path}`);
    await Promise.all([...paths, `/api/sudo/orgs/${viewed}/summary`].map((path) => staff.fetch(path)));
    expect(await viewsOf(viewed)).toEqual([staff.userId]);
    for (const path of paths) expect((await colleague.fetch(path)).status).toBe(200);
    expect(await viewsOf(viewed)).toEqual([staff.userId, colleague.userId].sort());
    await db.insert(auditLog).values({
      ...{ id: 'aud_hour_ago', orgId: viewed, action: 'sudo.viewed', actorUserId: owner.userId },
      at: Date.now() - 3_600_000,
    });
    await makeStaff(owner);
    await owner.fetch(paths[0] ?? '');
    expect(await viewsOf(viewed)).toHaveLength(3);
    await db.update(user).set({ sudo: false }).where(eq(user.id, owner.userId));
    const shown = await (await owner.fetch(`/api/orgs/${viewed}/activity?kind=support`)).json();
    expect(shown).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          action: 'sudo.viewed',
          actor: expect.objectContaining({ kind: 'support', name: 'Staff Member' }),
        }),
      ]),
    });
  });

  const needConsent = (who: SignedIn, of: string, needsConsent: unknown) =>
    who.fetch(`/api/orgs/${of}/support-access/reading`, { method: 'PUT', json: { needsConsent } });

  const showing = endpoints
    .map(({ endpoint }) => endpoint)
    .filter(({ guard }) => guard.kind === 'member' && guard.showsCustomers);

  test('includes customers and events only with consent, where owners want that', async () => {
    const tenant = await newTenant();
    const of = tenant.orgId;
    const customer = encodeURIComponent('cus-secret');
    await tenant.make('POST', '/plans', { name: 'Pro', slug: 'pro' });
    const get = async (path: string) => (await staff.fetch(`/api/orgs/${of}${path}`)).status;
    expect(await get('/customers')).toBe(200);

    const admin = await newMember(tenant.user, of, 'admin');
    for (const who of [admin, staff]) expect((await needConsent(who, of, true)).status).toBe(403);
    for (const bad of [undefined, 'yes', 1]) {
      const answer = await needConsent(tenant.user, of, bad);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ path: 'needsConsent' }] });
    }
    const changed = await needConsent(tenant.user, of, true);
    expect(await changed.json()).toEqual({ request: null, grant: null, needsConsentToRead: true });
    expect((await needConsent(tenant.user, of, true)).status).toBe(200);

    expect(showing.map(({ path }) => path)).toContain('/api/orgs/:orgId/event-search');
    for (const { method, path } of showing) {
      const url = path.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'orgId' ? of : customer));
      const answer = await staff.fetch(url, method === 'GET' ? {} : { method, json: {} });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.json()).toMatchObject({ errorType: 'forbidden' });
    }
    expect(await get('/features')).toBe(200);
    expect((await tenant.user.fetch(`/api/orgs/${of}/customers`)).status).toBe(200);

    await grantSupportAccess(tenant.user, of, 1);
    expect(await get('/customers')).toBe(200);
    await tenant.user.fetch(`/api/orgs/${of}/support-access`, { method: 'DELETE' });
    expect(await get('/customers')).toBe(403);
    expect((await needConsent(tenant.user, of, false)).status).toBe(200);
    expect(await get('/customers')).toBe(200);
    const decided = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.orgId, of), eq(auditLog.action, 'support-access.reading-changed')));
    expect(decided.map(({ detail }) => detail?.needsConsent)).toEqual([true, false]);
  });

  test('of the activity leaves out changes of customers, where owners want consent for them', async () => {
    const { orgId: of } = await newOrganisation(owner, 'Discreet');
    await db.insert(auditLog).values([
      { id: `aud_c_${of}`, orgId: of, action: 'customer.created', targetId: 'cus-secret', at: Date.now() },
      { id: `aud_p_${of}`, orgId: of, action: 'plan.created', targetId: 'pln_1', at: Date.now() },
    ]);
    const lists = async (who: SignedIn) =>
      (await (await who.fetch(`/api/orgs/${of}/activity`)).text()).includes('cus-secret') ||
      (await (await who.fetch(`/api/orgs/${of}/activity-export`)).text()).includes('cus-secret');
    expect(await lists(staff)).toBe(true);
    await needConsent(owner, of, true);
    expect(await lists(staff)).toBe(false);
    expect(await lists(owner)).toBe(true);
    expect(await (await staff.fetch(`/api/orgs/${of}/activity`)).text()).toContain('plan.created');
  });
});
