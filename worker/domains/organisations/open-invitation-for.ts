/** Finds the open invitation that the caller may answer: addressed to the caller's verified email. */
import { eq } from 'drizzle-orm';
import { user } from '#worker/db/schema/auth';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { findInvitation, type InvitationRow } from './team-store.ts';

export function invitationNotOpen(): ApiError {
  return invalidField('invitationId', 'This invitation is no longer open');
}

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited */
export async function openInvitationFor(
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<InvitationRow> {
  const [found, [account]] = await Promise.all([
    findInvitation(ctx.db, invitationId),
    ctx.db.select({ isVerified: user.emailVerified }).from(user).where(eq(user.id, caller.userId)),
  ]);
  if (found === null || found.status !== 'pending' || found.expiresAt.getTime() <= ctx.now)
    throw invitationNotOpen();
  if (found.email !== caller.email.toLowerCase()) {
    throw new ApiError('forbidden', 'This invitation is for someone else');
  }
  if (!account?.isVerified) throw new ApiError('forbidden', 'Please verify your email first');
  return found;
}
