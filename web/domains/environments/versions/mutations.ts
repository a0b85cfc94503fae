/** Creates and deletes versions. Each refreshes versions, their diffs, and what every environment runs. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { artifactEndpoints } from '#contracts/console/artifacts';
import { call } from '#web/api/call.ts';
import { invalidateWorkspace } from '#web/api/query-keys.ts';

/** Freezes the workspace as the next version, with a note, and resolves to it. Empty text is no note. */
export function useCreateVersion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => call(artifactEndpoints.create, { params: { orgId }, body: { note } }),
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
