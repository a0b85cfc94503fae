/** What other domains read of organisations. */
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { organization } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

/** @throws {ApiError} not-found */
export async function readOrganisationName(db: Db, { orgId }: Scope): Promise<string> {
  const [row] = await db
    .select({ name: organization.name })
    .from(organization)
    .where(eq(organization.id, orgId));
  if (row === undefined) throw notFound('The organisation');
  return row.name;
}
