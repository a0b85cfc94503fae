/** Changes a feature's name, slug or description: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Feature, updateFeatureSchema } from '#contracts/console/features';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { feature } from '#worker/db/schema/features';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { isAsEdited } from '#worker/http/edited-row';
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
  const edit = changedFields(current, body);
  if (Object.keys(edit).length === 0) return current;

  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      what: 'The feature',
      table: feature,
      id: featureId,
      updatedAt,
      readCurrent: () => getFeature(db, scope, featureId),
    }),
    unique: uniqueSlug(edit.slug ?? current.slug),
    write: [
      db
        .update(feature)
        .set({ ...body, updatedAt: nextUpdatedAt(feature, ctx.now) })
        .where(and(eq(feature.id, featureId), eq(feature.orgId, orgId))),
    ],
    audit: { action: 'feature.changed', targetId: featureId, detail: recordEdit(current, edit) },
    publish: [workspaceOf(scope)],
  });
  return getFeature(db, scope, featureId);
}
