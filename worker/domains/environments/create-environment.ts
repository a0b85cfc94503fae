/** Creates a live or test environment with nothing deployed, and publishes it to its replicas. */
import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createEnvironmentSchema,
  type Environment,
  MAX_ENVIRONMENTS,
} from '#contracts/console/environments';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, duplicate, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
    generation: 0,
    deployGeneration: 0,
    ledgerShards: ctx.settings.ledgerShards,
    lastDeployedAt: null,
    lastDeployedByUserId: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };

  const change = environmentChange(ctx, scope, row.id);
  const unmet = await commitIf(
    db,
    {
      // A deletion that has started erases the replicas of the environments that it found.
      isKept: notBeingDeleted(orgId),
      isFree: nameIsFree(orgId, row.name, row.id),
      isBelowLimit: sql`(SELECT count(*) FROM ${environment} WHERE ${liveEnvironment(orgId)}) < ${MAX_ENVIRONMENTS}`,
    },
    [
      db.insert(environment).values(row),
      auditRow(ctx, scope, {
        action: 'environment.created',
        targetId: row.id,
        detail: { name: row.name, type: row.type },
      }),
      ...change.statements,
    ],
  );
  if (unmet === 'isKept') throw notFound('The organisation');
  if (unmet === 'isFree') throw duplicateName(row.name);
  if (unmet === 'isBelowLimit') {
    throw new ApiError('conflict', `An organisation can have at most ${MAX_ENVIRONMENTS} environments`);
  }

  change.announce();
  return asEnvironment(row, null);
}

function notBeingDeleted(orgId: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${organisationDeletion} d WHERE d.org_id = ${orgId} AND d.started_at IS NOT NULL)`;
}

export function duplicateName(name: string): ApiError {
  return duplicate('name', `An environment named "${name}" already exists`);
}
