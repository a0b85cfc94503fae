/** Deletes a version that no live or test environment runs. The head only loses its number, because the preview runs it. */
import { and, eq, isNotNull, ne, or, sql } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { listEnvironmentIds, liveEnvironment, livePreview } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
  // A preview environment that runs it goes on without the number: its replicas must learn that.
  const changes = previewIds.map((id) => environmentChange(ctx, scope, id));
  const unmet = await commitIf(
    db,
    {
      exists: sql`EXISTS (SELECT 1 FROM ${artifact} WHERE ${isNumbered})`,
      isUndeployed: sql`NOT EXISTS (SELECT 1 FROM ${environment} WHERE ${runsIt})`,
    },
    [
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
      auditRow(ctx, scope, {
        action: 'version.deleted',
        targetId: artifactId,
        detail: { number: version.number },
      }),
      ...changes.flatMap((change) => change.statements),
      db.delete(artifact).where(and(isIt, sql`NOT (${isRun} OR ${isHead})`)),
    ],
  );
  if (unmet === 'isUndeployed') {
    const running = await db.select({ name: environment.name }).from(environment).where(runsIt);
    throw new ApiError(
      'conflict',
      `Version ${version.number} is deployed to ${running.map(({ name }) => name).join(', ')} and cannot be deleted`,
    );
  }
  if (unmet === null) for (const change of changes) change.announce();
}
