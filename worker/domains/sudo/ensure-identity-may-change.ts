/**
 * Anyone who reads an address's mail can reset its account's password, and anyone who has verified it can accept its invitations. So
 * staff who change or verify an email could enter the organisations of its user, for good. Support access does not allow it
 * either: an owner invites the new email instead.
 */
import { and, eq, exists, gt, inArray, or, sql } from 'drizzle-orm';
import { invitation, member, organization } from '#worker/db/schema/organisations';
import { ApiError } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { getSudoUser } from './user-search.ts';

interface IdentityChange {
  /** In lower case. */
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
}

/** @throws {ApiError} not-found; forbidden, naming the field, for a user whom an organisation has as a member or has invited */
export async function ensureIdentityMayChange(
  { db, now }: RequestContext,
  userId: string,
  change: IdentityChange,
): Promise<void> {
  const before = await getSudoUser(db, userId);
  const isNewEmail = change.email !== undefined && change.email !== before.email;
  const isVerification = change.emailVerified === true && !before.emailVerified;
  if (!isNewEmail && !isVerification) return;
  const one = { one: sql`1` };
  const isMember = db
    .select(one)
    .from(member)
    .where(and(eq(member.organizationId, organization.id), eq(member.userId, userId)));
  const isInvited = db
    .select(one)
    .from(invitation)
    .where(
      and(
        eq(invitation.organizationId, organization.id),
        inArray(invitation.email, [before.email, change.email ?? before.email]),
        eq(invitation.status, 'pending'),
        gt(invitation.expiresAt, new Date(now)),
      ),
    );
  const [organisation] = await db
    .select({ name: organization.name })
    .from(organization)
    .where(or(exists(isMember), exists(isInvited)))
    .limit(1);
  if (organisation === undefined) return;
  const path = isNewEmail ? 'email' : 'emailVerified';
  const message = `This would give access to ${organisation.name}. An owner there can invite the right email instead.`;
  throw new ApiError('forbidden', message, { issues: [{ path, message }] });
}
