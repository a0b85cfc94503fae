/** Explains why the settings are disabled for this member, and whom to contact. */
import { Anchor } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Notice } from '#web/ui/notice.tsx';

export function ReadOnlyNotice({ orgId }: { orgId: string }) {
  return (
    <Notice isWide tone="neutral" icon={IconLock}>
      You can look, but not change anything here: the settings are edited by owners and admins. The{' '}
      <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
        team
      </Anchor>{' '}
      shows who they are.
    </Notice>
  );
}
