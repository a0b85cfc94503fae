/** The last section of a plan's page: removes the plan. */
import { useState } from 'react';
import type { Plan } from '#contracts/console/plans';
import { sentence } from '#web/ui/format.ts';
import { DangerSection } from '#web/ui/page/danger-section.tsx';
import { DeletePlanDialog } from './delete-plan-dialog.tsx';

export interface DeletePlanSectionProps {
  readonly plan: Plan;
  readonly onDeleted: () => void;
}

export function DeletePlanSection({ plan, onDeleted }: DeletePlanSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <DangerSection
        title="Remove this plan"
        description="Removes the plan and its values from the workspace. Environments keep their current version until you deploy a new one."
        label={sentence`Remove ${plan.name}`}
        onAct={() => setIsAsking(true)}
      />
      <DeletePlanDialog
        plan={isAsking ? plan : null}
        onClose={() => setIsAsking(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}
