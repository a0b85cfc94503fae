/** Queries of versions and of the differences between them. */
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import { nameEndpoints } from '#contracts/console/names';
import type { PlanProperties } from '#contracts/console/plans';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Newest first. */
export const artifactsQuery = (orgId: string) =>
  callQuery(queryKeys.artifacts(orgId), artifactEndpoints.list, { params: { orgId } });

/** Compares the workspace with the last version. Edits on other pages make it stale (`invalidateWorkspace`). */
export const lastDiffQuery = (orgId: string) =>
  callQuery(queryKeys.lastDiff(orgId), artifactEndpoints.lastDiff, { params: { orgId } });

/** Names of the last version that workflows use and the workspace no longer has. */
export const lostNamesQuery = (orgId: string) =>
  callQuery(queryKeys.lostNames(orgId), nameEndpoints.lost, { params: { orgId } });

/** What changed between two versions. Versions are immutable, and so is the result. */
export const versionDiffQuery = (orgId: string, fromArtifactId: string, toArtifactId: string) =>
  callQuery(queryKeys.versionDiff(orgId, fromArtifactId, toArtifactId), artifactEndpoints.diff, {
    params: { orgId },
    query: { fromArtifactId, toArtifactId },
  });

/** From what the environment runs now to a version, or to the workspace. Never cached. */
export const environmentDiffQuery = (orgId: string, environmentId: string, toArtifactId?: string) =>
  callQuery(
    queryKeys.environmentDiff(orgId, environmentId, toArtifactId ?? null),
    artifactEndpoints.diff,
    {
      params: { orgId },
      query: { envId: environmentId, ...(toArtifactId === undefined ? {} : { toArtifactId }) },
    },
    { staleTime: 0, gcTime: 0 },
  );

/** What known customers would gain and lose by a version in the environment. Never cached. @param toArtifactId null: the workspace */
export const impactQuery = (orgId: string, environmentId: string, toArtifactId: string | null) =>
  callQuery(
    queryKeys.impact(orgId, environmentId, toArtifactId),
    impactEndpoints.read,
    {
      params: { orgId, envId: environmentId },
      query: toArtifactId === null ? {} : { toArtifactId },
    },
    { staleTime: 0, gcTime: 0 },
  );

/** What changed workflows would decide differently in recorded checks. Never cached, and takes seconds. @param toArtifactId null: the workspace */
export const replayQuery = (orgId: string, environmentId: string, toArtifactId: string | null) =>
  callQuery(
    queryKeys.replay(orgId, environmentId, toArtifactId),
    impactEndpoints.replay,
    {
      params: { orgId, envId: environmentId },
      query: toArtifactId === null ? {} : { toArtifactId },
    },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  );

/** What known customers would gain and lose by a plan's unsaved values. Never cached. */
export const planImpactQuery = (
  orgId: string,
  environmentId: string,
  planId: string,
  properties: PlanProperties,
) =>
  callQuery(
    queryKeys.planImpact(orgId, environmentId, planId, properties),
    impactEndpoints.readPlan,
    { params: { orgId, envId: environmentId, planId }, body: { properties } },
    { staleTime: 0, gcTime: 0 },
  );
