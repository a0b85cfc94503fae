/** Confirms the deletion of a property: its effect, and the environments that still have it deployed. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { RemovalDialog } from '#web/forms/removal-dialog.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { useDeleteProperty } from './mutations.ts';

export interface DeletePropertyDialogProps {
  readonly feature: Feature;
  /** Null while closed. */
  readonly property: FeatureProperty | null;
  readonly onClose: () => void;
}

export function DeletePropertyDialog({ feature, property, onClose }: DeletePropertyDialogProps) {
  return (
    <RemovalDialog
      item={property}
      onClose={onClose}
      verb="Delete"
      noun="property"
      deployedAs={({ id }) => ({ itemType: 'feature-property', itemId: id })}
      remove={useDeleteProperty(useOrgId(), feature.id)}
      toast={() => toast.success('Feature Properties Updated')}
    >
      {({ propertyKey }) => (
        <p className="flush">
          Access checks stop returning <code>{`${feature.slug}.${propertyKey}`}</code> as soon as a version
          without it is deployed. Plans that configure it keep a reference to a removed property until it is
          removed from them. This action cannot be undone.
        </p>
      )}
    </RemovalDialog>
  );
}
