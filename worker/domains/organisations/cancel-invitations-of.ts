/**
 * Cancels the open invitations that a member who leaves or is demoted could no longer send, each with its audit row: nobody answers
 * for them. The team page then offers to invite again.
 */
import { sql } from 'drizzle-orm';
import { type AuditContext, auditRowsFrom } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { invitation, member } from '#worker/db/schema/organisations';
import type { ActorScope } from '#worker/http/request-context';

/** Commit them after the statement that deletes or demotes the member: without its effect they do nothing. */
export function cancelInvitationsOf(
  ctx: AuditContext,
  { orgId, actor }: Pick<ActorScope, 'orgId' | 'actor'>,
  userId: string,
): readonly Statement[] {
  const isOpen = sql`${invitation.organizationId} = ${orgId} AND ${invitation.inviterId} = ${userId}
    AND ${isOpenInvitation(ctx.now)}
    AND NOT EXISTS (SELECT 1 FROM ${member} WHERE ${member.organizationId} = ${orgId} AND ${member.userId} = ${userId}
      AND (${member.role} = 'owner' OR (${member.role} = 'admin' AND ${invitation.role} <> 'owner')))`;
  const canceled = {
    action: 'invitation.canceled',
    orgId,
    targetId: sql`${invitation.id}`,
    detail: sql`json_object('email', ${invitation.email})`,
  } as const;
  return [
    auditRowsFrom(ctx, { userId: actor?.userId ?? null }, canceled, {
      from: sql`${invitation}`,
      where: isOpen,
    }),
    ctx.db.update(invitation).set({ status: 'canceled' }).where(isOpen),
  ];
}
