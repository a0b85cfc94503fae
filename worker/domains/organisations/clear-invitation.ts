/** Removes an address that is no longer invited from the team list. The audit log keeps what happened. */
import { and, eq, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { invitation } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { findInvitation } from './team-store.ts';

/**
 * Deletes all invitations of the address, because an older one would otherwise take the deleted one's place.
 * @throws {ApiError} not-found while the address is invited, and for another organisation's invitation
 */
export async function clearInvitation(
  ctx: RequestContext,
  scope: MemberScope,
  invitationId: string,
): Promise<void> {
  const { db, now } = ctx;
  const found = await findInvitation(db, invitationId);
  if (found === null || found.organizationId !== scope.orgId) throw notFound('The invitation');

  const open = alias(invitation, 'open');
  const isInvited = db
    .select({ one: sql`1` })
    .from(open)
    .where(
      and(eq(open.organizationId, scope.orgId), eq(open.email, found.email), isOpenInvitation(now, open)),
    );
  const isIt = and(
    eq(invitation.organizationId, scope.orgId),
    eq(invitation.email, found.email),
    notExists(isInvited),
  );
  const { results } = await change(ctx, scope, {
    write: [db.delete(invitation).where(isIt).returning({ id: invitation.id })],
    audit: {
      action: 'invitation.cleared',
      targetId: invitationId,
      detail: { email: found.email },
      onlyIf: sql`changes() > 0`,
    },
    publish: [],
  });
  if (results[0].length === 0) throw notFound('The invitation');
}
