/** Reads of artifacts' metadata. */
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Artifact } from '#contracts/console/artifacts';
import type { Db } from '#worker/db/database';
import { artifact } from '#worker/db/schema/artifacts';
import type { Scope } from '#worker/http/request-context';

export type ArtifactRow = typeof artifact.$inferSelect;

export async function findArtifact(
  db: Db,
  { orgId }: Scope,
  artifactId: string,
): Promise<ArtifactRow | null> {
  const [row] = await db
    .select()
    .from(artifact)
    .where(and(eq(artifact.id, artifactId), eq(artifact.orgId, orgId)));
  return row ?? null;
}

/** Numbered versions, newest first. */
export async function listVersions(db: Db, { orgId }: Scope): Promise<Artifact[]> {
  const rows = await db
    .select()
    .from(artifact)
    .where(and(eq(artifact.orgId, orgId), isNotNull(artifact.number)))
    .orderBy(desc(artifact.number));
  return rows.map(asVersion);
}

export async function findLastVersion(db: Db, { orgId }: Scope): Promise<ArtifactRow | null> {
  const [row] = await db
    .select()
    .from(artifact)
    .where(and(eq(artifact.orgId, orgId), isNotNull(artifact.number)))
    .orderBy(desc(artifact.number))
    .limit(1);
  return row ?? null;
}

export function asVersion(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    artifactId: row.id,
    artifactNumber: row.number ?? 0,
    createdAt: row.createdAt,
    createdByUserId: row.createdByUserId,
    note: row.note,
    hash: row.hash,
  };
}
