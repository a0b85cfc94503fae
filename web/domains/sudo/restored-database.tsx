/** What staff press once after the database was restored to an earlier time. */

import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { sudoEndpoints } from '#contracts/console/sudo';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';

export function RestoredDatabase() {
  const follow = useChange(sudoEndpoints.followRestoredDatabase, {});
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        Database restored
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Was the database restored?"
        confirmLabel="Publish everything"
        isDanger={false}
        isBusy={follow.isPending}
        onConfirm={() =>
          follow.mutate(undefined, {
            onSuccess: ({ message }) => {
              setIsAsking(false);
              void toast.success(message);
            },
          })
        }
      >
        Every environment of every organisation is published again, and grants, overrides and links that are
        newer than the database end in access checks within a minute. Repeating it does no harm.
      </ConfirmDialog>
    </>
  );
}
