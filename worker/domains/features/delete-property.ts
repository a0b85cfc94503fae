/** Deletes a property. Plan versions keep their values for it; artifacts drop them. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { featureProperty } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
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
  const current = await getProperty(db, scope, featureId, propertyId);
  if (current.isSystem) throw invalidField('propertyId', 'A system property cannot be deleted');

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowExists(featureProperty, scope.orgId, propertyId) }, [
    db
      .delete(featureProperty)
      .where(and(eq(featureProperty.id, propertyId), eq(featureProperty.orgId, scope.orgId))),
    auditRow(ctx, scope, {
      action: 'property.deleted',
      targetId: propertyId,
      detail: { featureId, key: current.propertyKey },
    }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The property');
  change.announce();
}
