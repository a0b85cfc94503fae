/** Creates and deletes versions. Each refreshes versions, their diffs, and what every environment runs. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import { call } from '#web/api/call.ts';
import { invalidateResources, invalidateWorkspace } from '#web/api/query-keys.ts';
import { toast } from '#web/toast.ts';
import { sentence } from '#web/ui/format.ts';

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

/** How long values are kept for customers who would lose them. */
export const KEPT_DAYS = 30;

/** Overrides what customers would lose by the version with what they have. */
export function useKeepValues(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ environmentId, toArtifactId }: { environmentId: string; toArtifactId: string }) =>
      call(impactEndpoints.keep, {
        params: { orgId, envId: environmentId },
        body: { toArtifactId, days: KEPT_DAYS },
      }),
    meta: { errorTitle: 'Unable to Keep Values' },
    onSuccess: ({ notKept }) => {
      if (notKept.length === 0) return;
      toast.warning('Some Values Were Not Kept', {
        description: sentence`The workspace has changed or deleted ${notKept.join(', ')} since.`,
      });
    },
    onSettled: () => invalidateResources(client, orgId, ['customers']),
  });
}
