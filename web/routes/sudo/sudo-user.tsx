/** /sudo-users/{userId}: one user, for platform staff. */

import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { sudoEndpoints } from '#contracts/console/sudo';
import { isNotFound } from '#web/api/api-error.ts';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { UserForm } from '#web/domains/sudo/user-form.tsx';
import { paths } from '#web/paths.ts';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function SudoUserPage() {
  const { userId = '' } = useParams();
  const { data: user, error, refetch } = useEndpoint(sudoEndpoints.getUser, { userId });
  const back = (
    <Button
      component={Link}
      to={paths.sudoUsers}
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
    >
      Back to users
    </Button>
  );
  return (
    <Page
      title={user?.name ?? 'User'}
      subtitle={user?.email}
      parents={[{ label: 'Sudo Users', to: paths.sudoUsers }]}
      actions={back}
    >
      {isNotFound(error) && user === undefined ? (
        <EmptyState title="No such user">The account may have been deleted by its owner.</EmptyState>
      ) : error !== null && user === undefined ? (
        <ErrorState title="The user could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <UserForm key={userId} userId={userId} user={user} />
      )}
    </Page>
  );
}
