/**
 * Deletes the user's account after confirmation, with the password or a mailed link. The server refuses for an organisation's last
 * owner.
 */
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DangerSection } from '#web/ui/danger-section.tsx';
import { useDeleteAccount, useMailDeletionLink } from './mutations.ts';

export function DeleteAccount({ email }: { email: string }) {
  const [search, setSearch] = useSearchParams();
  const token = search.get('token');
  const [isAsking, setIsAsking] = useState(token !== null);
  const [password, setPassword] = useState('');
  const remove = useDeleteAccount();
  const mailLink = useMailDeletionLink(email);
  const close = () => {
    setIsAsking(false);
    setPassword('');
    if (token !== null) setSearch({}, { replace: true });
  };
  const needsLink = token === null && password === '';
  const confirm = () => {
    if (needsLink) mailLink.mutate(undefined, { onSettled: close });
    else remove.mutate(token === null ? { password } : { token }, { onError: close });
  };
  return (
    <>
      <DangerSection
        title="Delete your account"
        description="You leave all your organisations. What you created there stays with them. If you are an organisation’s only owner, make someone else an owner first, or delete the organisation in its settings."
        label="Delete my account"
        onAct={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title="Delete your account?"
        confirmLabel={needsLink ? 'Email me a link' : 'Delete my account'}
        onConfirm={confirm}
        isBusy={remove.isPending || mailLink.isPending}
        isDanger={!needsLink}
      >
        You leave all your organisations and are signed out everywhere, and {email} can no longer sign in.
        This cannot be undone.
        {token === null && (
          <PasswordInput
            mt={16}
            label="Password"
            description="No password, or forgotten? Leave it empty to get a link by email."
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}
