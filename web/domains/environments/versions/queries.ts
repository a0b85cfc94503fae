/** Queries of versions and of the differences between them. */
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import type { PlanProperties } from '#contracts/console/plans';
import { endpointQuery } from '#web/api/endpoint-query.ts';

const UNCACHED = { staleTime: 0, gcTime: 0 };

/** Newest first. */
export const artifactsQuery = (orgId: string) => endpointQuery(artifactEndpoints.list, { orgId });

/** Compares the workspace with the last version. */
export const lastDiffQuery = (orgId: string) => endpointQuery(artifactEndpoints.lastDiff, { orgId });

/** What changed between two versions. Versions are immutable, and so is the result. */
export const versionDiffQuery = (orgId: string, fromArtifactId: string, toArtifactId: string) =>
  endpointQuery(artifactEndpoints.diff, { orgId }, { query: { fromArtifactId, toArtifactId } });

const toVersion = (toArtifactId: string | null) => (toArtifactId === null ? {} : { toArtifactId });

/** From what the environment runs now to a version, or to the workspace. Never cached. */
export const environmentDiffQuery = (orgId: string, envId: string, toArtifactId: string | null = null) =>
  endpointQuery(
    artifactEndpoints.diff,
    { orgId },
    { query: { envId, ...toVersion(toArtifactId) }, ...UNCACHED },
  );

/** What known customers would gain and lose by a version in the environment. Never cached. @param toArtifactId null: the workspace */
export const impactQuery = (orgId: string, envId: string, toArtifactId: string | null) =>
  endpointQuery(impactEndpoints.read, { orgId, envId }, { query: toVersion(toArtifactId), ...UNCACHED });

/** What changed workflows would decide differently in recorded checks. Never cached, and takes seconds. @param toArtifactId null: the workspace */
export const replayQuery = (orgId: string, envId: string, toArtifactId: string | null) =>
  endpointQuery(
    impactEndpoints.replay,
    { orgId, envId },
    { query: toVersion(toArtifactId), ...UNCACHED, refetchOnWindowFocus: false },
  );

/** What known customers would gain and lose by a plan's unsaved values. Never cached. */
export const planImpactQuery = (orgId: string, envId: string, planId: string, properties: PlanProperties) =>
  endpointQuery(impactEndpoints.readPlan, { orgId, envId, planId }, { body: { properties }, ...UNCACHED });
