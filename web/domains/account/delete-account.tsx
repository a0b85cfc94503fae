/** Deletes the user's account after confirmation. The server refuses for an organisation's last owner. */
import { useState } from 'react';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DangerSection } from '#web/ui/danger-section.tsx';
import { useDeleteAccount } from './mutations.ts';

export function DeleteAccount({ email }: { email: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteAccount();
  return (
    <>
      <DangerSection
        title="Delete your account"
        description="You leave every organisation you belong to. What you made there stays with them."
        label="Delete my account"
        onAct={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete your account?"
        confirmLabel="Delete my account"
        onConfirm={() => remove.mutate(undefined, { onError: () => setIsAsking(false) })}
        isBusy={remove.isPending}
      >
        {email} can no longer sign in, and you are signed out everywhere. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
