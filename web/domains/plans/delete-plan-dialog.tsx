/** Confirms the removal of a plan: the customers who lose it, and the environments that still have it deployed. */
import { Text } from '@mantine/core';
import { toast } from 'sonner';
import type { Plan } from '#contracts/console/plans';
import { StillDeployed } from '#web/forms/still-deployed.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import { useDeletePlan } from './mutations.ts';

export interface DeletePlanDialogProps {
  readonly orgId: string;
  /** Null while closed. */
  readonly plan: Plan | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeletePlanDialog({ orgId, plan, onClose, onDeleted }: DeletePlanDialogProps) {
  const remove = useDeletePlan(orgId);
  const named = useLastValue(plan);
  const confirm = () => {
    if (plan === null) return;
    remove.mutate(plan.planId, {
      onSuccess: () => {
        toast.success('Plan Deleted');
        onClose();
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={plan !== null}
      onClose={onClose}
      title="Are You Sure You Want to Remove this Plan?"
      confirmLabel={`Remove ${named?.name ?? ''}`}
      onConfirm={confirm}
      isBusy={remove.isPending}
      size={480}
    >
      {named !== null && (
        <>
          <Text>This action cannot be undone.</Text>
          <Text mt={8} style={{ overflowWrap: 'anywhere' }}>
            <b>{named.name}</b> is removed with all its values. Customers lose it when you deploy a version
            without it.
          </Text>
          <StillDeployed orgId={orgId} item={plan && { itemType: 'plan', itemId: plan.planId }} />
        </>
      )}
    </ConfirmDialog>
  );
}
