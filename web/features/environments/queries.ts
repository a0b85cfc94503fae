/** What is read of environments, versions and deployments. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { apiKeyEndpoints } from '#contracts/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/artifacts';
import { environmentEndpoints } from '#contracts/environments';
import { organisationEndpoints } from '#contracts/organisations';
import { call } from '../../api/call.ts';
import { displayOf } from './deployment-display.ts';

/** How often the status is asked for while a deploy is pending (specification, section 9). */
export const DEPLOYMENT_POLL_MS = 2000;
const MEMBER_FRESH_MS = 300_000;

/** Waits until an organisation is selected. */
export const environmentsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'environments'],
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(environmentEndpoints.list, { params: { orgId } }, signal),
  });

export const environmentQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'environments', environmentId],
    queryFn: ({ signal }) => call(environmentEndpoints.get, { params: { orgId, environmentId } }, signal),
  });

/**
 * What every environment runs: the one reading behind the icon in the top bar, the tables and the poll, so that they
 * agree. Asked again every two seconds while a deploy is pending. Waits until an organisation is selected.
 */
export const deploymentStatusQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'deployments'],
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) =>
            call(deploymentEndpoints.status, { params: { orgId }, query: { previewOnly: 'false' } }, signal),
    refetchInterval: ({ state }) =>
      state.data?.environments.some((status) => displayOf(status) === 'deploying')
        ? DEPLOYMENT_POLL_MS
        : false,
  });

/** Newest first. */
export const artifactsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts'],
    queryFn: ({ signal }) => call(artifactEndpoints.list, { params: { orgId } }, signal),
  });

/** What changed in the workspace since the last version. Stale at once: it changes with every edit on other pages. */
export const lastDiffQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts', 'last-diff'],
    queryFn: ({ signal }) => call(artifactEndpoints.lastDiff, { params: { orgId } }, signal),
    staleTime: 0,
  });

/** What a version changed from an earlier one. Versions never change, so neither does what is between them. */
export const versionDiffQuery = (orgId: string, fromArtifactId: string, toArtifactId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts', 'diff', { fromArtifactId, toArtifactId }],
    queryFn: ({ signal }) =>
      call(artifactEndpoints.diff, { params: { orgId }, query: { fromArtifactId, toArtifactId } }, signal),
  });

/** What deploying `toArtifactId` to the environment would change there, as of now. */
export const deployDiffQuery = (orgId: string, environmentId: string, toArtifactId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts', 'diff', { environmentId, toArtifactId }],
    queryFn: ({ signal }) =>
      call(
        artifactEndpoints.diff,
        { params: { orgId }, query: { envId: environmentId, toArtifactId } },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
  });

/** Somebody of the organisation, or who was: names rarely change. */
export const memberQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'users', userId],
    queryFn: ({ signal }) => call(organisationEndpoints.getUser, { params: { orgId, userId } }, signal),
    staleTime: MEMBER_FRESH_MS,
  });

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'environments', environmentId, 'api-keys'],
    queryFn: ({ signal }) => call(apiKeyEndpoints.list, { params: { orgId, environmentId } }, signal),
  });
