/** Why the settings are disabled for this member, and whom to ask. */
import { Anchor } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import classes from './settings.module.css';

export function ReadOnlyNotice({ orgId }: { orgId: string }) {
  return (
    <p className={classes.readOnly}>
      <IconLock size={16} aria-hidden />
      <span>
        You can look, but not change anything here: the settings are edited by owners and admins. The{' '}
        <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
          team
        </Anchor>{' '}
        shows who they are.
      </span>
    </p>
  );
}
