/** Confirms the deletion of a property: its effect, and the environments that still have it deployed. */
import { toast } from 'sonner';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { StillDeployed } from '#web/forms/still-deployed.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import classes from './features.module.css';
import { useDeleteProperty } from './mutations.ts';

export interface DeletePropertyDialogProps {
  readonly orgId: string;
  readonly feature: Feature;
  /** Null while closed. */
  readonly property: FeatureProperty | null;
  readonly onClose: () => void;
}

export function DeletePropertyDialog({ orgId, feature, property, onClose }: DeletePropertyDialogProps) {
  const remove = useDeleteProperty(orgId, feature.id);
  const named = useLastValue(property);
  const confirm = () => {
    if (property === null) return;
    remove.mutate(property.id, {
      onSuccess: () => {
        toast.success('Feature Properties Updated');
        onClose();
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={property !== null}
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
            Access checks stop answering <code>{`${feature.slug}.${named.propertyKey}`}</code> as soon as a
            version without it is deployed. Plans that configure it keep a reference to a removed property
            until it is removed from them. This action cannot be undone.
          </p>
          <StillDeployed
            orgId={orgId}
            item={property && { itemType: 'feature-property', itemId: property.id }}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
