/**
 * Deletes a feature with its properties. What plans configure of it stays in their versions, so that the console can
 * show 'Missing Feature'; artifacts leave it out.
 */
import { and, eq } from 'drizzle-orm';
import { commitIf, rowStands } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';

/** @throws {ApiError} not-found */
export async function deleteFeature(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
): Promise<void> {
  const { db } = ctx;
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowStands(feature, scope.orgId, featureId) }, [
    db.delete(feature).where(and(eq(feature.id, featureId), eq(feature.orgId, scope.orgId))),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The feature');
  change.announce();
}
