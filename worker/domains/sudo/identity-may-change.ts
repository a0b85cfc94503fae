/**
 * Whoever reads an account's mail can reset its password. Staff who changed the email of a member could enter the member's organisations, for
 * good, so they cannot, and support access does not allow it either: an owner invites the new email instead. Marking an email as verified lets
 * its account sign in only (db/proved-email.ts).
 */
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { member, organization } from '#worker/db/schema/organisations';
import { ApiError } from '#worker/http/api-error';

/** Condition of `change`, with its error: the email stays, or its user is a member of no organisation. @param email in lower case */
export function identityMayChange(db: Db, userId: string, email: string | undefined) {
  const stays = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${userId} AND ${user.email} = ${email})`;
  const isMember = sql`EXISTS (SELECT 1 FROM ${member} WHERE ${member.userId} = ${userId})`;
  const mayChange = email === undefined ? sql`TRUE` : sql`(${stays} OR NOT ${isMember})`;
  return [mayChange, () => isMemberElsewhere(db, userId)] as const;
}

async function isMemberElsewhere(db: Db, userId: string): Promise<ApiError> {
  const [organisation] = await db
    .select({ name: organization.name })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, userId))
    .limit(1);
  const message = `This would give access to ${organisation?.name ?? 'an organisation'}. An owner there can invite the right email instead.`;
  return new ApiError('forbidden', message, { issues: [{ path: 'email', message }] });
}
