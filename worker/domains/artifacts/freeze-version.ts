/** 'Create New Version': freezes the workspace as it stands under the organisation's next number. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Artifact } from '#contracts/artifacts';
import { diffArtifacts } from '#engine/artifacts/diff-artifacts';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getContent } from './artifact-content-store.ts';
import { asVersion, findArtifact, findLastVersion } from './artifact-store.ts';
import { buildHead } from './build-head.ts';
import { environmentChange } from './workspace-change.ts';

/** @throws {ApiError} conflict where the workspace is a version already, or differs in nothing from the last one */
export async function freezeVersion(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
): Promise<Artifact> {
  const { db, env } = ctx;
  const [head, last] = await Promise.all([buildHead(env, db, scope, ctx.now), findLastVersion(db, scope)]);
  if (head === null) throw notFound('The organisation');
  const [standing, lastContent] = await Promise.all([
    findArtifact(db, scope, head.artifactId),
    last === null ? null : getContent(env, scope, last.hash),
  ]);
  if (standing?.number)
    throw new ApiError('conflict', `The workspace is up to date: it is version ${standing.number}`);
  if (diffArtifacts(lastContent, head.content).length === 0) {
    throw new ApiError('conflict', 'There is nothing to freeze: the workspace has no changes');
  }

  const isUnnumbered = sql`EXISTS (SELECT 1 FROM ${artifact} WHERE ${artifact.id} = ${head.artifactId} AND ${artifact.number} IS NULL)`;
  const previews = await db
    .select({ id: environment.id })
    .from(environment)
    .where(
      and(eq(environment.orgId, scope.orgId), eq(environment.type, 'preview'), isNull(environment.deletedAt)),
    );
  // The preview environment runs the head: its replicas must learn the number.
  const changes = previews.map(({ id }) => environmentChange(ctx, scope, id));
  const results = await commit(db, [
    db
      .update(organization)
      .set({ lastArtifactNumber: sql`${organization.lastArtifactNumber} + 1` })
      .where(and(eq(organization.id, scope.orgId), isUnnumbered)),
    db
      .update(artifact)
      .set({
        number: sql`(SELECT ${organization.lastArtifactNumber} FROM ${organization} WHERE ${organization.id} = ${scope.orgId})`,
        createdAt: ctx.now,
        createdByUserId: userId,
      })
      .where(and(eq(artifact.id, head.artifactId), eq(artifact.orgId, scope.orgId), isNull(artifact.number)))
      .returning(),
    auditRowIf(ctx, sql`changes() > 0`, {
      orgId: scope.orgId,
      actorUserId: userId,
      action: 'version.created',
      targetId: head.artifactId,
    }),
    ...changes.flatMap((change) => change.statements),
  ]);
  for (const change of changes) change.announce();
  const [frozen] = results[1] as (typeof artifact.$inferSelect)[];
  if (frozen === undefined) {
    throw new ApiError('conflict', 'Somebody else created a version of this workspace just now');
  }
  return asVersion(frozen);
}
