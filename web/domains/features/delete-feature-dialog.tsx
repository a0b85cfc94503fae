/** Confirms the deletion of a feature: its effect, and the environments that still have it deployed. */
import { toast } from 'sonner';
import type { Feature } from '#contracts/console/features';
import { StillDeployed } from '#web/forms/still-deployed.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import classes from './features.module.css';
import { useDeleteFeature } from './mutations.ts';

export interface DeleteFeatureDialogProps {
  readonly orgId: string;
  /** Null while closed. */
  readonly feature: Feature | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeleteFeatureDialog({ orgId, feature, onClose, onDeleted }: DeleteFeatureDialogProps) {
  const remove = useDeleteFeature(orgId);
  const named = useLastValue(feature);
  const confirm = () => {
    if (feature === null) return;
    remove.mutate(feature, {
      onSuccess: () => {
        toast.success('Feature deleted', {
          description: `${feature.name} is no longer part of the workspace.`,
        });
        onClose();
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={feature !== null}
      onClose={onClose}
      title={`Delete ${named?.name ?? ''}?`}
      confirmLabel={`Delete ${named?.name ?? ''}`}
      onConfirm={confirm}
      isBusy={remove.isPending}
      size={480}
    >
      {named !== null && (
        <>
          <p className={`flush ${classes.consequence}`}>
            Access checks stop answering <code>{named.slug}</code>
            {propertiesOf(named)} as soon as a version without it is deployed. Plans that configure it show it
            as a missing feature until its properties are removed from them. This action cannot be undone.
          </p>
          <StillDeployed orgId={orgId} item={feature && { itemType: 'feature', itemId: feature.id }} />
        </>
      )}
    </ConfirmDialog>
  );
}

function propertiesOf({ properties }: Feature): string {
  if (properties.length === 0) return '';
  return properties.length === 1 ? ' and its property' : ` and its ${properties.length} properties`;
}
