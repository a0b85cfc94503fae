/** Deletes a version that no live or test environment runs. The head only loses its number, because the preview runs it. */
import { and, eq, isNotNull, ne, or, sql } from 'drizzle-orm';
import { listEnvironmentIds, liveEnvironment, livePreview } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { findArtifact } from './artifact-store.ts';

/** @throws {ApiError} not-found, or conflict naming the environments that run it */
export async function deleteVersion(
  ctx: RequestContext,
  scope: MemberScope,
  artifactId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const version = await findArtifact(db, scope, artifactId);
  if (version?.number == null) throw notFound('The version');

  const isIt = and(eq(artifact.id, artifactId), eq(artifact.orgId, orgId));
  const isNumbered = and(isIt, isNotNull(artifact.number));
  const runsIt = and(
    liveEnvironment(orgId),
    eq(environment.artifactId, artifactId),
    ne(environment.type, 'preview'),
  );
  const isHead = sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${organization.headArtifactId} = ${artifactId})`;
  const isRun = sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${environment.artifactId} = ${artifactId})`;
  const previewIds = await listEnvironmentIds(
    db,
    and(livePreview(orgId), or(eq(environment.artifactId, artifactId), isHead)),
  );
  const isUndeployed = sql`NOT EXISTS (SELECT 1 FROM ${environment} WHERE ${runsIt})`;
  await change(ctx, scope, {
    when: {
      exists: sql`EXISTS (SELECT 1 FROM ${artifact} WHERE ${isNumbered})`,
      isUndeployed: [
        isUndeployed,
        async () => {
          const running = await db.select({ name: environment.name }).from(environment).where(runsIt);
          const names = running.map(({ name }) => name).join(', ');
          const message = `Version ${version.number} is deployed to ${names} and cannot be deleted`;
          return new ApiError('conflict', message);
        },
      ],
    },
    write: [
      // Environments that were deleted keep their row, but not their version.
      db
        .update(environment)
        .set({ artifactId: null })
        .where(
          and(
            eq(environment.artifactId, artifactId),
            eq(environment.orgId, orgId),
            isNotNull(environment.deletedAt),
          ),
        ),
      db.update(artifact).set({ number: null, note: null }).where(isIt),
      db.delete(artifact).where(and(isIt, sql`NOT (${isRun} OR ${isHead})`)),
    ],
    audit: { action: 'version.deleted', targetId: artifactId, detail: { number: version.number } },
    // A preview environment that runs it goes on without the number: its replicas must learn that.
    publish: [environmentsOf(scope, ...previewIds)],
  });
}
