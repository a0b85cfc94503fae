/** Removes a member. An organisation always keeps an owner: the statement itself sees to it, whoever else is at it. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { MemberWithUser, removeMemberSchema } from '#contracts/team';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { member } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { leavesAnOwner, soleOwnerStays } from './keep-an-owner.ts';
import { refuseUnlessOwner, teamStanding } from './team-standing.ts';
import { findMember } from './team-store.ts';

/** @throws {ApiError} not-found, forbidden, invalid-request for the last owner */
export async function removeMember(
  ctx: RequestContext,
  body: z.output<typeof removeMemberSchema>,
): Promise<{ member: MemberWithUser }> {
  const { caller, scope } = await teamStanding(ctx, body);
  const found = await findMember(ctx.db, scope, body.memberIdOrEmail);
  if (found === null) throw notFound('The member');
  if (found.role === 'owner') refuseUnlessOwner(scope);

  const [removed] = (await commit(ctx.db, [
    ctx.db
      .delete(member)
      .where(and(eq(member.id, found.id), eq(member.role, found.role), leavesAnOwner))
      .returning({ id: member.id }),
    auditRowIf(ctx, sql`changes() > 0`, {
      orgId: scope.orgId,
      actorUserId: caller.userId,
      action: 'member.removed',
      targetId: found.id,
      detail: { userId: found.userId, email: found.user.email, role: found.role },
    }),
  ])) as [readonly unknown[]];
  if (removed.length === 0) throw await soleOwnerStays(ctx, scope, found.id);
  return { member: found };
}
