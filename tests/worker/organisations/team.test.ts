// Members and invitations: permissions, invited email only, at least one owner.
import { env } from 'cloudflare:workers';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TeamRow } from '#contracts/console/organisations';
import type { Role } from '#contracts/console/permissions';
import type { Invitation } from '#contracts/console/team';
import {
  anonymously,
  mailsTo,
  newEmail,
  newMember,
  newOrganisation,
  PASSWORD,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { auditLog } from '#worker/db/schema/operations';
import { invitation, member } from '#worker/db/schema/organisations';

const db = openDatabase(env.DB);
const team = '/api/auth/organization';

function invite(by: SignedIn, orgId: string, email: string, role: Role = 'member') {
  return by.fetch(`${team}/invite-member`, { json: { organizationId: orgId, email, role } });
}

async function invited(
  by: SignedIn,
  orgId: string,
  email: string,
  role: Role = 'member',
): Promise<Invitation> {
  const answer = await invite(by, orgId, email, role);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function cancelAndClear(by: SignedIn, orgId: string, invitationId: string): Promise<void> {
  expect((await by.fetch(`${team}/cancel-invitation`, { json: { invitationId } })).status).toBe(200);
  const cleared = await by.fetch(`/api/orgs/${orgId}/invitations/${invitationId}`, { method: 'DELETE' });
  expect(cleared.status).toBe(204);
}

function accept(by: SignedIn, invitationId: string) {
  return by.fetch(`${team}/accept-invitation`, { json: { invitationId } });
}

async function expire(invitationId: string): Promise<void> {
  await db
    .update(invitation)
    .set({ expiresAt: new Date(1) })
    .where(eq(invitation.id, invitationId));
}

async function teamOf(by: SignedIn, orgId: string): Promise<TeamRow[]> {
  return (await by.fetch(`/api/orgs/${orgId}/team-summary`)).json();
}

async function memberIdOf(by: SignedIn, orgId: string, email: string): Promise<string> {
  const row = (await teamOf(by, orgId)).find((each) => each.type === 'member' && each.email === email);
  if (row === undefined) throw new Error(`${email} is no member`);
  return row.id;
}

async function actionsIn(orgId: string): Promise<string[]> {
  const rows = await db.select().from(auditLog).where(eq(auditLog.orgId, orgId)).orderBy(sql`rowid`);
  return rows.map((row) => row.action);
}

async function newTeam(): Promise<{ ada: SignedIn; orgId: string }> {
  const ada = await signedIn();
  return { ada, ...(await newOrganisation(ada)) };
}

describe('an invitation', () => {
  test('reaches the invited user by mail and in the console, and creates a member', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const made = await invited(ada, orgId, charles.email.toUpperCase(), 'admin');
    expect(made).toMatchObject({
      email: charles.email,
      role: 'admin',
      status: 'pending',
      organizationId: orgId,
    });
    const [mail] = await mailsTo(charles.email);
    expect(mail).toMatchObject({
      subject: 'Join Analytical Engines on Tessera',
      links: [
        `http://localhost:4001/signin?email=${encodeURIComponent(btoa(charles.email))}&invitation=${made.id}`,
      ],
    });

    const pending = await (await charles.fetch('/api/user/invitations')).json();
    const what = {
      organisationName: 'Analytical Engines',
      role: 'admin',
      inviter: { name: ada.name, email: ada.email },
    };
    expect(pending).toEqual([{ id: made.id, ...what }]);
    // Whoever has the mailed link reads what it is for before signing in, and nothing else.
    const open = () => anonymously(`/api/invitations/${made.id}`);
    expect(await (await open()).json()).toEqual(what);
    const answer = await accept(charles, made.id);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      member: { organizationId: orgId, userId: charles.userId, role: 'admin' },
    });
    expect(await (await charles.fetch('/api/user/invitations')).json()).toEqual([]);
    expect((await open()).status).toBe(404);
    expect(await (await charles.fetch('/api/user/orgs')).json()).toMatchObject([
      { id: orgId, role: 'admin' },
    ]);
    expect(await teamOf(ada, orgId)).toMatchObject([
      { type: 'member', email: ada.email, role: 'owner', inviteStatus: null },
      { type: 'member', email: charles.email, role: 'admin', userId: charles.userId },
    ]);
    expect(await actionsIn(orgId)).toEqual(['organisation.created', 'invitation.created', 'member.joined']);
  });

  test('cannot be used by anyone else', async () => {
    const { ada, orgId } = await newTeam();
    const eve = await signedIn('Eve');
    const { id } = await invited(ada, orgId, newEmail());
    expect((await accept(eve, id)).status).toBe(403);
    expect((await eve.fetch(`${team}/reject-invitation`, { json: { invitationId: id } })).status).toBe(403);
    expect((await eve.fetch(`${team}/cancel-invitation`, { json: { invitationId: id } })).status).toBe(404);
    expect((await eve.fetch(`/api/orgs/${orgId}`)).status).toBe(404);
  });

  test('cannot be accepted with an unverified email', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const { id } = await invited(ada, orgId, charles.email);
    await db.update(user).set({ emailVerified: false }).where(eq(user.id, charles.userId));
    expect((await accept(charles, id)).status).toBe(403);
  });

  test('accepted five times concurrently creates one member', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const { id } = await invited(ada, orgId, charles.email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(charles, id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400]);
    const rows = await db
      .select()
      .from(member)
      .where(and(eq(member.organizationId, orgId), eq(member.userId, charles.userId)));
    expect(rows).toHaveLength(1);
    expect((await actionsIn(orgId)).filter((action) => action === 'member.joined')).toHaveLength(1);
  });

  test('accepted while it is cancelled is either, never both', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const { id } = await invited(ada, orgId, charles.email);
    const [accepted, canceled] = await Promise.all([
      accept(charles, id),
      ada.fetch(`${team}/cancel-invitation`, { json: { invitationId: id } }),
    ]);
    expect([accepted.status === 200, canceled.status === 200].filter(Boolean)).toHaveLength(1);
    const [row] = await db.select().from(invitation).where(eq(invitation.id, id));
    const isMember = (await teamOf(ada, orgId)).some((each) => each.userId === charles.userId);
    expect(row?.status).toBe(isMember ? 'accepted' : 'canceled');
  });

  test('that is expired or unknown cannot be accepted', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const { id } = await invited(ada, orgId, charles.email);
    await expire(id);
    expect((await accept(charles, id)).status).toBe(400);
    expect(await (await charles.fetch('/api/user/invitations')).json()).toEqual([]);
    expect(await teamOf(ada, orgId)).toMatchObject([
      { type: 'member' },
      { type: 'invite', inviteStatus: 'expired' },
    ]);
    expect((await accept(charles, 'inv_unknown')).status).toBe(400);
  });

  test('that is expired is not cancelled: nobody could answer it', async () => {
    const { ada, orgId } = await newTeam();
    const { id } = await invited(ada, orgId, newEmail());
    await expire(id);
    const canceled = await ada.fetch(`${team}/cancel-invitation`, { json: { invitationId: id } });
    expect(canceled.status).toBe(404);
    expect(await teamOf(ada, orgId)).toMatchObject([{}, { inviteStatus: 'expired' }]);
    expect(await actionsIn(orgId)).not.toContain('invitation.canceled');
  });

  test('sent again replaces the previous one', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const first = await invited(ada, orgId, charles.email);
    const again = await ada.fetch(`${team}/invite-member?organisationId=${orgId}`, {
      json: { organisationId: orgId, email: charles.email, role: 'admin', resend: true },
    });
    const second = await again.json<Invitation>();
    expect((await accept(charles, first.id)).status).toBe(400);
    expect(await teamOf(ada, orgId)).toMatchObject([
      { type: 'member' },
      { id: second.id, type: 'invite', inviteStatus: 'pending', role: 'admin' },
    ]);
    expect((await accept(charles, second.id)).status).toBe(200);
  });

  test('without resend is a conflict while one is open', async () => {
    const { ada, orgId } = await newTeam();
    const email = newEmail();
    const inviteOnce = () =>
      ada.fetch(`${team}/invite-member`, {
        json: { organizationId: orgId, email, role: 'member', resend: false },
      });
    const first = await (await inviteOnce()).json<Invitation>();
    const again = await inviteOnce();
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ issues: [{ path: 'email' }] });
    expect(await teamOf(ada, orgId)).toMatchObject([{}, { id: first.id, inviteStatus: 'pending' }]);
    await expire(first.id);
    expect((await inviteOnce()).status).toBe(200);
  });

  test('that was cancelled before the invited joined does not come back when they are removed', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const first = await invited(ada, orgId, charles.email);
    await ada.fetch(`${team}/cancel-invitation`, { json: { invitationId: first.id } });
    const second = await invited(ada, orgId, charles.email);
    expect((await accept(charles, second.id)).status).toBe(200);
    const removal = { organizationId: orgId, memberIdOrEmail: charles.email };
    expect((await ada.fetch(`${team}/remove-member`, { json: removal })).status).toBe(200);
    expect(await teamOf(ada, orgId)).toMatchObject([{ email: ada.email }]);
    expect(await teamOf(ada, orgId)).toHaveLength(1);
  });

  test('that is no longer open can be cleared from the list with team-members:edit', async () => {
    const { ada, orgId } = await newTeam();
    const bob = await newMember(ada, orgId);
    const { ada: eve, orgId: foreignOrgId } = await newTeam();
    const email = newEmail();
    const clear = (by: SignedIn, org: string, id: string) =>
      by.fetch(`/api/orgs/${org}/invitations/${id}`, { method: 'DELETE' });
    await invited(ada, orgId, email);
    const { id } = await invited(ada, orgId, email);
    expect((await clear(ada, orgId, id)).status).toBe(404);
    await ada.fetch(`${team}/cancel-invitation`, { json: { invitationId: id } });
    const answers = await Promise.all([
      clear(bob, orgId, id),
      clear(eve, foreignOrgId, id),
      clear(ada, orgId, 'inv_unknown'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 404]);
    expect((await teamOf(ada, orgId)).map((row) => row.inviteStatus)).toEqual([null, null, 'canceled']);
    expect((await clear(ada, orgId, id)).status).toBe(204);
    expect((await clear(ada, orgId, id)).status).toBe(404);
    expect((await teamOf(ada, orgId)).map((row) => row.inviteStatus)).toEqual([null, null]);
    expect((await actionsIn(orgId)).filter((action) => action === 'invitation.cleared')).toHaveLength(1);
  });

  test('can be rejected and cancelled, each once', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await signedIn('Charles Babbage');
    const first = await invited(ada, orgId, charles.email);
    const reject = () => charles.fetch(`${team}/reject-invitation`, { json: { invitationId: first.id } });
    expect((await reject()).status).toBe(200);
    expect((await reject()).status).toBe(400);
    expect(await teamOf(ada, orgId)).toMatchObject([{}, { inviteStatus: 'rejected' }]);

    const second = await invited(ada, orgId, charles.email);
    const cancel = () => ada.fetch(`${team}/cancel-invitation`, { json: { invitationId: second.id } });
    const canceled = await cancel();
    expect(canceled.status).toBe(200);
    expect(await canceled.json()).toMatchObject({ email: charles.email, status: 'canceled' });
    expect((await cancel()).status).toBe(404);
    expect(await teamOf(ada, orgId)).toMatchObject([{}, { inviteStatus: 'canceled' }]);
    const actions = await actionsIn(orgId);
    expect(actions.filter((action) => /rejected|canceled/.test(action))).toEqual([
      'invitation.rejected',
      'invitation.canceled',
    ]);
  });

  test.each([
    ['email', { email: 'nobody' }, 'A valid email is required'],
    ['email', { email: undefined }, 'A valid email is required'],
    ['email', { email: 'Example@example.com' }, 'This email is not in our database'],
    ['role', { role: 'superuser' }, undefined],
    ['role', { role: ['member', 'owner'] }, undefined],
    ['role', { role: 'member,owner' }, undefined],
    ['organizationId', { organizationId: undefined }, 'Required'],
    ['teamId', { teamId: 'x' }, 'Unknown property'],
  ])('with a bad %s is refused: %o', async (path, change, message) => {
    const { ada, orgId } = await newTeam();
    const json = { organizationId: orgId, email: newEmail(), role: 'member', ...change };
    const answer = await ada.fetch(`${team}/invite-member`, { json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path, ...(message && { message }) }] });
  });

  test('of a member is a conflict', async () => {
    const { ada, orgId } = await newTeam();
    expect((await invite(ada, orgId, ada.email)).status).toBe(409);
  });

  test('naming two organisations is refused', async () => {
    const { ada, orgId } = await newTeam();
    const answer = await ada.fetch(`${team}/invite-member?organisationId=org_other`, {
      json: { organizationId: orgId, email: newEmail(), role: 'member' },
    });
    expect(answer.status).toBe(400);
  });
});

/** What each role may do to the team; the target of removals and changes is a plain member or an owner. */
const rights: readonly [Role | 'stranger', Record<string, number>][] = [
  [
    'owner',
    { inviteMember: 200, inviteOwner: 200, promote: 200, makeOwner: 200, demoteOwner: 200, remove: 200 },
  ],
  [
    'admin',
    { inviteMember: 200, inviteOwner: 403, promote: 200, makeOwner: 403, demoteOwner: 403, remove: 200 },
  ],
  [
    'member',
    { inviteMember: 403, inviteOwner: 403, promote: 403, makeOwner: 403, demoteOwner: 403, remove: 403 },
  ],
  [
    'stranger',
    { inviteMember: 404, inviteOwner: 404, promote: 404, makeOwner: 404, demoteOwner: 404, remove: 404 },
  ],
];

describe.each(rights)('the rights of the role %s', (role, expected) => {
  test('are those of the table', async () => {
    const { ada, orgId } = await newTeam();
    const actor = role === 'stranger' ? await signedIn('Eve') : await newMember(ada, orgId, role);
    const plain = await newMember(ada, orgId);
    const other = await newMember(ada, orgId);
    const ids = {
      plain: await memberIdOf(ada, orgId, plain.email),
      other: await memberIdOf(ada, orgId, other.email),
      ada: await memberIdOf(ada, orgId, ada.email),
    };
    const setRole = (memberId: string, to: Role) =>
      actor.fetch(`${team}/update-member-role`, { json: { organizationId: orgId, memberId, role: to } });
    const remove = (memberIdOrEmail: string) =>
      actor.fetch(`${team}/remove-member`, { json: { organizationId: orgId, memberIdOrEmail } });
    const statuses = {
      inviteMember: (await invite(actor, orgId, newEmail())).status,
      inviteOwner: (await invite(actor, orgId, newEmail(), 'owner')).status,
      promote: (await setRole(ids.plain, 'admin')).status,
      makeOwner: (await setRole(ids.other, 'owner')).status,
      demoteOwner: (await setRole(ids.ada, 'member')).status,
      remove: (await remove(plain.email)).status,
    };
    expect(statuses).toEqual(expected);
    expect((await plain.fetch(`/api/orgs/${orgId}`)).status).toBe(expected.remove === 200 ? 404 : 200);
  });
});

describe('a member', () => {
  test('who is removed loses access immediately, and the removal is audited', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await newMember(ada, orgId, 'admin');
    expect((await charles.fetch(`/api/orgs/${orgId}`)).status).toBe(200);
    const answer = await ada.fetch(`${team}/remove-member?organisationId=${orgId}`, {
      json: { memberIdOrEmail: charles.email },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ member: { user: { email: charles.email } } });
    expect((await charles.fetch(`/api/orgs/${orgId}`)).status).toBe(404);
    const [row] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.orgId, orgId), eq(auditLog.action, 'member.removed')));
    expect(row).toMatchObject({ actorUserId: ada.userId, detail: { userId: charles.userId, role: 'admin' } });
  });

  test.each(['is removed', 'deletes their account'] as const)(
    'who %s leaves no open invitation: each is cancelled and audited, and can be sent again',
    async (how) => {
      const { ada, orgId } = await newTeam();
      const charles = await newMember(ada, orgId, 'admin');
      const [first, second, other, expired] = [
        await invited(charles, orgId, newEmail()),
        await invited(charles, orgId, newEmail(), 'admin'),
        await invited(ada, orgId, newEmail()),
        await invited(charles, orgId, newEmail()),
      ];
      await expire(expired.id);
      const left =
        how === 'is removed'
          ? await ada.fetch(`${team}/remove-member?organisationId=${orgId}`, {
              json: { memberIdOrEmail: charles.email },
            })
          : await charles.fetch('/api/auth/delete-user', { json: { password: PASSWORD } });
      expect(left.status).toBe(200);
      const rows = await teamOf(ada, orgId);
      const statusOf = ({ id }: { id: string }) => rows.find((row) => row.id === id)?.inviteStatus;
      expect([first, second, other, expired].map(statusOf)).toEqual([
        'canceled',
        'canceled',
        'pending',
        'expired',
      ]);
      const audited = await db
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.orgId, orgId), eq(auditLog.action, 'invitation.canceled')));
      expect(audited.map(({ targetId }) => targetId).sort()).toEqual([first.id, second.id].sort());
      for (const row of audited) {
        expect(row).toMatchObject({ actorUserId: (how === 'is removed' ? ada : charles).userId });
        expect(row.id).toMatch(/^aud_[0-9a-z]{26}$/);
        expect([first.email, second.email]).toContain((row.detail as { email: string }).email);
      }
      expect((await invited(ada, orgId, first.email)).status).toBe('pending');
    },
  );

  test('who is demoted leaves no open invitation that the new role cannot send', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await newMember(ada, orgId, 'admin');
    const memberId = await memberIdOf(ada, orgId, charles.email);
    const turn = (role: Role) =>
      ada.fetch(`${team}/update-member-role`, { json: { organizationId: orgId, memberId, role } });
    expect((await turn('owner')).status).toBe(200);
    const sent = [
      await invited(charles, orgId, newEmail(), 'owner'),
      await invited(charles, orgId, newEmail(), 'admin'),
      await invited(charles, orgId, newEmail()),
    ];
    const statuses = async () => {
      const rows = await teamOf(ada, orgId);
      return sent.map(({ id }) => rows.find((row) => row.id === id)?.inviteStatus);
    };
    expect((await turn('admin')).status).toBe(200);
    expect(await statuses()).toEqual(['canceled', 'pending', 'pending']);
    expect((await turn('member')).status).toBe(200);
    expect(await statuses()).toEqual(['canceled', 'canceled', 'canceled']);
    expect((await actionsIn(orgId)).filter((action) => action === 'invitation.canceled')).toHaveLength(3);
  });

  test('of another organisation is not found', async () => {
    const [{ ada, orgId }, other] = await Promise.all([newTeam(), newTeam()]);
    const memberId = await memberIdOf(other.ada, other.orgId, other.ada.email);
    const json = { organizationId: orgId, memberId, role: 'member' };
    expect((await ada.fetch(`${team}/update-member-role`, { json })).status).toBe(404);
    const removal = { organizationId: orgId, memberIdOrEmail: memberId };
    expect((await ada.fetch(`${team}/remove-member`, { json: removal })).status).toBe(404);
  });

  test('cannot raise their own role', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await newMember(ada, orgId);
    const memberId = await memberIdOf(ada, orgId, charles.email);
    for (const role of ['admin', 'owner'] as const) {
      const json = { organizationId: orgId, memberId, role };
      expect((await charles.fetch(`${team}/update-member-role`, { json })).status).toBe(403);
    }
  });
});

test("an admin cannot replace an owner's invitation by inviting the same address", async () => {
  const { ada, orgId } = await newTeam();
  const charles = await newMember(ada, orgId, 'admin');
  const email = newEmail();
  expect((await invite(ada, orgId, email, 'owner')).status).toBe(200);
  for (const role of ['member', 'admin'] as const) {
    expect((await invite(charles, orgId, email, role)).status).toBe(403);
  }
  const open = await db
    .select({ role: invitation.role })
    .from(invitation)
    .where(and(eq(invitation.email, email), eq(invitation.status, 'pending')));
  expect(open).toEqual([{ role: 'owner' }]);
  expect((await invite(ada, orgId, email, 'member')).status).toBe(200);
  expect((await invite(charles, orgId, email, 'admin')).status).toBe(200);
});

describe('at once', () => {
  const openTo = (email: string) =>
    db
      .select({ role: invitation.role })
      .from(invitation)
      .where(and(eq(invitation.email, email), eq(invitation.status, 'pending')));

  test('one of several invitations without resend is sent', async () => {
    const { ada, orgId } = await newTeam();
    const email = newEmail();
    const json = { organizationId: orgId, email, role: 'member', resend: false };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ada.fetch(`${team}/invite-member`, { json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await openTo(email)).toHaveLength(1);
  });

  test('an owner and an admin who invite the same address leave one invitation', async () => {
    const { ada, orgId } = await newTeam();
    const charles = await newMember(ada, orgId, 'admin');
    for (let round = 0; round < 4; round++) {
      const email = newEmail();
      await Promise.all([
        invite(ada, orgId, email, 'owner'),
        invite(charles, orgId, email, 'member'),
        invite(charles, orgId, email, 'admin'),
      ]);
      expect(await openTo(email)).toHaveLength(1);
    }
  });
});

describe('an organisation', () => {
  test('keeps its last owner', async () => {
    const { ada, orgId } = await newTeam();
    const memberId = await memberIdOf(ada, orgId, ada.email);
    const json = { organizationId: orgId, memberId, role: 'admin' };
    expect((await ada.fetch(`${team}/update-member-role`, { json })).status).toBe(400);
    const removal = { organizationId: orgId, memberIdOrEmail: ada.email };
    expect((await ada.fetch(`${team}/remove-member`, { json: removal })).status).toBe(400);
    expect(await actionsIn(orgId)).toEqual(['organisation.created']);
  });

  test('keeps an owner when two of them remove each other concurrently', async () => {
    const { ada, orgId } = await newTeam();
    const grace = await newMember(ada, orgId, 'owner');
    const remove = (by: SignedIn, whom: SignedIn) =>
      by.fetch(`${team}/remove-member`, { json: { organizationId: orgId, memberIdOrEmail: whom.email } });
    await Promise.all([remove(ada, grace), remove(grace, ada)]);
    const owners = await db
      .select()
      .from(member)
      .where(and(eq(member.organizationId, orgId), eq(member.role, 'owner')));
    expect(owners).toHaveLength(1);
    expect((await actionsIn(orgId)).filter((action) => action === 'member.removed')).toHaveLength(1);
  });

  test('has at most a hundred members, also if several accept concurrently', async () => {
    const { ada, orgId } = await newTeam();
    const recipients = await Promise.all([signedIn(), signedIn(), signedIn()]);
    const ids: string[] = [];
    for (const { email } of recipients) ids.push((await invited(ada, orgId, email)).id);
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 98)';
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} INSERT INTO user (id, name, email, created_at, updated_at)
         SELECT ?1 || i, 'Member', ?1 || i || '@tests.example', 1, 1 FROM n`,
      ).bind(orgId),
      env.DB.prepare(
        `${numbers} INSERT INTO member (id, organization_id, user_id, role, created_at)
         SELECT 'mem_' || ?1 || i, ?1, ?1 || i, 'member', 1 FROM n`,
      ).bind(orgId),
    ]);
    const answers = await Promise.all(recipients.map((each, index) => accept(each, ids[index] ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const members = await db.select().from(member).where(eq(member.organizationId, orgId));
    expect(members).toHaveLength(100);
    const late = answers.findIndex(({ status }) => status === 403);
    expect(await answers[late]?.json()).toMatchObject({
      message: 'An organisation can have at most 100 members',
    });
    await db.delete(member).where(eq(member.userId, `${orgId}1`));
    expect((await accept(recipients[late] ?? ada, ids[late] ?? '')).status).toBe(200);
  });

  test('sends no more than fifty invitations an hour, also if it clears them', async () => {
    const { ada, orgId } = await newTeam();
    await cancelAndClear(ada, orgId, (await invited(ada, orgId, newEmail())).id);
    for (let index = 1; index < 50; index++) await invited(ada, orgId, newEmail());
    const email = newEmail();
    const answer = await invite(ada, orgId, email);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('organisation') });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await teamOf(ada, orgId)).map((row) => row.email)).not.toContain(email);
  });
});

describe('a recipient', () => {
  test('gets no more than six mails an hour from all organisations, and every invitation in the console', async () => {
    const recipient = await signedIn();
    const others = await newTeam();
    for (let index = 0; index < 6; index++) {
      const { id } = await invited(others.ada, others.orgId, recipient.email);
      await cancelAndClear(others.ada, others.orgId, id);
    }
    const { ada, orgId } = await newTeam();
    const invitation = await invited(ada, orgId, recipient.email.toUpperCase(), 'admin');
    const mailed = await invited(ada, orgId, newEmail(), 'admin');
    const { id, email, expiresAt } = mailed;
    expect({ ...invitation, id, email, expiresAt }).toEqual(mailed);
    expect(await mailsTo(recipient.email)).toHaveLength(6);
    const own = await recipient.fetch('/api/user/invitations');
    expect(await own.json()).toMatchObject([{ id: invitation.id }]);
    expect((await accept(recipient, invitation.id)).status).toBe(200);
  });

  test('is invited by an organisation no more than six times an hour, also if it clears the invitations', async () => {
    const { ada, orgId } = await newTeam();
    const email = newEmail();
    for (let index = 0; index < 5; index++) {
      await cancelAndClear(ada, orgId, (await invited(ada, orgId, email)).id);
    }
    const open = await invited(ada, orgId, email.toUpperCase());
    const answer = await invite(ada, orgId, email, 'admin');
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining(email) });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await teamOf(ada, orgId)).toContainEqual(expect.objectContaining({ id: open.id, role: 'member' }));
    await invited(ada, orgId, newEmail());
  });

  test('costs no attempt when the invitation is refused as a duplicate', async () => {
    const { ada, orgId } = await newTeam();
    const email = newEmail();
    await invited(ada, orgId, email);
    const json = { organizationId: orgId, email, role: 'member', resend: false };
    for (let index = 0; index < 6; index++) {
      expect((await ada.fetch(`${team}/invite-member`, { json })).status).toBe(409);
    }
    await invited(ada, orgId, email);
  });
});
