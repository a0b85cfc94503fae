/** Changes a feature's name, slug or description: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Feature, updateFeatureSchema } from '#contracts/console/features';
import { auditRow, lastActor } from '#worker/db/audit';
import { commitIf, isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { duplicateSlug } from './create-feature.ts';
import { getFeature } from './store.ts';

/**
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; conflict for a slug that exists, or with the current feature when somebody else edited
 * it meanwhile
 */
export async function updateFeature(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  { updatedAt, ...body }: z.output<typeof updateFeatureSchema>,
): Promise<Feature> {
  const { db } = ctx;
  const current = await getFeature(db, scope, featureId);
  const { name = current.name, slug = current.slug, description = current.description } = body;
  if (name === current.name && slug === current.slug && description === current.description) {
    return current;
  }

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      exists: rowExists(feature, scope.orgId, featureId),
      isFresh: isCurrentRow(feature, scope.orgId, featureId, updatedAt),
    },
    [
      db
        .update(feature)
        .set({ ...body, updatedAt: nextUpdatedAt(feature, ctx.now) })
        .where(and(eq(feature.id, featureId), eq(feature.orgId, scope.orgId))),
      auditRow(ctx, scope, {
        action: 'feature.changed',
        targetId: featureId,
        detail: { fields: Object.keys(body) },
      }),
      ...change.statements,
    ],
  ).catch((error: unknown) => {
    throw duplicateSlug(error, slug) ?? error;
  });
  if (unmet === 'exists') throw notFound('The feature');
  if (unmet === 'isFresh') {
    const changedBy = await lastActor(db, scope.orgId, featureId);
    throw changedMeanwhile('The feature', await getFeature(db, scope, featureId), changedBy);
  }

  change.announce();
  return getFeature(db, scope, featureId);
}
