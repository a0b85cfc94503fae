/**
 * Deletes an environment, its keys and its ledgers. The row remains, marked as deleted and without a version, so that
 * replicas learn to refuse every request.
 */
import { and, eq } from 'drizzle-orm';
import { findDataLocations } from '#worker/db/data-locations';
import { environmentExists } from '#worker/db/live-environments';
import { apiKey, environment } from '#worker/db/schema/environments';
import {
  customersOf,
  forgetNearLimits,
  knownCustomerStatements,
} from '#worker/domains/customer-facts/known-customers';
import { renewWordsOfCreatedIn } from '#worker/domains/customer-facts/renew-words-of';
import { retiredLedgersOf } from '#worker/domains/metering/retire-ledgers';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getEnvironment } from './store.ts';

/** @throws {ApiError} not-found; invalid-request for the preview environment */
export async function deleteEnvironment(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getEnvironment(db, scope, environmentId);
  if (current.type === 'preview') {
    throw invalidField('environmentId', 'The preview environment cannot be deleted');
  }

  const locations = (await findDataLocations(db, orgId)) ?? [];
  await change(ctx, scope, {
    when: { exists: [environmentExists(orgId, environmentId), () => notFound('The environment')] },
    write: [
      db
        .update(environment)
        .set({ deletedAt: ctx.now, artifactId: null })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
      db.delete(apiKey).where(and(eq(apiKey.environmentId, environmentId), eq(apiKey.orgId, orgId))),
      ...knownCustomerStatements(db, orgId, [], ctx.now, customersOf(orgId, environmentId)),
      renewWordsOfCreatedIn(db, orgId, environmentId),
      forgetNearLimits(db, orgId, environmentId),
    ],
    audit: {
      action: 'environment.deleted',
      targetId: environmentId,
      detail: { name: current.name, type: current.type },
    },
    publish: [environmentsOf(scope, environmentId), retiredLedgersOf(scope, locations, [environmentId])],
  });
}
