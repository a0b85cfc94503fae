/** Removes a member. The delete itself is conditional on another owner remaining, so concurrent removals are safe. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { MemberWithUser, removeMemberSchema } from '#contracts/console/team';
import { member } from '#worker/db/schema/organisations';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { notFound } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { cancelInvitationsOf } from './cancel-invitations-of.ts';
import { memberUnchanged, ownerRemains } from './ensure-owner-remains.ts';
import { ensureMayManageOwners, requireTeamEditor } from './require-team-editor.ts';
import { findMember } from './team-store.ts';

/** @throws {ApiError} not-found, forbidden, invalid-request for the last owner */
export async function removeMember(
  ctx: RequestContext,
  body: z.output<typeof removeMemberSchema>,
): Promise<{ member: MemberWithUser }> {
  const scope = await requireTeamEditor(ctx, body);
  const found = await findMember(ctx.db, scope, body.memberIdOrEmail);
  if (found === null) throw notFound('The member');
  if (found.role === 'owner') ensureMayManageOwners(scope);

  const isIt = and(eq(member.id, found.id), eq(member.role, found.role), ownerRemains);
  await change(ctx, scope, {
    when: {
      mayGo: [
        sql`EXISTS (SELECT 1 FROM ${member} WHERE ${isIt})`,
        () => memberUnchanged(ctx, scope, found.id),
      ],
    },
    write: [
      ctx.db.delete(member).where(eq(member.id, found.id)),
      ...cancelInvitationsOf(ctx, scope, found.userId),
    ],
    audit: {
      action: 'member.removed',
      targetId: found.id,
      detail: { userId: found.userId, email: found.user.email, role: found.role },
    },
    publish: [],
  });
  ctx.waitUntil(endUnusableWatches(ctx, { userId: found.userId }));
  return { member: found };
}
