/** Creates and deletes versions. Each refreshes versions, their diffs, and what every environment runs. */
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import { call } from '#web/api/call.ts';
import { invalidateResources, invalidateWorkspace } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';
import { sentence } from '#web/ui/format.ts';

/** Freezes the workspace as the next version, with a note, and resolves to it. Empty text is no note. */
export const useCreateVersion = (orgId: string) =>
  useChange((client) => invalidateWorkspace(client, orgId), {
    mutationFn: (note: string) => call(artifactEndpoints.create, { params: { orgId }, body: { note } }),
    meta: { errorTitle: 'Unable to Create Version' },
  });

export const useDeleteVersion = (orgId: string) =>
  useChange((client) => invalidateWorkspace(client, orgId), {
    mutationFn: (artifactId: string) => call(artifactEndpoints.remove, { params: { orgId, artifactId } }),
    meta: { errorTitle: 'Unable to Delete Version' },
  });

/** How long values are kept for customers who would lose them. */
export const KEPT_DAYS = 30;

/** Overrides what customers would lose by the version with what they have. */
export const useKeepValues = (orgId: string) =>
  useChange((client) => invalidateResources(client, orgId, ['customers']), {
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
  });
