/**
 * Deletes a feature with its properties. Plan versions keep their values for it, so that the console can show 'Missing
 * Feature'; artifacts drop them.
 */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { feature, featureProperty } from '#worker/db/schema/features';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { isCostOfNone } from './check-costs.ts';
import { hasSeatsOfNone } from './check-seats.ts';
import { getFeature } from './store.ts';

/** @throws {ApiError} not-found; conflict if a meter of another feature costs one of its meters or needs its seats */
export async function deleteFeature(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
): Promise<void> {
  const { db } = ctx;
  const { name, slug } = await getFeature(db, scope, featureId);
  await change(ctx, scope, {
    when: {
      exists: [rowExists(feature, scope.orgId, featureId), () => notFound('The feature')],
      paysForNone: isCostOfNone(db, scope, eq(featureProperty.featureId, featureId)),
      seatsNone: hasSeatsOfNone(db, scope, eq(featureProperty.featureId, featureId)),
    },
    write: [db.delete(feature).where(and(eq(feature.id, featureId), eq(feature.orgId, scope.orgId)))],
    audit: { action: 'feature.deleted', targetId: featureId, detail: { name, slug } },
    publish: [workspaceOf(scope)],
  });
}
