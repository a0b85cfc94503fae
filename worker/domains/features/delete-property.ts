/** Deletes a property; what plans configure of it stays in their versions, and artifacts leave it out. */
import { and, eq } from 'drizzle-orm';
import { commitIf, rowStands } from '#worker/db/commit-if';
import { featureProperty } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getProperty } from './store.ts';

/** @throws {ApiError} not-found; invalid-request for a system property */
export async function deleteProperty(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  propertyId: string,
): Promise<void> {
  const { db } = ctx;
  const standing = await getProperty(db, scope, featureId, propertyId);
  if (standing.isSystem) throw invalidField('propertyId', 'A system property cannot be deleted');

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowStands(featureProperty, scope.orgId, propertyId) }, [
    db
      .delete(featureProperty)
      .where(and(eq(featureProperty.id, propertyId), eq(featureProperty.orgId, scope.orgId))),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The property');
  change.announce();
}
