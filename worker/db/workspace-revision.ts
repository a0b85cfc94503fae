/**
 * Optimistic lock on an organisation's workspace. A decision based on several workspace rows commits only if the
 * revision is unchanged since they were read. Every change of features, plans or workflows increments it in its own
 * transaction.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { organization } from './schema/organisations.ts';

/** How often a use case retries after concurrent edits before it fails. */
export const MAX_EDIT_ATTEMPTS = 20;

/** Read it in the same batch as the rows of the decision. */
export function selectRevision(db: Db, orgId: string) {
  return db
    .select({ revision: organization.workspaceRevision })
    .from(organization)
    .where(eq(organization.id, orgId));
}

/** Condition: the workspace is unchanged since that revision. */
export function isAtRevision(orgId: string, revision: number): SQL {
  const isIt = and(eq(organization.id, orgId), eq(organization.workspaceRevision, revision));
  return sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isIt})`;
}
