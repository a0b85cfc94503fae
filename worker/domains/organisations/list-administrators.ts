/** The owners and admins of an organisation: who gets mail about its limits and outages. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { member } from '#worker/db/schema/organisations';
import type { Scope } from '#worker/http/request-context';

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
