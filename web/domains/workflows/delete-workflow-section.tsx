/** The last section of a workflow's page: deletes the workflow. */
import { useState } from 'react';
import type { Workflow } from '#contracts/console/workflows';
import { sentence } from '#web/ui/format.ts';
import { DangerSection } from '#web/ui/page/danger-section.tsx';
import { DeleteWorkflowDialog } from './delete-workflow-dialog.tsx';

export interface DeleteWorkflowSectionProps {
  readonly workflow: Workflow;
  readonly onDeleted: () => void;
}

export function DeleteWorkflowSection({ workflow, onDeleted }: DeleteWorkflowSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <DangerSection
        title="Remove this workflow"
        description="Removes the workflow and its code from the workspace. Environments run it until you deploy a version without it."
        label={sentence`Remove ${workflow.name}`}
        onAct={() => setIsAsking(true)}
      />
      <DeleteWorkflowDialog
        workflow={isAsking ? workflow : null}
        onClose={() => setIsAsking(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}
