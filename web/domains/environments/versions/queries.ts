/** Queries of versions and of the differences between them. */
import { queryOptions } from '@tanstack/react-query';
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import { nameEndpoints } from '#contracts/console/names';
import type { PlanProperties } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Newest first. */
export const artifactsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.artifacts(orgId),
    queryFn: ({ signal }) => call(artifactEndpoints.list, { params: { orgId } }, signal),
  });

/** Compares the workspace with the last version. Edits on other pages make it stale (`invalidateWorkspace`). */
export const lastDiffQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.lastDiff(orgId),
    queryFn: ({ signal }) => call(artifactEndpoints.lastDiff, { params: { orgId } }, signal),
  });

/** Names of the last version that workflows use and the workspace no longer has. */
export const lostNamesQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.lostNames(orgId),
    queryFn: ({ signal }) => call(nameEndpoints.lost, { params: { orgId } }, signal),
  });

/** What changed between two versions. Versions are immutable, and so is the result. */
export const versionDiffQuery = (orgId: string, fromArtifactId: string, toArtifactId: string) =>
  queryOptions({
    queryKey: queryKeys.versionDiff(orgId, fromArtifactId, toArtifactId),
    queryFn: ({ signal }) =>
      call(artifactEndpoints.diff, { params: { orgId }, query: { fromArtifactId, toArtifactId } }, signal),
  });

/** From what the environment runs now to a version, or to the workspace. Never cached. */
export const environmentDiffQuery = (orgId: string, environmentId: string, toArtifactId?: string) =>
  queryOptions({
    queryKey: queryKeys.environmentDiff(orgId, environmentId, toArtifactId ?? null),
    queryFn: ({ signal }) =>
      call(
        artifactEndpoints.diff,
        {
          params: { orgId },
          query: { envId: environmentId, ...(toArtifactId === undefined ? {} : { toArtifactId }) },
        },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
  });

/** What known customers would gain and lose by a version in the environment. Never cached. @param toArtifactId null: the workspace */
export const impactQuery = (orgId: string, environmentId: string, toArtifactId: string | null) =>
  queryOptions({
    queryKey: queryKeys.impact(orgId, environmentId, toArtifactId),
    queryFn: ({ signal }) =>
      call(
        impactEndpoints.read,
        {
          params: { orgId, envId: environmentId },
          query: toArtifactId === null ? {} : { toArtifactId },
        },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
  });

/** What changed workflows would decide differently in recorded checks. Never cached, and takes seconds. @param toArtifactId null: the workspace */
export const replayQuery = (orgId: string, environmentId: string, toArtifactId: string | null) =>
  queryOptions({
    queryKey: queryKeys.replay(orgId, environmentId, toArtifactId),
    queryFn: ({ signal }) =>
      call(
        impactEndpoints.replay,
        {
          params: { orgId, envId: environmentId },
          query: toArtifactId === null ? {} : { toArtifactId },
        },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** What known customers would gain and lose by a plan's unsaved values. Never cached. */
export const planImpactQuery = (
  orgId: string,
  environmentId: string,
  planId: string,
  properties: PlanProperties,
) =>
  queryOptions({
    queryKey: queryKeys.planImpact(orgId, environmentId, planId, properties),
    queryFn: ({ signal }) =>
      call(
        impactEndpoints.readPlan,
        { params: { orgId, envId: environmentId, planId }, body: { properties } },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
  });
