/** Finds the open invitation that the caller may answer: addressed to an email that the caller has proved. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isOpen } from '#worker/db/open-invitation';
import { isEmailProved } from '#worker/db/proved-email';
import { user } from '#worker/db/schema/auth';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { findInvitation, type InvitationRow } from './team-store.ts';

export function invitationNotOpen(): ApiError {
  return invalidField('invitationId', 'This invitation is no longer open');
}

/** Nobody has opened a link that was mailed to the caller's email: its account may be another person's. */
export function emailNotProved({ email }: Caller): ApiError {
  const message = `Please verify your email first. Open the link that is mailed to ${email}.`;
  return new ApiError('forbidden', message, { issues: [{ path: 'email', message }] });
}

/** Condition: the caller has proved an email. In lower case. */
export function hasProved({ userId }: Caller, email: string): SQL {
  const isIt = and(eq(user.id, userId), eq(user.email, email), isEmailProved);
  return sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isIt})`;
}

/** @throws {ApiError} invalid-request where it is not open; forbidden for anybody but the invited, and naming email until it is proved */
export async function openInvitationFor(
  ctx: RequestContext,
  caller: Caller,
  invitationId: string,
): Promise<InvitationRow> {
  const [found, [account]] = await Promise.all([
    findInvitation(ctx.db, invitationId),
    ctx.db.select({ isProved: isEmailProved }).from(user).where(eq(user.id, caller.userId)),
  ]);
  if (found === null || !isOpen(found, ctx.now)) throw invitationNotOpen();
  if (found.email !== caller.email.toLowerCase()) {
    throw new ApiError('forbidden', 'This invitation is for someone else');
  }
  if (!account?.isProved) throw emailNotProved(caller);
  return found;
}
