/** Reads when an organisation will be deleted. domains/organisation-deletion schedules it. */
import { eq } from 'drizzle-orm';
import type { OrganisationDeletion } from '#contracts/console/organisations';
import type { Db } from '#worker/db/database';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import type { Scope } from '#worker/http/request-context';

/** @returns null unless the organisation's deletion is scheduled or in progress */
export async function findScheduledDeletion(db: Db, { orgId }: Scope): Promise<OrganisationDeletion | null> {
  const { requestedByUserId, requestedAt, dueAt } = organisationDeletion;
  const [row] = await db
    .select({ requestedByUserId, requestedAt, dueAt })
    .from(organisationDeletion)
    .where(eq(organisationDeletion.orgId, orgId));
  return row ?? null;
}
