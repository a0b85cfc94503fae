/** Changes of environments, versions, deployments and keys, and what each of these makes stale. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKeyType, apiKeyEndpoints } from '#contracts/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/artifacts';
import type { BodyInputOf } from '#contracts/endpoint';
import { environmentEndpoints } from '#contracts/environments';
import { call } from '../../api/call.ts';

/** Lists and pages of environments, and what each of them runs. */
const refreshEnvironments = (client: QueryClient, orgId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ['org', orgId, 'environments'] }),
    client.invalidateQueries({ queryKey: ['org', orgId, 'deployments'] }),
  ]);

/** Versions, every comparison of them, and what environments run. */
const refreshVersions = (client: QueryClient, orgId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ['org', orgId, 'artifacts'] }),
    refreshEnvironments(client, orgId),
  ]);

export function useCreateEnvironment(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof environmentEndpoints.create>) =>
      call(environmentEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: () => refreshEnvironments(client, orgId),
  });
}

export function useUpdateEnvironment(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof environmentEndpoints.update>) =>
      call(environmentEndpoints.update, { params: { orgId, environmentId }, body }),
    meta: { isErrorShown: true },
    onSuccess: () => refreshEnvironments(client, orgId),
  });
}

export function useDeleteEnvironment(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (environmentId: string) =>
      call(environmentEndpoints.remove, { params: { orgId, environmentId } }),
    // Its own page is being left: what is asked for there would not be found.
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['org', orgId, 'environments'], exact: true }),
        client.invalidateQueries({ queryKey: ['org', orgId, 'deployments'] }),
      ]),
  });
}

/** Freezes the workspace under the next number; answers the version. */
export function useCreateVersion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(artifactEndpoints.create, { params: { orgId } }),
    meta: { errorTitle: 'Unable to Create Version' },
    onSettled: () => refreshVersions(client, orgId),
  });
}

export function useDeleteVersion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (artifactId: string) => call(artifactEndpoints.remove, { params: { orgId, artifactId } }),
    meta: { errorTitle: 'Unable to Delete Version' },
    onSettled: () => refreshVersions(client, orgId),
  });
}

export interface Deployment {
  readonly envId: string;
  readonly artifactId: string;
  /** What the user saw running there: where something else runs by now, the answer is a conflict. */
  readonly fromArtifactId: string | null;
}

export function useDeploy(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ envId, ...body }: Deployment) =>
      call(deploymentEndpoints.deploy, { params: { orgId, envId }, body }),
    meta: { errorTitle: 'Unable to Deploy' },
    onSettled: () => refreshVersions(client, orgId),
  });
}

/** Answers the key, in full. */
export function useCreateKey(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (type: ApiKeyType) =>
      call(apiKeyEndpoints.create, { params: { orgId }, body: { environmentId, type } }),
    onSettled: () => refreshKeys(client, orgId, environmentId),
    gcTime: 0, // The answer holds the key: it is not kept.
  });
}

/** Answers the key, in full. That it was shown is on record. */
export function useRevealKey(orgId: string) {
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeyEndpoints.reveal, { params: { orgId, keyId } }),
    gcTime: 0, // As above.
  });
}

export function useRevokeKey(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeyEndpoints.remove, { params: { orgId, keyId } }),
    onSettled: () => refreshKeys(client, orgId, environmentId),
  });
}

const refreshKeys = (client: QueryClient, orgId: string, environmentId: string) =>
  client.invalidateQueries({ queryKey: ['org', orgId, 'environments', environmentId, 'api-keys'] });
