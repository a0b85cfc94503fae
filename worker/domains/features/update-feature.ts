/** Changes a feature's name, slug or description: only what was sent, and only if it differs. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Feature, updateFeatureSchema } from '#contracts/features';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { refusedSlug } from './create-feature.ts';
import { getFeature } from './store.ts';

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; conflict for a slug that stands already, or with what stands where somebody else's
 * edit came between
 */
export async function updateFeature(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  { updatedAt, ...body }: z.output<typeof updateFeatureSchema>,
): Promise<Feature> {
  const { db } = ctx;
  const standing = await getFeature(db, scope, featureId);
  const { name = standing.name, slug = standing.slug, description = standing.description } = body;
  if (name === standing.name && slug === standing.slug && description === standing.description) {
    return standing;
  }

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      exists: rowStands(feature, scope.orgId, featureId),
      isFresh: rowStands(feature, scope.orgId, featureId, updatedAt),
    },
    [
      db
        .update(feature)
        .set({ ...body, updatedAt: nextUpdatedAt(feature, ctx.now) })
        .where(and(eq(feature.id, featureId), eq(feature.orgId, scope.orgId))),
      ...change.statements,
    ],
  ).catch((error: unknown) => {
    throw refusedSlug(error, slug) ?? error;
  });
  if (unmet === 'exists') throw notFound('The feature');
  if (unmet === 'isFresh') throw changedMeanwhile('The feature', await getFeature(db, scope, featureId));

  change.announce();
  return getFeature(db, scope, featureId);
}
