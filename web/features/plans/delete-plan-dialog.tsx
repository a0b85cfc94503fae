/** Asks before a plan is removed, and says where customers go on having it until another version is deployed. */
import { List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { Plan } from '#contracts/plans';
import type { InForce } from '../../api/where-in-force.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDeletePlan } from './mutations.ts';
import { planInForceQuery } from './queries.ts';

export interface DeletePlanDialogProps {
  readonly orgId: string;
  readonly plan: Plan;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeletePlanDialog({ orgId, plan, isOpen, onClose, onDeleted }: DeletePlanDialogProps) {
  const remove = useDeletePlan(orgId);
  const confirm = () =>
    remove.mutate(plan.planId, {
      onSuccess: () => {
        toast.success('Plan Deleted');
        onClose();
        onDeleted?.();
      },
    });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Are You Sure You Want to Remove this Plan?"
      confirmLabel={`Remove ${plan.name}`}
      isBusy={remove.isPending}
      onConfirm={confirm}
    >
      <Text>This action cannot be undone.</Text>
      <Text mt={8}>
        <b>{plan.name}</b> is removed with every version of its values, and nobody is on it any more once that
        is deployed.
      </Text>
      {isOpen && <WhereInForce orgId={orgId} planId={plan.planId} />}
    </ConfirmDialog>
  );
}

function WhereInForce({ orgId, planId }: { orgId: string; planId: string }) {
  const { data, error } = useQuery({ ...planInForceQuery(orgId, planId), staleTime: 0 });
  if (error) return <Text mt={8}>Where it is in force could not be found out: {error.message}</Text>;
  if (data === undefined)
    return <Skeleton height={14} mt={14} width="70%" aria-label="Looking where it is in force" />;
  if (data.length === 0) return <Text mt={8}>It is not in force in any environment.</Text>;
  return (
    <>
      <Text mt={8}>It is still in force in:</Text>
      <List mt={4} size="md" spacing={2}>
        {data.map((place) => (
          <List.Item key={place.environmentId}>
            <b>{place.environmentName}</b>
            {wordsFor(place)}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function wordsFor({ isPreview, artifactNumber }: InForce): string {
  if (isPreview) return ', which follows your changes and loses it within seconds';
  const version = artifactNumber === null ? '' : ` (v${artifactNumber})`;
  return `${version}, until you deploy a version made after this`;
}
