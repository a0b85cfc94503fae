/** Signs the user out of other sessions, or out of all sessions including this one. */
import { Button, Group } from '@mantine/core';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { mayLeave } from '#web/ui/dialogs/guarded-forms.ts';
import { Section } from '#web/ui/page/section.tsx';
import { useRevokeOtherSessions, useRevokeSessions } from './mutations.ts';

export function Sessions() {
  const revokeOthers = useRevokeOtherSessions();
  const revokeAll = useRevokeSessions();
  const leave = async () => {
    if (await mayLeave()) revokeAll.mutate();
  };
  const isBusy = revokeOthers.isPending || revokeAll.isPending;
  return (
    <Section title="Sessions" description="Sign out of sessions on other devices." isSplit>
      <Group gap={8}>
        <ActionButton
          variant="default"
          disabled={isBusy}
          loading={revokeOthers.isPending}
          onClick={() => revokeOthers.mutate()}
        >
          Sign out everywhere else
        </ActionButton>
        {/* Not an ActionButton: a click soon after "Stay" must ask again. */}
        <Button
          variant="default"
          disabled={isBusy}
          loading={revokeAll.isPending}
          onClick={() => void leave()}
        >
          Sign out everywhere, including here
        </Button>
      </Group>
    </Section>
  );
}
