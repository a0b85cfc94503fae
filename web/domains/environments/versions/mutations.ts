/** Creates, deletes and deploys versions. Each refreshes versions, their diffs, and what every environment runs. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { call } from '#web/api/call.ts';
import { invalidateWorkspace } from '#web/api/query-keys.ts';

/** Freezes the workspace as the next version, and resolves to it. */
export function useCreateVersion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(artifactEndpoints.create, { params: { orgId } }),
    meta: { errorTitle: 'Unable to Create Version' },
    onSettled: () => invalidateWorkspace(client, orgId),
  });
}

export function useDeleteVersion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (artifactId: string) => call(artifactEndpoints.remove, { params: { orgId, artifactId } }),
    meta: { errorTitle: 'Unable to Delete Version' },
    onSettled: () => invalidateWorkspace(client, orgId),
  });
}

export interface Deployment {
  readonly envId: string;
  readonly artifactId: string;
  /** The version that the user saw running. The server answers with a conflict if another one runs by now. */
  readonly fromArtifactId: string | null;
}

export function useDeploy(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ envId, ...body }: Deployment) =>
      call(deploymentEndpoints.deploy, { params: { orgId, envId }, body }),
    meta: { errorTitle: 'Unable to Deploy' },
    onSettled: () => invalidateWorkspace(client, orgId),
  });
}
