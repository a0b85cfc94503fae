/**
 * Accepts an invitation: the membership, the end of the invitation and the audit row in one batch, which fails as a whole
 * when the invitation is no longer open or the organisation has too many members.
 */
import { eq, sql } from 'drizzle-orm';
import { roleSchema } from '#contracts/console/permissions';
import type { Invitation } from '#contracts/console/team';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { isUniqueViolation } from '#worker/db/database';
import { invitation, member } from '#worker/db/schema/organisations';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { invitationNotOpen, openInvitationFor } from './open-invitation-for.ts';
import { toInvitation } from './team-store.ts';

const MAX_MEMBERS = 100;

export interface Accepted {
  readonly invitation: Invitation;
  readonly member: { id: string; organizationId: string; userId: string; role: 'owner' | 'admin' | 'member' };
}

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited; conflict for a member */
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
  // Null when the invitation was closed meanwhile: the NOT NULL column then fails the batch.
  const openOrganisation = sql`(select ${invitation.organizationId} from ${invitation}
    where ${invitation.id} = ${invitationId} and ${invitation.status} = 'pending'
    and ${invitation.expiresAt} > ${ctx.now})`;
  const isBelowLimit = sql`(select count(*) from ${member} where ${eq(member.organizationId, orgId)}) < ${MAX_MEMBERS}`;
  let unmet: 'isBelowLimit' | null;
  try {
    unmet = await commitIf(ctx.db, { isBelowLimit }, [
      ctx.db.insert(member).values({
        id: memberId,
        organizationId: openOrganisation,
        userId: caller.userId,
        role,
        createdAt: new Date(ctx.now),
      }),
      ctx.db.update(invitation).set({ status: 'accepted' }).where(eq(invitation.id, invitationId)),
      auditRow(ctx, scope, {
        action: 'member.joined',
        targetId: memberId,
        detail: { role, invitationId },
      }),
    ]);
  } catch (error) {
    throw await reasonFor(error, ctx, caller, invitationId);
  }
  if (unmet !== null) {
    throw new ApiError('forbidden', `An organisation can have at most ${MAX_MEMBERS} members`);
  }
  return {
    invitation: toInvitation({ ...found, status: 'accepted' }),
    member: { id: memberId, organizationId: orgId, userId: caller.userId, role },
  };
}

/** After a lost race: the invitation is closed, or the caller is a member already. */
async function reasonFor(
  error: unknown,
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<unknown> {
  if (!isUniqueViolation(error) && !isNullViolation(error)) return error;
  const [row] = await ctx.db
    .select({ status: invitation.status })
    .from(invitation)
    .where(eq(invitation.id, invitationId));
  return row?.status === 'pending'
    ? duplicate('invitationId', `${caller.email} is already a member`)
    : invitationNotOpen();
}

function isNullViolation(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('NOT NULL constraint failed')) return true;
  }
  return false;
}
