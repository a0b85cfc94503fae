/** The owners and admins of an organisation: who gets mail about its limits and outages, and about itself. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { member } from '#worker/db/schema/organisations';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { sendMail } from '#worker/platform/mail';
import { composeMail } from '#worker/platform/mail-message';

/** Without disabled accounts. */
export function listAdministrators(db: Db, { orgId }: Scope): Promise<{ userId: string }[]> {
  return db
    .select({ userId: member.userId })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(
      and(eq(member.organizationId, orgId), inArray(member.role, ['owner', 'admin']), eq(user.enabled, true)),
    )
    .orderBy(member.userId);
}

/** Without disabled accounts. */
export function listOwners(db: Db, { orgId }: Scope): Promise<{ email: string; name: string }[]> {
  return db
    .select({ email: user.email, name: user.name })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, orgId), eq(member.role, 'owner'), eq(user.enabled, true)));
}

/** Mails that nobody repeats. */
export async function mailOwners(
  { db, env, settings, now, log }: RequestContext,
  scope: Scope,
  mail: Omit<Parameters<typeof composeMail>[0], 'to'>,
): Promise<void> {
  for (const { email } of await listOwners(db, scope)) {
    await sendMail(env, settings, composeMail({ to: email, ...mail }), now, log);
  }
}
