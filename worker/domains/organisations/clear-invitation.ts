/** Removes an address that is no longer invited from the team list. The audit log keeps what happened. */
import { and, eq, gt, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { invitation } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
      and(
        eq(open.organizationId, scope.orgId),
        eq(open.email, found.email),
        eq(open.status, 'pending'),
        gt(open.expiresAt, new Date(now)),
      ),
    );
  const [cleared] = (await commit(db, [
    db
      .delete(invitation)
      .where(
        and(
          eq(invitation.organizationId, scope.orgId),
          eq(invitation.email, found.email),
          notExists(isInvited),
        ),
      )
      .returning({ id: invitation.id }),
    auditRowIf(ctx, scope, sql`changes() > 0`, {
      action: 'invitation.cleared',
      targetId: invitationId,
      detail: { email: found.email },
    }),
  ])) as [readonly unknown[]];
  if (cleared.length === 0) throw notFound('The invitation');
}
