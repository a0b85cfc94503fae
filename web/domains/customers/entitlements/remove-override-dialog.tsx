/** Confirms the removal of an override: its terms are lost, and access checks return the plans' value again. */
import type { CustomerOverride } from '#contracts/console/customers';
import { now } from '#web/clock.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { sentence } from '#web/ui/format.ts';
import type { EntryFor } from '../manual/manual-entries.ts';
import { useRemoveOverride } from '../mutations.ts';

/** An override with its property's name: 'Exports › Per month'. */
export type NamedOverride = EntryFor<CustomerOverride> & { readonly name: string };

export interface RemoveOverrideDialogProps {
  /** Null while closed. */
  readonly override: NamedOverride | null;
  readonly onClose: () => void;
  readonly onRemoved?: (override: NamedOverride) => void;
}

export function RemoveOverrideDialog({ override, onClose, onRemoved }: RemoveOverrideDialogProps) {
  const orgId = useOrgId();
  const remove = useRemoveOverride(orgId);
  const shown = useLastValue(override);
  const hasEnded = shown !== null && shown.until !== null && shown.until <= now();
  return (
    <ConfirmDialog
      isOpen={override !== null}
      onClose={onClose}
      title={sentence`Remove the override of ${shown?.name ?? ''}?`}
      confirmLabel="Remove override"
      isBusy={remove.isPending}
      onConfirm={() => {
        if (override === null) return;
        remove.mutate(override, {
          onSuccess: () => {
            toast.success('Override removed', { description: sentence`${override.name} · ${override.of}` });
            onRemoved?.(override);
          },
          onSettled: onClose,
        });
      }}
    >
      {hasEnded
        ? 'It has ended, so access checks stay the same.'
        : `Access checks for ${shown?.of} immediately return what their plans set, or the default.`}
    </ConfirmDialog>
  );
}
