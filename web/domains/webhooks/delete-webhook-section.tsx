/** Deletes a webhook after a confirmation. */
import type { Webhook } from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';
import { useDeleteWebhook } from './mutations.ts';

export interface DeleteWebhookSectionProps {
  readonly webhook: Webhook;
  readonly onDeleted: () => void;
}

export function DeleteWebhookSection({ webhook: { id, url }, onDeleted }: DeleteWebhookSectionProps) {
  const remove = useDeleteWebhook(useOrgId());
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        toast.success('Webhook deleted');
        onDeleted();
      },
    });
  return (
    <RemovalSection
      title="Delete this webhook"
      description="Its log and secret are deleted, too. To pause it, disable it instead."
      label="Delete webhook"
    >
      {(isAsking, close) => (
        <ConfirmDialog
          isOpen={isAsking}
          onClose={close}
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          onConfirm={confirm}
          isBusy={remove.isPending}
        >
          Nothing more is sent to <code className="breaks">{url}</code>. Events that wait are lost. This
          cannot be undone.
        </ConfirmDialog>
      )}
    </RemovalSection>
  );
}
