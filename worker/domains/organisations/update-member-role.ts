/** Changes a member's role. Only owners appoint or demote owners, and the last owner cannot be demoted. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { memberSchema, updateMemberRoleSchema } from '#contracts/console/team';
import { member } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { cancelInvitationsOf } from './cancel-invitations-of.ts';
import { memberUnchanged, ownerRemains } from './ensure-owner-remains.ts';
import { ensureMayManageOwners, requireTeamEditor } from './require-team-editor.ts';
import { findMember } from './team-store.ts';

/** @throws {ApiError} not-found, forbidden, invalid-request for the last owner */
export async function updateMemberRole(
  ctx: RequestContext,
  { memberId, role, ...named }: z.output<typeof updateMemberRoleSchema>,
): Promise<z.output<typeof memberSchema>> {
  const scope = await requireTeamEditor(ctx, named);
  const found = await findMember(ctx.db, scope, memberId);
  if (found === null) throw notFound('The member');
  if (found.role === 'owner' || role === 'owner') ensureMayManageOwners(scope);

  const ifOwnerRemains = role === 'owner' ? undefined : ownerRemains;
  const isIt = and(eq(member.id, found.id), eq(member.role, found.role), ifOwnerRemains);
  await change(ctx, scope, {
    when: {
      mayChange: [
        sql`EXISTS (SELECT 1 FROM ${member} WHERE ${isIt})`,
        () => memberUnchanged(ctx, scope, found.id),
      ],
    },
    write: [
      ctx.db.update(member).set({ role }).where(eq(member.id, found.id)),
      ...cancelInvitationsOf(ctx, scope, found.userId),
    ],
    audit: {
      action: 'member.role-changed',
      targetId: found.id,
      detail: { userId: found.userId, from: found.role, to: role },
    },
    publish: [],
  });
  return { id: found.id, organizationId: scope.orgId, userId: found.userId, role };
}
