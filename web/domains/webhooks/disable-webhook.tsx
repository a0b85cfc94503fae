/** Disables a webhook after a question. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useSwitchWebhook } from './mutations.ts';

export function DisableWebhook({ webhook: { id, isEnabled } }: { readonly webhook: Webhook }) {
  const disable = useSwitchWebhook(useOrgId(), id);
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const confirm = () =>
    disable.mutate(false, {
      onSuccess: () => {
        toast.success('Webhook disabled');
        close();
      },
    });
  return (
    <>
      {isEnabled && (
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Disable
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title="Disable this webhook?"
        confirmLabel="Disable webhook"
        onConfirm={confirm}
        isBusy={disable.isPending}
        isDanger={false}
      >
        Nothing is sent while it is disabled. Events that wait, and those that happen meanwhile, are listed as
        failed. You can enable it and resend them at any time.
      </ConfirmDialog>
    </>
  );
}
