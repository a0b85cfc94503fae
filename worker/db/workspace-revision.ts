/**
 * The revision of an organisation's workspace as a lock without waiting: a decision that rests on several rows of the
 * workspace is committed only while the revision is still the one at which they were read. Every change of features,
 * plans or workflows raises it in its own transaction.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { organization } from './schema/organisations.ts';

/** How often a use case reads and decides again before it gives up; each time some other edit went through. */
export const MAX_EDIT_ATTEMPTS = 20;

/** To be read in the same batch as the rows that the decision rests on. */
export function selectRevision(db: Db, orgId: string) {
  return db
    .select({ revision: organization.workspaceRevision })
    .from(organization)
    .where(eq(organization.id, orgId));
}

/** Condition for commitIf: nothing in the workspace has changed since. */
export function isAtRevision(orgId: string, revision: number): SQL {
  const isIt = and(eq(organization.id, orgId), eq(organization.workspaceRevision, revision));
  return sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isIt})`;
}
