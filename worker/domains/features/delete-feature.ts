/**
 * Deletes a feature with its properties. Plan versions keep their values for it, so that the console can show 'Missing
 * Feature'; artifacts drop them.
 */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getFeature } from './store.ts';

/** @throws {ApiError} not-found */
export async function deleteFeature(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
): Promise<void> {
  const { db } = ctx;
  const { name, slug } = await getFeature(db, scope, featureId);
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowExists(feature, scope.orgId, featureId) }, [
    db.delete(feature).where(and(eq(feature.id, featureId), eq(feature.orgId, scope.orgId))),
    auditRow(ctx, scope, { action: 'feature.deleted', targetId: featureId, detail: { name, slug } }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The feature');
  change.announce();
}
