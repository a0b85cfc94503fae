/** Cancels an open invitation. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Invitation, invitationIdSchema } from '#contracts/console/team';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { invitation } from '#worker/db/schema/organisations';
import { requireMembership } from '#worker/domains/sessions/require-membership';
import { ApiError, notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { ensureMayManageOwners } from './require-team-editor.ts';
import { findInvitation, toInvitation } from './team-store.ts';

/** @throws {ApiError} not-found when it is no longer open or another organisation's; forbidden */
export async function cancelInvitation(
  ctx: RequestContext,
  { invitationId }: z.output<typeof invitationIdSchema>,
): Promise<Invitation> {
  const found = await findInvitation(ctx.db, invitationId);
  if (found === null) throw notFound('The invitation');
  const scope = await requireMembership(ctx, found.organizationId, { permission: 'team-members:edit' }).catch(
    hideForeign,
  );
  if (found.role === 'owner') ensureMayManageOwners(scope);

  const isIt = and(eq(invitation.id, invitationId), isOpenInvitation(ctx.now));
  const { results } = await change(ctx, scope, {
    write: [ctx.db.update(invitation).set({ status: 'canceled' }).where(isIt).returning()],
    audit: {
      action: 'invitation.canceled',
      targetId: invitationId,
      detail: { email: found.email },
      onlyIf: sql`changes() > 0`,
    },
    publish: [],
  });
  const [[row]] = results;
  if (row === undefined) throw notFound('The invitation');
  return toInvitation(row);
}

/** Another organisation's invitation answers as one that does not exist. */
function hideForeign(error: unknown): never {
  if (error instanceof ApiError && error.errorType === 'not-found') throw notFound('The invitation');
  throw error;
}
