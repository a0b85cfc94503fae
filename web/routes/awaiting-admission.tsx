/** /awaiting-admission: the waiting list of accounts that are not enabled yet. */
import { Anchor } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { AuthCard } from '../features/auth/auth-card.tsx';
import { paths } from '../paths.ts';

export function AwaitingAdmissionPage() {
  return (
    <AuthCard
      icon={IconHourglass}
      title="You're on the list!"
      subtitle="You will be notified when access is granted."
      footer={
        <Anchor component={Link} to={paths.signIn}>
          Sign in as a different user
        </Anchor>
      }
    />
  );
}
