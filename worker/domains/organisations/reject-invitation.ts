/** Declines an invitation. */
import { and, eq, sql } from 'drizzle-orm';
import type { Invitation } from '#contracts/console/team';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { invitation } from '#worker/db/schema/organisations';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { invitationNotOpen, openInvitationFor } from './open-invitation-for.ts';
import { toInvitation } from './team-store.ts';

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited */
export async function rejectInvitation(
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<{ invitation: Invitation }> {
  const found = await openInvitationFor(ctx, caller, invitationId);
  const isIt = and(eq(invitation.id, invitationId), isOpenInvitation(ctx.now));
  const scope = { orgId: found.organizationId, actor: caller };
  const { results } = await change(ctx, scope, {
    write: [ctx.db.update(invitation).set({ status: 'rejected' }).where(isIt).returning()],
    audit: { action: 'invitation.rejected', targetId: invitationId, onlyIf: sql`changes() > 0` },
    publish: [],
  });
  const [[row]] = results;
  if (row === undefined) throw invitationNotOpen();
  return { invitation: toInvitation(row) };
}
