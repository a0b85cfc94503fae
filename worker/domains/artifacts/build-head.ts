/**
 * Makes the head: the artifact of the workspace as it stands, deployed to the preview environment. Building twice, or
 * an older workspace after a newer one, changes nothing.
 */
import { and, eq, isNull, ne, notInArray, sql } from 'drizzle-orm';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { commit, type Db } from '#worker/db/database';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Env } from '#worker/env';
import type { Scope } from '#worker/http/request-context';
import { sha256Hex } from '#worker/platform/hash';
import { newId } from '#worker/platform/ids';
import type { EnvironmentChanged } from '#worker/queue/messages';
import { outboxRow } from '#worker/queue/outbox';
import { putContent } from './artifact-content-store.ts';
import { readWorkspace } from './workspace-store.ts';

export interface Head {
  readonly artifactId: string;
  readonly content: ArtifactContent;
  /** To be published: the preview environment with this head. Null where nothing had to be built. */
  readonly message: EnvironmentChanged | null;
}

/** @returns null without such an organisation */
export async function buildHead(env: Env, db: Db, scope: Scope, now: number): Promise<Head | null> {
  const state = await readWorkspace(db, scope);
  if (state === null) return null;

  const content = compileArtifact(state.workspace);
  if (state.headArtifactId !== null && state.headRevision >= state.revision) {
    return { artifactId: state.headArtifactId, content, message: null };
  }
  const text = canonicalJson(content);
  const hash = await sha256Hex(text);

  await putContent(env, scope, hash, text);
  const [preview] = await db
    .select({ id: environment.id })
    .from(environment)
    .where(
      and(eq(environment.orgId, scope.orgId), eq(environment.type, 'preview'), isNull(environment.deletedAt)),
    );
  const message: EnvironmentChanged | null =
    preview === undefined
      ? null
      : {
          type: 'environment.changed',
          outboxId: newId('out', now),
          orgId: scope.orgId,
          environmentId: preview.id,
        };

  await commit(db, [
    ...headStatements(db, scope, { hash, revision: state.revision, now }),
    ...(message === null ? [] : [outboxRow(db, message, now)]),
  ]);
  const [head] = await db
    .select({ id: artifact.id })
    .from(artifact)
    .where(and(eq(artifact.orgId, scope.orgId), eq(artifact.hash, hash)));
  if (head === undefined) return buildHead(env, db, scope, now); // overtaken and swept away by a newer build
  return { artifactId: head.id, content, message };
}

function headStatements(
  db: Db,
  { orgId }: Scope,
  { hash, revision, now }: { hash: string; revision: number; now: number },
) {
  const artifactOfHash = sql`(SELECT ${artifact.id} FROM ${artifact} WHERE ${artifact.orgId} = ${orgId} AND ${artifact.hash} = ${hash})`;
  const headOfOrganisation = sql`(SELECT ${organization.headArtifactId} FROM ${organization} WHERE ${organization.id} = ${orgId})`;
  return [
    db
      .insert(artifact)
      .values({ id: newId('art', now), orgId, hash, createdAt: now, createdByUserId: null })
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
      .where(
        and(
          eq(environment.orgId, orgId),
          eq(environment.type, 'preview'),
          isNull(environment.deletedAt),
          sql`${environment.artifactId} IS NOT ${headOfOrganisation}`,
        ),
      ),
    // Heads of the past that were never frozen and run nowhere are of no more use.
    db
      .delete(artifact)
      .where(
        and(
          eq(artifact.orgId, orgId),
          isNull(artifact.number),
          ne(artifact.id, headOfOrganisation),
          notInArray(
            artifact.id,
            sql`(SELECT ${environment.artifactId} FROM ${environment} WHERE ${environment.orgId} = ${orgId} AND ${environment.artifactId} IS NOT NULL)`,
          ),
        ),
      ),
  ];
}
