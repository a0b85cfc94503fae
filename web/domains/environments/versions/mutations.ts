/** Creates and deletes versions, and keeps what customers have. */
import { artifactEndpoints } from '#contracts/console/artifacts';
import { impactEndpoints } from '#contracts/console/impact';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';
import { sentence } from '#web/ui/format.ts';

/** Freezes the workspace as the next version, with a note, and resolves to it. Empty text is no note. */
export const useCreateVersion = (orgId: string) =>
  useChange(artifactEndpoints.create, (note: string) => ({ params: { orgId }, body: { note } }), {
    errorTitle: 'Unable to Create Version',
  });

export const useDeleteVersion = (orgId: string) =>
  useChange(artifactEndpoints.remove, (artifactId: string) => ({ params: { orgId, artifactId } }), {
    errorTitle: 'Unable to Delete Version',
  });

/** How long values are kept for customers who would lose them. */
export const KEPT_DAYS = 30;

/** Overrides what customers would lose by the version with what they have. */
export const useKeepValues = (orgId: string) =>
  useChange(
    impactEndpoints.keep,
    ({ environmentId: envId, toArtifactId }: { environmentId: string; toArtifactId: string }) => ({
      params: { orgId, envId },
      body: { toArtifactId, days: KEPT_DAYS },
    }),
    {
      errorTitle: 'Unable to Keep Values',
      onSuccess: ({ notKept }) => {
        if (notKept.length === 0) return;
        toast.warning('Some Values Were Not Kept', {
          description: sentence`The workspace has changed or deleted ${notKept.join(', ')} since.`,
        });
      },
    },
  );
