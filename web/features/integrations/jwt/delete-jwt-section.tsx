/** Deletes a JWT integration: last on its page, and apart. */
import { useState } from 'react';
import { toast } from 'sonner';
import type { JwtIntegration } from '#contracts/integrations';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DangerSection } from '../../../ui/danger-section.tsx';
import { useDeleteJwtIntegration } from './mutations.ts';

export interface DeleteJwtSectionProps {
  readonly orgId: string;
  readonly integration: JwtIntegration;
  readonly onDeleted: () => void;
}

export function DeleteJwtSection({ orgId, integration, onDeleted }: DeleteJwtSectionProps) {
  const { name } = integration;
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteJwtIntegration(orgId);
  const confirm = () =>
    remove.mutate(integration, {
      onSuccess: () => {
        toast.success(`${name} deleted`);
        onDeleted();
      },
    });
  return (
    <>
      <DangerSection
        title="Delete this integration"
        description="Its tokens are believed no more, in every environment."
        label={`Delete ${name}`}
        onAct={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${name}?`}
        confirmLabel={`Delete ${name}`}
        onConfirm={confirm}
        isBusy={remove.isPending}
      >
        Within five seconds no environment believes its tokens any more: access checks that send one are
        answered for an anonymous session. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
