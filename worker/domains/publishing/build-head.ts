/**
 * Builds the head: the artifact of the current workspace, deployed to the preview environment. Idempotent, and safe when
 * an older workspace is built after a newer one.
 */
import { and, eq, isNull, ne, notInArray, sql } from 'drizzle-orm';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { sha256Hex } from '#runtime/hash';
import type { EnvironmentChanged } from '#runtime/messages';
import { commit } from '#worker/db/database';
import { listEnvironmentIds, livePreview } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { putContent } from '#worker/domains/snapshots/keep-artifact-content';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { outboxRow } from '#worker/queue/outbox';
import { readWorkspace } from './reads.ts';

export interface Head {
  readonly artifactId: string;
  readonly content: ArtifactContent;
  /** To be published: the preview environment with this head. Null where nothing had to be built. */
  readonly message: EnvironmentChanged | null;
}

/** @returns null without such an organisation */
export async function buildHead(ctx: WorkContext, scope: Scope): Promise<Head | null> {
  const { env, db, now } = ctx;
  const state = await readWorkspace(db, scope);
  if (state === null) return null;

  const content = compileArtifact(state.workspace);
  if (state.headArtifactId !== null && state.headRevision >= state.revision) {
    return { artifactId: state.headArtifactId, content, message: null };
  }
  const text = canonicalJson(content);
  const hash = await sha256Hex(text);

  await putContent(env, scope, hash, text);
  const [previewId] = await listEnvironmentIds(db, livePreview(scope.orgId));
  const message: EnvironmentChanged | null =
    previewId === undefined
      ? null
      : {
          type: 'environment.changed',
          outboxId: ctx.newId('out'),
          orgId: scope.orgId,
          environmentId: previewId,
        };

  await commit(db, [
    ...headStatements(ctx, scope, { hash, revision: state.revision }),
    ...(message === null ? [] : [outboxRow(db, message, now)]),
  ]);
  const [head] = await db
    .select({ id: artifact.id })
    .from(artifact)
    .where(and(eq(artifact.orgId, scope.orgId), eq(artifact.hash, hash)));
  if (head === undefined) return buildHead(ctx, scope); // deleted by a newer build
  return { artifactId: head.id, content, message };
}

function headStatements(
  { db, now, newId }: WorkContext,
  { orgId }: Scope,
  { hash, revision }: { hash: string; revision: number },
) {
  const artifactOfHash = sql`(SELECT ${artifact.id} FROM ${artifact} WHERE ${artifact.orgId} = ${orgId} AND ${artifact.hash} = ${hash})`;
  const headOfOrganisation = sql`(SELECT ${organization.headArtifactId} FROM ${organization} WHERE ${organization.id} = ${orgId})`;
  return [
    db
      .insert(artifact)
      .values({ id: newId('art'), orgId, hash, createdAt: now, createdByUserId: null })
      .onConflictDoNothing(),
    db
      .update(organization)
      .set({ headArtifactId: artifactOfHash, headRevision: revision })
      .where(and(eq(organization.id, orgId), sql`${organization.headRevision} < ${revision}`)),
    db
      .update(environment)
      .set({
        artifactId: headOfOrganisation,
        generation: sql`${environment.generation} + 1`,
        deployGeneration: sql`${environment.generation} + 1`,
        lastDeployedAt: now,
      })
      .where(and(livePreview(orgId), sql`${environment.artifactId} IS NOT ${headOfOrganisation}`)),
    // Delete earlier heads that were never frozen and run nowhere.
    db.delete(artifact).where(
      and(
        eq(artifact.orgId, orgId),
        isNull(artifact.number),
        ne(artifact.id, headOfOrganisation),
        notInArray(
          artifact.id,
          sql`(SELECT ${environment.artifactId} FROM ${environment} WHERE ${environment.orgId} = ${orgId}
              AND ${environment.artifactId} IS NOT NULL)`,
        ),
      ),
    ),
  ];
}
