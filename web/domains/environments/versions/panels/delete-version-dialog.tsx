/** Confirms the deletion of a version that no environment runs. */
import type { Artifact } from '#contracts/console/artifacts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { useDeleteVersion } from '../mutations.ts';

export interface DeleteVersionDialogProps {
  /** Null while the dialog is closed. */
  readonly version: Artifact | null;
  readonly onClose: () => void;
}

export function DeleteVersionDialog({ version, onClose }: DeleteVersionDialogProps) {
  const orgId = useOrgId();
  const remove = useDeleteVersion(orgId);
  const shown = useLastValue(version);
  const name = `version ${shown?.artifactNumber ?? ''}`;
  return (
    <ConfirmDialog
      isOpen={version !== null}
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel={`Delete ${name}`}
      isBusy={remove.isPending}
      onConfirm={() => {
        if (version === null) return;
        remove.mutate(version.artifactId, {
          onSuccess: () => toast.success(`Version ${version.artifactNumber} deleted`),
          onSettled: onClose,
        });
      }}
    >
      No live or test environment runs it, so access checks don’t change. You can no longer deploy it or roll
      back to it. This cannot be undone.
    </ConfirmDialog>
  );
}
