/** The content of a version or of a head that is still kept, by the artifact's id. */
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { getContent } from '#worker/domains/snapshots/keep-artifact-content';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { findArtifact } from './artifact-store.ts';

/** Null if it no longer exists. */
export async function readVersionContent(
  { db, env }: Pick<RequestContext, 'db' | 'env'>,
  scope: Scope,
  artifactId: string,
): Promise<ArtifactContent | null> {
  const row = await findArtifact(db, scope, artifactId);
  return row === null ? null : getContent(env, scope, row.hash);
}
