/** Deletes a version that no live or test environment runs. The head only loses its number, because the preview runs it. */
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
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

  const isOwn = and(eq(artifact.id, artifactId), eq(artifact.orgId, orgId), isNotNull(artifact.number));
  const runsIt = and(
    liveEnvironment(orgId),
    eq(environment.artifactId, artifactId),
    ne(environment.type, 'preview'),
  );
  const isDeployed = sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${runsIt})`;
  const isInUse = sql`(EXISTS (SELECT 1 FROM ${environment} WHERE ${environment.artifactId} = ${artifactId}) OR EXISTS (SELECT 1 FROM ${organization} WHERE ${organization.headArtifactId} = ${artifactId}))`;
  await commit(db, [
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
    db
      .update(artifact)
      .set({ number: null, note: null })
      .where(and(isOwn, sql`NOT ${isDeployed}`)),
    auditRowIf(ctx, scope, sql`changes() > 0`, {
      action: 'version.deleted',
      targetId: artifactId,
      detail: { number: version.number },
    }),
    db
      .delete(artifact)
      .where(
        and(
          eq(artifact.id, artifactId),
          eq(artifact.orgId, orgId),
          sql`${artifact.number} IS NULL`,
          sql`NOT ${isInUse}`,
        ),
      ),
  ]);
  const left = await findArtifact(db, scope, artifactId);
  if (left?.number == null) return;
  const running = await db.select({ name: environment.name }).from(environment).where(runsIt);
  throw new ApiError(
    'conflict',
    `Version ${version.number} is deployed to ${running.map(({ name }) => name).join(', ')} and cannot be deleted`,
  );
}
