/** Confirms the removal of a member or the cancellation of an invitation, and names the consequences. */
import type { TeamRow } from '#contracts/console/organisations';
import { useOrgId } from '#web/session/organisation.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { useCancelInvitation, useRemoveMember } from './mutations.ts';

export interface EndDialogProps {
  readonly organisationName: string;
  readonly row: TeamRow;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function EndDialog({ organisationName, row, isOpen, onClose }: EndDialogProps) {
  const orgId = useOrgId();
  const remove = useRemoveMember(orgId);
  const cancel = useCancelInvitation(orgId);
  const shared = { isOpen, onClose, isBusy: remove.isPending || cancel.isPending };
  if (row.type === 'member') {
    return (
      <ConfirmDialog
        {...shared}
        title="Delete team member?"
        confirmLabel={sentence`Delete ${row.name ?? row.email}`}
        onConfirm={() => remove.mutate(row.id, { onSettled: onClose })}
      >
        <strong>{row.email}</strong> immediately loses access to <bdi>{organisationName}</bdi>. Features,
        plans, versions and API keys they created keep working.
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...shared}
      title="Cancel the invitation?"
      confirmLabel="Cancel invitation"
      dismissLabel="Keep it"
      onConfirm={() => cancel.mutate(row.id, { onSettled: onClose })}
    >
      <strong>{row.email}</strong> can no longer use it to join <bdi>{organisationName}</bdi>. You can send
      another one at any time.
    </ConfirmDialog>
  );
}
