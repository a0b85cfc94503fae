/** Confirms the deletion of a feature: its effect, and the environments that still have it deployed. */
import type { Feature } from '#contracts/console/features';
import { RemovalDialog } from '#web/forms/removal-dialog.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { sentence } from '#web/ui/format.ts';
import { useDeleteFeature } from './mutations.ts';

export interface DeleteFeatureDialogProps {
  /** Null while closed. */
  readonly feature: Feature | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeleteFeatureDialog({ feature, onClose, onDeleted }: DeleteFeatureDialogProps) {
  return (
    <RemovalDialog
      item={feature}
      onClose={onClose}
      verb="Delete"
      deployedAs={({ id }) => ({ itemType: 'feature', itemId: id })}
      remove={useDeleteFeature(useOrgId())}
      toast={(item) =>
        toast.success('Feature deleted', {
          description: sentence`${item.name} is no longer part of the workspace.`,
        })
      }
      onDeleted={onDeleted}
    >
      {(item) => (
        <p className="flush">
          Access checks stop returning <code>{item.slug}</code>
          {propertiesOf(item)} as soon as a version without it is deployed. Plans that configure it show it as
          a missing feature until its properties are removed from them. This action cannot be undone.
        </p>
      )}
    </RemovalDialog>
  );
}

function propertiesOf({ properties }: Feature): string {
  if (properties.length === 0) return '';
  return properties.length === 1 ? ' and its property' : ` and its ${properties.length} properties`;
}
