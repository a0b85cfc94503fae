/** /awaiting-admission: shown to accounts on the waiting list. */
import { Anchor } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { paths } from '#web/paths.ts';
import { SiteLink } from '#web/ui/page/site-history.tsx';

export function AwaitingAdmissionPage() {
  return (
    <AuthCard
      icon={IconHourglass}
      title="You're on the list!"
      subtitle="You will be notified when access is granted."
      footer={
        <Anchor component={SiteLink} to={paths.signIn}>
          Sign in as a different user
        </Anchor>
      }
    />
  );
}
