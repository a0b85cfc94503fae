/** Deletes a property. Plan versions keep their values for it; artifacts drop them. */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { featureProperty } from '#worker/db/schema/features';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { isCostOfNone } from './check-costs.ts';
import { hasSeatsOfNone } from './check-seats.ts';
import { getProperty } from './store.ts';

/** @throws {ApiError} not-found; invalid-request for a system property; conflict if another property costs it or needs its seats */
export async function deleteProperty(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  propertyId: string,
): Promise<void> {
  const { db } = ctx;
  const current = await getProperty(db, scope, featureId, propertyId);
  if (current.isSystem) throw invalidField('propertyId', 'A system property cannot be deleted');

  const isIt = and(eq(featureProperty.id, propertyId), eq(featureProperty.orgId, scope.orgId));
  await change(ctx, scope, {
    when: {
      exists: [rowExists(featureProperty, scope.orgId, propertyId), () => notFound('The property')],
      paysForNone: isCostOfNone(db, scope, eq(featureProperty.id, propertyId)),
      seatsNone: hasSeatsOfNone(db, scope, eq(featureProperty.id, propertyId)),
    },
    write: [db.delete(featureProperty).where(isIt)],
    audit: {
      action: 'property.deleted',
      targetId: propertyId,
      detail: { featureId, key: current.propertyKey },
    },
    publish: [workspaceOf(scope)],
  });
}
