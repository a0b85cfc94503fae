/** An organisation's name, with a badge and the reason if it is blocked. */
import { IconBan } from '@tabler/icons-react';
import type { SudoOrganisation } from '#contracts/console/sudo';
import classes from './sudo.module.css';

export function OrganisationName({ organisation: { name, block } }: { organisation: SudoOrganisation }) {
  if (!block.isBlocked) return name;
  return (
    <span className={classes.blocked}>
      <IconBan size={15} aria-label="Blocked" role="img" />
      <span>
        {name} <span className={classes.reason}>{`(${block.blockReason ?? 'no reason given'} block)`}</span>
      </span>
    </span>
  );
}
