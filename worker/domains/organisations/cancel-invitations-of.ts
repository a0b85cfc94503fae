/**
 * Cancels the open invitations that a member who leaves or is demoted could no longer send, each with its audit row: nobody answers
 * for them. The team page then offers to invite again.
 */
import { sql } from 'drizzle-orm';
import type { AuditContext } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { auditLog } from '#worker/db/schema/operations';
import { invitation, member } from '#worker/db/schema/organisations';
import type { ActorScope } from '#worker/http/request-context';

/** Commit them after the statement that deletes or demotes the member: without its effect they do nothing. */
export function cancelInvitationsOf(
  { db, now, newId }: AuditContext,
  { orgId, actor }: Pick<ActorScope, 'orgId' | 'actor'>,
  userId: string,
): readonly Statement[] {
  const isOpen = sql`${invitation.organizationId} = ${orgId} AND ${invitation.inviterId} = ${userId}
    AND ${invitation.status} = 'pending'
    AND NOT EXISTS (SELECT 1 FROM ${member} WHERE ${member.organizationId} = ${orgId} AND ${member.userId} = ${userId}
      AND (${member.role} = 'owner' OR (${member.role} = 'admin' AND ${invitation.role} <> 'owner')))`;
  const action = 'invitation.canceled';
  // The time of a new ID, and other random digits for each row.
  const id = sql`substr(${newId('aud')}, 1, 14) || lower(hex(randomblob(8)))`;
  return [
    insertSelect(
      db,
      auditLog,
      {
        id,
        orgId,
        action,
        at: now,
        actorUserId: actor?.userId ?? null,
        actorKey: null,
        targetId: sql`${invitation.id}`,
        detail: sql`json_object('email', ${invitation.email})`,
      },
      { from: sql`${invitation}`, where: isOpen },
    ),
    db.update(invitation).set({ status: 'canceled' }).where(isOpen),
  ];
}
