/** Declines an invitation. */
import { and, eq, sql } from 'drizzle-orm';
import type { Invitation } from '#contracts/console/team';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { invitation } from '#worker/db/schema/organisations';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { invitationNotOpen, openInvitationFor } from './open-invitation-for.ts';
import { type InvitationRow, toInvitation } from './team-store.ts';

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited */
export async function rejectInvitation(
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<{ invitation: Invitation }> {
  const found = await openInvitationFor(ctx, caller, invitationId);
  const [rejected] = (await commit(ctx.db, [
    ctx.db
      .update(invitation)
      .set({ status: 'rejected' })
      .where(and(eq(invitation.id, invitationId), eq(invitation.status, 'pending')))
      .returning(),
    auditRowIf(ctx, { orgId: found.organizationId, actor: caller }, sql`changes() > 0`, {
      action: 'invitation.rejected',
      targetId: invitationId,
    }),
  ])) as [InvitationRow[]];
  const [row] = rejected;
  if (row === undefined) throw invitationNotOpen();
  return { invitation: toInvitation(row) };
}
