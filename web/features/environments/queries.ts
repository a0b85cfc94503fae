/** What is read of environments, versions and deployments. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { apiKeyEndpoints } from '#contracts/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/artifacts';
import { environmentEndpoints } from '#contracts/environments';
import { call } from '../../api/call.ts';
import { displayOf } from './deployment-display.ts';

/** How often the status is asked for while a deploy is pending (specification, section 9). */
export const DEPLOYMENT_POLL_MS = 2000;

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

/** What changed in the workspace since the last version. */
export const lastDiffQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts', 'last-diff'],
    queryFn: ({ signal }) => call(artifactEndpoints.lastDiff, { params: { orgId } }, signal),
  });

/** What deploying `toArtifactId` to the environment would change there. */
export const deployDiffQuery = (orgId: string, environmentId: string, toArtifactId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'artifacts', 'diff', environmentId, toArtifactId],
    queryFn: ({ signal }) =>
      call(
        artifactEndpoints.diff,
        { params: { orgId }, query: { envId: environmentId, toArtifactId } },
        signal,
      ),
  });

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'environments', environmentId, 'api-keys'],
    queryFn: ({ signal }) => call(apiKeyEndpoints.list, { params: { orgId, environmentId } }, signal),
  });
