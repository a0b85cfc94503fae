/** Confirms the deletion of a workflow: its effect, and the environments that still run it. */
import type { WorkflowSummary } from '#contracts/console/workflows';
import { RemovalDialog } from '#web/forms/removal-dialog.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { useDeleteWorkflow } from './mutations.ts';

export interface DeleteWorkflowDialogProps {
  /** Null while closed. */
  readonly workflow: Pick<WorkflowSummary, 'id' | 'name' | 'enabled' | 'isCompiled'> | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeleteWorkflowDialog({ workflow, onClose, onDeleted }: DeleteWorkflowDialogProps) {
  return (
    <RemovalDialog
      item={workflow}
      onClose={onClose}
      verb="Remove"
      title="Are you sure you want to remove this workflow?"
      deployedAs={({ id, enabled, isCompiled }) => ({
        itemType: 'workflow',
        itemId: id,
        isInWorkspace: enabled && isCompiled,
      })}
      remove={useDeleteWorkflow(useOrgId())}
      toast={() => toast.success('Workflow deleted')}
      onDeleted={onDeleted}
    >
      {() => (
        <p className="flush">
          This will permanently remove the workflow from our system. Any access checks relying on this code
          may stop working.
        </p>
      )}
    </RemovalDialog>
  );
}
