/** 'Create New Version': gives the current workspace the organisation's next version number. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Artifact, createVersionSchema } from '#contracts/console/artifacts';
import { MAX_METERED_PROPERTIES } from '#contracts/console/features';
import { formatLimit } from '#contracts/public/format-limit';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { diffArtifacts } from '#engine/artifacts/diff-artifacts';
import { sendMessage } from '#runtime/send-message';
import { listEnvironmentIds, livePreview } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { organization } from '#worker/db/schema/organisations';
import { buildHead } from '#worker/domains/publishing/build-head';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { getContent } from '#worker/domains/snapshots/keep-artifact-content';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { asVersion, findArtifact, findLastVersion } from './artifact-store.ts';

/** @throws {ApiError} conflict where the workspace is a version already, differs in nothing from the last one, or has too many meters */
export async function freezeVersion(
  ctx: RequestContext,
  scope: MemberScope,
  { note = null }: z.output<typeof createVersionSchema> = {},
): Promise<Artifact> {
  const { db, env } = ctx;
  const [head, last] = await Promise.all([buildHead(ctx, scope), findLastVersion(db, scope)]);
  if (head === null) throw notFound('The organisation');
  if (head.message !== null) ctx.waitUntil(sendMessage(env, head.message));
  const [current, lastContent] = await Promise.all([
    findArtifact(db, scope, head.artifactId),
    last === null ? null : getContent(env, scope, last.hash),
  ]);
  if (current?.number)
    throw new ApiError('conflict', `The workspace has no changes since version ${current.number}`);
  if (diffArtifacts(lastContent, head.content).length === 0) {
    throw new ApiError('conflict', 'The workspace has no changes to freeze');
  }
  refuseTooManyMeters(head.content);

  const isUnnumbered = sql`EXISTS (SELECT 1 FROM ${artifact} WHERE ${artifact.id} = ${head.artifactId} AND ${artifact.number} IS NULL)`;
  const previewIds = await listEnvironmentIds(db, livePreview(scope.orgId));
  const { results } = await change(ctx, scope, {
    when: {
      isUnnumbered: [
        isUnnumbered,
        () => new ApiError('conflict', 'Someone else just created a version of this workspace'),
      ],
    },
    write: [
      db
        .update(organization)
        .set({ lastArtifactNumber: sql`${organization.lastArtifactNumber} + 1` })
        .where(eq(organization.id, scope.orgId)),
      db
        .update(artifact)
        .set({
          number: sql`(SELECT ${organization.lastArtifactNumber} FROM ${organization} WHERE ${organization.id} = ${scope.orgId})`,
          createdAt: ctx.now,
          createdByUserId: scope.actor.userId,
          note,
        })
        .where(and(eq(artifact.id, head.artifactId), eq(artifact.orgId, scope.orgId)))
        .returning(),
    ],
    audit: { action: 'version.created', targetId: head.artifactId, detail: { note } },
    // The preview environment runs the head: its replicas must learn the number.
    publish: [environmentsOf(scope, ...previewIds)],
  });
  const [frozen] = results[1];
  if (frozen === undefined) throw notFound('The version');
  return asVersion(frozen);
}

/** Workspaces of earlier releases may have more. What is deployed of them stays. */
function refuseTooManyMeters({ features }: ArtifactContent): void {
  const meters = features.flatMap(({ slug, properties }) =>
    properties.filter(({ type }) => type === 'meterable').map(({ key }) => `${slug}.${key}`),
  );
  const first = meters[MAX_METERED_PROPERTIES];
  if (first === undefined) return;
  throw new ApiError(
    'conflict',
    `A version can have at most ${formatLimit(MAX_METERED_PROPERTIES)} metered properties. The workspace has ${formatLimit(meters.length)}: delete "${first}" or others first.`,
  );
}
