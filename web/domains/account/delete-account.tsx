/**
 * Deletes the user's account after confirmation, with the password or a mailed link. The server refuses for an organisation's last
 * owner. The dialog stays open until that succeeds.
 */
import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { toastError } from '#web/api/error-notice.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { DangerSection } from '#web/ui/page/danger-section.tsx';
import { useDeleteAccount, useMailDeletionLink } from './mutations.ts';
import { wrongPassword } from './wrong-password.ts';

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
    remove.reset();
    if (token !== null) setSearch({}, { replace: true });
  };
  const needsLink = token === null && password === '';
  const confirm = () => {
    if (needsLink) return mailLink.mutate(undefined, { onSuccess: close });
    remove.mutate(token === null ? { password } : { token }, {
      onError: (error) => {
        if (wrongPassword(error) !== null) return;
        toastError(error);
      },
    });
  };
  return (
    <>
      <DangerSection
        title="Delete your account"
        description="You leave all your organisations. What you created there stays with them. If you are an organisation’s only owner, make someone else an owner first, or delete the organisation in its settings."
        label="Delete my account"
        onAct={() => setIsAsking(true)}
      />
      <FormDialog
        isOpen={isAsking}
        onClose={close}
        title="Delete your account?"
        submitLabel={needsLink ? 'Email me a link' : 'Delete my account'}
        isDanger={!needsLink}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
        isBusy={remove.isPending || mailLink.isPending}
        isDirty={false} // A password is not worth a question.
        size={440}
      >
        <Text c="dimmed">
          You leave all your organisations and are signed out everywhere, and {email} can no longer sign in.
          This cannot be undone.
        </Text>
        {token === null && (
          <PasswordInput
            label="Password"
            description="No password, or forgotten? Leave it empty to get a link by email."
            autoComplete="current-password"
            value={password}
            error={wrongPassword(remove.error)}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              remove.reset();
            }}
          />
        )}
      </FormDialog>
    </>
  );
}
