/** Takes an open invitation back. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Invitation, invitationIdSchema } from '#contracts/team';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { invitation } from '#worker/db/schema/organisations';
import { ApiError, notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { standingOf } from './standing-of.ts';
import { refuseUnlessOwner } from './team-standing.ts';
import { findInvitation, type InvitationRow, toInvitation } from './team-store.ts';

/** @throws {ApiError} not-found where it is not open (any more), or another organisation's; forbidden */
export async function cancelInvitation(
  ctx: RequestContext,
  { invitationId }: z.output<typeof invitationIdSchema>,
): Promise<Invitation> {
  const found = await findInvitation(ctx.db, invitationId);
  if (found === null) throw notFound('The invitation');
  const { caller, scope } = await standingOf(ctx, found.organizationId, 'team-members:edit').catch(
    hideForeign,
  );
  if (found.role === 'owner') refuseUnlessOwner(scope);

  const [canceled] = (await commit(ctx.db, [
    ctx.db
      .update(invitation)
      .set({ status: 'canceled' })
      .where(and(eq(invitation.id, invitationId), eq(invitation.status, 'pending')))
      .returning(),
    auditRowIf(ctx, sql`changes() > 0`, {
      orgId: scope.orgId,
      actorUserId: caller.userId,
      action: 'invitation.canceled',
      targetId: invitationId,
      detail: { email: found.email },
    }),
  ])) as [InvitationRow[]];
  const [row] = canceled;
  if (row === undefined) throw notFound('The invitation');
  return toInvitation(row);
}

/** Another organisation's invitation answers as one that does not exist. */
function hideForeign(error: unknown): never {
  if (error instanceof ApiError && error.errorType === 'not-found') throw notFound('The invitation');
  throw error;
}
