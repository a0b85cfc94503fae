/** /awaiting-admission: shown to accounts on the waiting list. */
import { Anchor } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { paths } from '#web/paths.ts';

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
