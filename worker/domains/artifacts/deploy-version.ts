/** Deploys a version to a live or test environment, newer or older than the current one, and publishes it to the replicas. */
import { and, eq, sql } from 'drizzle-orm';
import { lastActor } from '#worker/db/audit';
import { liveEnvironment } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { newsOf } from '#worker/domains/webhooks/tell-webhooks';
import { changedMeanwhile, invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { findArtifact } from './artifact-store.ts';
import { findEnvironmentStatus } from './deployment-status.ts';

export interface Deployment {
  readonly environmentId: string;
  readonly artifactId: string;
  /** The artifact that the caller saw deployed. Null: none. Undefined: deploy in any case. */
  readonly fromArtifactId?: string | null | undefined;
}

/** @throws {ApiError} not-found; invalid-request for the preview; conflict when another version was deployed meanwhile */
export async function deployVersion(
  ctx: RequestContext,
  scope: MemberScope,
  { environmentId, artifactId, fromArtifactId }: Deployment,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const [target, version] = await Promise.all([
    findEnvironmentStatus(db, scope, environmentId),
    findArtifact(db, scope, artifactId),
  ]);
  if (target === null) throw notFound('The environment');
  if (target.environmentType === 'preview') {
    throw invalidField('envId', 'The preview environment always follows the workspace');
  }
  if (version?.number == null) throw notFound('The version');

  const isRollback = (target.artifactNumber ?? 0) > version.number;
  const isIt = and(
    liveEnvironment(orgId, environmentId),
    sql`EXISTS (SELECT 1 FROM ${artifact} WHERE ${artifact.id} = ${artifactId} AND ${artifact.number} IS NOT NULL)`,
    fromArtifactId === undefined ? undefined : sql`${environment.artifactId} IS ${fromArtifactId}`,
  );
  await change(ctx, scope, {
    when: {
      isAsSeen: [
        sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${isIt})`,
        async () => {
          const now = await findEnvironmentStatus(db, scope, environmentId);
          const changedBy = await lastActor(db, orgId, environmentId);
          return changedMeanwhile(`The deployment to ${target.environmentName}`, now, changedBy);
        },
      ],
    },
    write: [
      db
        .update(environment)
        .set({
          artifactId,
          // The right side is the row as it was. Deploying what runs already keeps what ran before.
          previousArtifactId: sql`CASE WHEN ${environment.artifactId} IS ${artifactId}
            THEN ${environment.previousArtifactId} ELSE ${environment.artifactId} END`,
          // That of the publication.
          deployGeneration: sql`${environment.generation} + 1`,
          lastDeployedAt: ctx.now,
          lastDeployedByUserId: scope.actor.userId,
        })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
    ],
    audit: {
      action: isRollback ? 'version.rolled-back' : 'version.deployed',
      targetId: environmentId,
      detail: { artifactId, number: version.number, fromArtifactId: target.artifactId },
    },
    publish: [
      environmentsOf(scope, environmentId),
      newsOf(scope, environmentId, {
        type: 'environment.deployed',
        data: {
          environment: {
            id: environmentId,
            name: target.environmentName,
            type: target.isLive ? 'live' : 'test',
          },
          version: version.number,
          previousVersion: target.artifactNumber,
          note: version.note,
          isRollback,
        },
      }),
    ],
  });
}
