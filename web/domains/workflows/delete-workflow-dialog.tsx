/** Confirms the deletion of a workflow: its effect, and the environments that still run it. */
import { Text } from '@mantine/core';
import { toast } from 'sonner';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { StillDeployed } from '#web/forms/still-deployed.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import { useDeleteWorkflow } from './mutations.ts';

export interface DeleteWorkflowDialogProps {
  readonly orgId: string;
  /** Null while closed. */
  readonly workflow: Pick<WorkflowSummary, 'id' | 'name' | 'enabled' | 'isCompiled'> | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeleteWorkflowDialog({ orgId, workflow, onClose, onDeleted }: DeleteWorkflowDialogProps) {
  const remove = useDeleteWorkflow(orgId);
  const named = useLastValue(workflow);
  const confirm = () => {
    if (workflow === null) return;
    remove.mutate(workflow, {
      onSuccess: () => {
        toast.success('Workflow deleted');
        onClose();
        onDeleted?.();
      },
    });
  };
  const isInWorkspace = workflow?.enabled === true && workflow.isCompiled;
  return (
    <ConfirmDialog
      isOpen={workflow !== null}
      onClose={onClose}
      title="Are you sure you want to remove this workflow?"
      confirmLabel={`Remove ${named?.name ?? ''}`}
      onConfirm={confirm}
      isBusy={remove.isPending}
      size={480}
    >
      {named !== null && (
        <>
          <Text>
            This will permanently remove the workflow from our system. Any access checks relying on this code
            may stop working.
          </Text>
          <StillDeployed
            orgId={orgId}
            item={isInWorkspace ? { itemType: 'workflow', itemId: workflow.id } : null}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
