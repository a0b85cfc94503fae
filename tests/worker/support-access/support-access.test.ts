/// <reference types="vite/types/importMeta.d.ts" />
// Platform staff change nothing in an organisation without an owner's consent, which is audited and expires.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditAction } from '#contracts/console/activity';
import type { SupportAccess } from '#contracts/console/support-access';
import type { Endpoint } from '#contracts/public/endpoint';
import {
  grantSupportAccess,
  mailsTo,
  makeStaff,
  newEmail,
  newMember,
  newOrganisation,
  type SignedIn,
  signedIn,
  signUp,
} from '#tests/support/accounts';
import { expectUnchanged } from '#tests/support/stored-state';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, tenantOf } from '#tests/support/tenants';
import { newSigner } from '#tests/support/tokens';
import { openDatabase } from '#worker/db/database';
import { environment as environmentTable } from '#worker/db/schema/environments';
import { auditLog } from '#worker/db/schema/operations';
import { member, supportAccess } from '#worker/db/schema/organisations';

const db = openDatabase(env.DB);
const NEEDS_CONSENT = 'An owner of the organisation must grant support access first';

const contracts = import.meta.glob<Record<string, unknown>>('../../../packages/contracts/console/*.ts', {
  eager: true,
});

/** Every call that changes something in an organisation named in its path. */
const writes = Object.values(contracts)
  .flatMap((contract) => Object.entries(contract).filter(([name]) => name.endsWith('Endpoints')))
  .flatMap(([name, records]) =>
    Object.entries(records as Record<string, Endpoint>).map(([key, endpoint]) => ({
      name: `${name}.${key}`,
      endpoint,
    })),
  )
  .filter(({ endpoint: { guard, method } }) => guard.kind === 'member' && method !== 'GET');

let owner: SignedIn;
let staff: SignedIn;
let orgId: string;

beforeAll(async () => {
  owner = await signedIn('Orla Owner');
  staff = await signedIn('Staff Member');
  await makeStaff(staff);
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

  test('cannot enter through a member: neither by an email of theirs nor by a verified one', async () => {
    const colleague = await newMember(owner, orgId);
    const take = await staff.fetch(`/api/sudo/users/${colleague.userId}`, {
      method: 'PUT',
      json: { email: newEmail() },
    });
    expect(take.status).toBe(403);
    expect(await take.json()).toMatchObject({ issues: [{ path: 'email' }] });
    const invited = newEmail();
    const created = await (await signUp(invited)).json<{ user: { id: string } }>();
    await owner.fetch('/api/auth/organization/invite-member', {
      json: { organizationId: orgId, email: invited, role: 'owner' },
    });
    const verify = await staff.fetch(`/api/sudo/users/${created.user.id}`, {
      method: 'PUT',
      json: { emailVerified: true },
    });
    expect(verify.status).toBe(403);
    expect(await verify.json()).toMatchObject({ issues: [{ path: 'emailVerified' }] });
    const stranger = await signedIn();
    const rename = { method: 'PUT', json: { email: invited.toUpperCase().replace('TESTS', 'other') } };
    expect((await staff.fetch(`/api/sudo/users/${stranger.userId}`, rename)).status).toBe(200);
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
    expect(await accessOf(owner)).toEqual({ request: null, grant: null });
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

  test('does not let staff in as a member: neither by an email of theirs nor by a verified one', async () => {
    const colleague = await newMember(owner, orgId);
    await grantSupportAccess(owner, orgId, 1);
    const take = { method: 'PUT', json: { email: newEmail() } };
    expect((await staff.fetch(`/api/sudo/users/${colleague.userId}`, take)).status).toBe(403);
    const invited = newEmail();
    const created = await (await signUp(invited)).json<{ user: { id: string } }>();
    await owner.fetch('/api/auth/organization/invite-member', {
      json: { organizationId: orgId, email: invited, role: 'owner' },
    });
    const verify = { method: 'PUT', json: { emailVerified: true } };
    expect((await staff.fetch(`/api/sudo/users/${created.user.id}`, verify)).status).toBe(403);
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
