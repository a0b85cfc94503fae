/** Confirms the removal of a plan: the customers who lose it, and the environments that still have it deployed. */
import type { Plan } from '#contracts/console/plans';
import { RemovalDialog } from '#web/forms/removal-dialog.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { useDeletePlan } from './mutations.ts';

export interface DeletePlanDialogProps {
  /** Null while closed. */
  readonly plan: Plan | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeletePlanDialog({ plan, onClose, onDeleted }: DeletePlanDialogProps) {
  return (
    <RemovalDialog
      item={plan}
      onClose={onClose}
      verb="Remove"
      title="Are You Sure You Want to Remove this Plan?"
      deployedAs={({ planId }) => ({ itemType: 'plan', itemId: planId })}
      remove={useDeletePlan(useOrgId())}
      toast={() => toast.success('Plan Deleted')}
      onDeleted={onDeleted}
    >
      {({ name }) => (
        <>
          <p className="flush">This action cannot be undone.</p>
          <p className="flush">
            <b>{name}</b> is removed with all its values. Customers lose it when you deploy a version without
            it.
          </p>
        </>
      )}
    </RemovalDialog>
  );
}
