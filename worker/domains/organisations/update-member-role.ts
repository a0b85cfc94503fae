/** Changes a member's role. Only an owner makes or unmakes owners, and the last one stays one. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { memberSchema, updateMemberRoleSchema } from '#contracts/team';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { member } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { leavesAnOwner, soleOwnerStays } from './keep-an-owner.ts';
import { refuseUnlessOwner, teamStanding } from './team-standing.ts';
import { findMember } from './team-store.ts';

/** @throws {ApiError} not-found, forbidden, invalid-request for the last owner */
export async function updateMemberRole(
  ctx: RequestContext,
  { memberId, role, ...named }: z.output<typeof updateMemberRoleSchema>,
): Promise<z.output<typeof memberSchema>> {
  const { caller, scope } = await teamStanding(ctx, named);
  const found = await findMember(ctx.db, scope, memberId);
  if (found === null) throw notFound('The member');
  if (found.role === 'owner' || role === 'owner') refuseUnlessOwner(scope);

  const keepsAnOwner = role === 'owner' ? undefined : leavesAnOwner;
  const [changed] = (await commit(ctx.db, [
    ctx.db
      .update(member)
      .set({ role })
      .where(and(eq(member.id, found.id), eq(member.role, found.role), keepsAnOwner))
      .returning({ id: member.id }),
    auditRowIf(ctx, sql`changes() > 0`, {
      orgId: scope.orgId,
      actorUserId: caller.userId,
      action: 'member.role-changed',
      targetId: found.id,
      detail: { userId: found.userId, from: found.role, to: role },
    }),
  ])) as [readonly unknown[]];
  if (changed.length === 0) throw await soleOwnerStays(ctx, scope, found.id);
  return { id: found.id, organizationId: scope.orgId, userId: found.userId, role };
}
