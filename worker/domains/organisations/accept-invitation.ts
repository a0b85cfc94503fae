/**
 * Accepts an invitation: the membership, the end of the invitation and the audit row in one batch, which fails as a whole
 * when the invitation is no longer open, the email is not proved, or the organisation has too many members.
 */
import { and, eq, sql } from 'drizzle-orm';
import { roleSchema } from '#contracts/console/permissions';
import type { Invitation } from '#contracts/console/team';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { invitation, member } from '#worker/db/schema/organisations';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { emailNotProved, hasProved, invitationNotOpen, openInvitationFor } from './open-invitation-for.ts';
import { toInvitation } from './team-store.ts';

const MAX_MEMBERS = 100;

export interface Accepted {
  readonly invitation: Invitation;
  readonly member: { id: string; organizationId: string; userId: string; role: 'owner' | 'admin' | 'member' };
}

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited, and until the email is proved; conflict for a member */
export async function acceptInvitation(
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<Accepted> {
  const found = await openInvitationFor(ctx, caller, invitationId);
  const orgId = found.organizationId;
  const scope = { orgId, actor: caller };

  const memberId = ctx.newId('mem');
  const role = roleSchema.catch('member').parse(found.role);
  const isIt = and(eq(invitation.id, invitationId), isOpenInvitation(ctx.now));
  const count = sql`(SELECT count(*) FROM ${member} WHERE ${eq(member.organizationId, orgId)})`;
  const tooMany = `An organisation can have at most ${MAX_MEMBERS} members`;
  await change(ctx, scope, {
    when: {
      isBelowLimit: [sql`${count} < ${MAX_MEMBERS}`, () => new ApiError('forbidden', tooMany)],
      isOpen: [sql`EXISTS (SELECT 1 FROM ${invitation} WHERE ${isIt})`, invitationNotOpen],
      isProved: [hasProved(caller, found.email), () => emailNotProved(caller)],
    },
    unique: {
      'member.user_id': () => duplicate('invitationId', `${caller.email} is already a member`),
    },
    write: [
      ctx.db.insert(member).values({
        id: memberId,
        organizationId: orgId,
        userId: caller.userId,
        role,
        createdAt: new Date(ctx.now),
      }),
      ctx.db.update(invitation).set({ status: 'accepted' }).where(eq(invitation.id, invitationId)),
    ],
    audit: { action: 'member.joined', targetId: memberId, detail: { role, invitationId } },
    publish: [],
  });
  return {
    invitation: toInvitation({ ...found, status: 'accepted' }),
    member: { id: memberId, organizationId: orgId, userId: caller.userId, role },
  };
}
