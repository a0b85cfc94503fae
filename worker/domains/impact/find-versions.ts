/** The two versions of a comparison, and what an environment says about its customers besides them. */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { sidesOf } from '#worker/domains/artifacts/compare-versions';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

interface ComparedVersion {
  /** Null: the workspace, which is no version yet. */
  readonly number: number | null;
  readonly content: ArtifactContent;
}

export interface ComparedVersions {
  /** What is deployed; null: nothing. */
  readonly from: ComparedVersion | null;
  readonly to: ComparedVersion;
  readonly rules: EnvironmentSnapshot;
}

/** @param toArtifactId undefined: the workspace @throws {ApiError} not-found */
export async function findVersions(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  toArtifactId: string | undefined,
): Promise<ComparedVersions> {
  const [[from, to], rules] = await Promise.all([
    sidesOf(ctx, scope, { envId: environmentId, toArtifactId }),
    findRules(ctx, scope, environmentId),
  ]);
  if (to.content === null) throw notFound('The environment');
  return {
    from: from.content === null ? null : { number: from.row?.number ?? null, content: from.content },
    to: { number: to.row?.number ?? null, content: to.content },
    rules,
  };
}

/** @throws {ApiError} not-found: the organisation has no such environment, or it has not been published yet */
export async function findRules(
  { db, env, place, waitUntil }: RequestContext,
  { orgId }: Scope,
  environmentId: string,
): Promise<EnvironmentSnapshot> {
  const [ownId] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
  const loaded = ownId === undefined ? null : await snapshotCacheOf(env).get(ownId, place, waitUntil);
  if (loaded === null) throw notFound('The environment');
  return loaded.snapshot;
}
