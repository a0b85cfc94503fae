/** Creates a live or test environment with nothing deployed, and publishes it to its replicas. */
import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createEnvironmentSchema,
  type Environment,
  MAX_ENVIRONMENTS,
} from '#contracts/console/environments';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { asEnvironment, type EnvironmentRow, nameIsFree } from './store.ts';

/**
 * @throws {ApiError} not-found if the organisation is being deleted; conflict for a name that exists, and when there are too many
 * environments
 */
export async function createEnvironment(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createEnvironmentSchema>,
): Promise<Environment> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const row: EnvironmentRow = {
    id: ctx.newId('env'),
    orgId,
    name: body.name,
    description: body.description ?? null,
    url: body.url ?? null,
    type: body.type,
    artifactId: null,
    previousArtifactId: null,
    generation: 0,
    deployGeneration: 0,
    ledgerShards: ctx.settings.ledgerShards,
    lastDeployedAt: null,
    lastDeployedByUserId: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };

  const count = sql`(SELECT count(*) FROM ${environment} WHERE ${liveEnvironment(orgId)})`;
  const tooMany = `An organisation can have at most ${MAX_ENVIRONMENTS} environments`;
  await change(ctx, scope, {
    when: {
      // A deletion that has started erases the replicas of the environments that it found.
      isKept: [notBeingDeleted(orgId), () => notFound('The organisation')],
      isFree: nameIsFree(orgId, row.name, row.id),
      isBelowLimit: [sql`${count} < ${MAX_ENVIRONMENTS}`, () => new ApiError('conflict', tooMany)],
    },
    write: [db.insert(environment).values(row)],
    audit: {
      action: 'environment.created',
      targetId: row.id,
      detail: { name: row.name, type: row.type },
    },
    publish: [environmentsOf(scope, row.id)],
  });
  return asEnvironment(row, null);
}

function notBeingDeleted(orgId: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${organisationDeletion} d WHERE d.org_id = ${orgId} AND d.started_at IS NOT NULL)`;
}
