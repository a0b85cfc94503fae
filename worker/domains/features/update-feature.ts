/** Changes a feature's name, slug or description: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Feature, updateFeatureSchema } from '#contracts/console/features';
import { lastActor } from '#worker/db/audit';
import { isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { uniqueSlug } from './create-feature.ts';
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
  const { orgId } = scope;
  const current = await getFeature(db, scope, featureId);
  const { name = current.name, slug = current.slug, description = current.description } = body;
  if (name === current.name && slug === current.slug && description === current.description) {
    return current;
  }

  await change(ctx, scope, {
    when: {
      exists: [rowExists(feature, orgId, featureId), () => notFound('The feature')],
      isFresh: [
        isCurrentRow(feature, orgId, featureId, updatedAt),
        async () => {
          const now = await getFeature(db, scope, featureId);
          return changedMeanwhile('The feature', now, await lastActor(db, orgId, featureId));
        },
      ],
    },
    unique: uniqueSlug(slug),
    write: [
      db
        .update(feature)
        .set({ ...body, updatedAt: nextUpdatedAt(feature, ctx.now) })
        .where(and(eq(feature.id, featureId), eq(feature.orgId, orgId))),
    ],
    audit: { action: 'feature.changed', targetId: featureId, detail: { fields: Object.keys(body) } },
    publish: [workspaceOf(scope)],
  });
  return getFeature(db, scope, featureId);
}
