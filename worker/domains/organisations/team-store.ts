/** Reads members and invitations. */
import { and, desc, eq, exists, or, type SQL, sql } from 'drizzle-orm';
import type { TeamRow } from '#contracts/console/organisations';
import { roleSchema } from '#contracts/console/permissions';
import type { Invitation, MemberWithUser } from '#contracts/console/team';
import type { Db } from '#worker/db/database';
import { isOpen, isOpenInvitation } from '#worker/db/open-invitation';
import { user } from '#worker/db/schema/auth';
import { auditLog } from '#worker/db/schema/operations';
import { invitation, member, organization } from '#worker/db/schema/organisations';
import type { Scope } from '#worker/http/request-context';

export type InvitationRow = typeof invitation.$inferSelect;

/**
 * Members in the order they joined, then the newest invitation of each address that is not a member's. One that was accepted
 * is not listed, and hides the older ones: its member has been removed since.
 */
export async function listTeam(db: Db, scope: Scope, now: number): Promise<TeamRow[]> {
  // Not one batch: drizzle's batch on D1 loses columns of the same name in two joined tables.
  const [members, invitations] = await Promise.all([
    db
      .select({
        id: member.id,
        userId: user.id,
        name: user.name,
        email: user.email,
        role: member.role,
        createdAt: member.createdAt,
      })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(eq(member.organizationId, scope.orgId))
      .orderBy(member.createdAt, member.id),
    db
      .select()
      .from(invitation)
      .where(eq(invitation.organizationId, scope.orgId))
      .orderBy(desc(invitation.id)),
  ]);
  const seen = new Set(members.map((row) => row.email));
  const rows: TeamRow[] = members.map((row) => ({
    id: row.id,
    type: 'member',
    userId: row.userId,
    name: row.name,
    email: row.email,
    role: asRole(row.role),
    inviteStatus: null,
    memberCreatedAt: row.createdAt.getTime(),
  }));
  for (const row of invitations) {
    if (seen.has(row.email)) continue;
    seen.add(row.email);
    if (row.status === 'accepted') continue;
    rows.push({
      id: row.id,
      type: 'invite',
      userId: null,
      name: null,
      email: row.email,
      role: asRole(row.role),
      inviteStatus: inviteStatus(row, now),
      memberCreatedAt: null,
    });
  }
  return rows;
}

/** The open invitations of an address, oldest first. */
export async function listInvitationsTo(db: Db, email: string, now: number) {
  const rows = await openInvitations(db, eq(invitation.email, email.toLowerCase()), now);
  return rows.map(({ id, ...row }) => ({ id, ...asInvited(row) }));
}

/** An open invitation as its page shows it. */
export async function findOpenInvitation(db: Db, invitationId: string, now: number) {
  const [row] = await openInvitations(db, eq(invitation.id, invitationId), now);
  return row === undefined ? null : asInvited(row);
}

function openInvitations(db: Db, which: SQL, now: number) {
  return db
    .select({
      id: invitation.id,
      organisationName: organization.name,
      role: invitation.role,
      inviterName: user.name,
      inviterEmail: user.email,
    })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .leftJoin(user, eq(user.id, invitation.inviterId))
    .where(and(which, isOpenInvitation(now)))
    .orderBy(invitation.id);
}

type InvitedRow = Omit<Awaited<ReturnType<typeof openInvitations>>[number], 'id'>;

function asInvited({ organisationName, role, inviterName, inviterEmail }: InvitedRow) {
  return {
    organisationName,
    role: asRole(role),
    inviter: inviterEmail === null ? null : { name: inviterName ?? '', email: inviterEmail },
  };
}

export async function findInvitation(db: Db, invitationId: string): Promise<InvitationRow | null> {
  const [row] = await db.select().from(invitation).where(eq(invitation.id, invitationId)).limit(1);
  return row ?? null;
}

/** @param idOrEmail the member's id, or the user's address in any case */
export async function findMember(db: Db, scope: Scope, idOrEmail: string): Promise<MemberWithUser | null> {
  const [row] = await db
    .select({ id: member.id, role: member.role, user: { id: user.id, name: user.name, email: user.email } })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(
      and(
        eq(member.organizationId, scope.orgId),
        or(eq(member.id, idOrEmail), eq(user.email, idOrEmail.toLowerCase())),
      ),
    )
    .limit(1);
  if (row === undefined) return null;
  return { ...row, organizationId: scope.orgId, userId: row.user.id, role: asRole(row.role) };
}

/** A member, or a former member or staff user that the organisation's audit log names. */
export async function findPerson(db: Db, scope: Scope, userId: string) {
  const isMember = db
    .select({ one: sql`1` })
    .from(member)
    .where(and(eq(member.organizationId, scope.orgId), eq(member.userId, user.id)));
  const hasActed = db
    .select({ one: sql`1` })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, scope.orgId), eq(auditLog.actorUserId, user.id)));
  const [row] = await db
    .select({ id: user.id, name: user.name, email: user.email, image: user.image })
    .from(user)
    .where(and(eq(user.id, userId), or(exists(isMember), exists(hasActed))))
    .limit(1);
  return row ?? null;
}

export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    organizationId: row.organizationId,
    email: row.email,
    role: asRole(row.role),
    status: row.status as Invitation['status'],
    expiresAt: row.expiresAt.getTime(),
  };
}

function inviteStatus(row: InvitationRow, now: number): TeamRow['inviteStatus'] {
  if (row.status === 'pending') return isOpen(row, now) ? 'pending' : 'expired';
  return row.status === 'rejected' ? 'rejected' : 'canceled';
}

function asRole(text: string | null) {
  return roleSchema.catch('member').parse(text);
}
