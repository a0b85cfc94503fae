/** The menu of one row of the team: what cannot be taken back asks first, what this viewer may not do says why. */
import { Menu } from '@mantine/core';
import {
  IconMailForward,
  IconMailOff,
  IconShieldHalf,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import type { TeamRow } from '#contracts/organisations';
import { roleSchema } from '#contracts/permissions';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useInviteMember } from './mutations.ts';
import classes from './team.module.css';
import type { TeamAction, TeamActionKind } from './team-rows.ts';

interface Item {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly isDanger?: boolean;
}

const ITEMS: Record<TeamActionKind, Item> = {
  'change-role': { label: 'Change role', icon: IconShieldHalf },
  remove: { label: 'Delete', icon: IconTrash, isDanger: true },
  resend: { label: 'Resend', icon: IconMailForward },
  cancel: { label: 'Cancel', icon: IconMailOff, isDanger: true },
};

export interface TeamRowMenuProps {
  readonly orgId: string;
  readonly row: TeamRow;
  readonly actions: readonly TeamAction[];
  /** The row's dialog is wanted. */
  readonly onAsk: (kind: Exclude<TeamActionKind, 'resend'>) => void;
}

export function TeamRowMenu({ orgId, row, actions, onAsk }: TeamRowMenuProps) {
  const invite = useInviteMember(orgId);
  const act = (kind: TeamActionKind) => {
    if (kind !== 'resend') return onAsk(kind);
    invite.mutate({ email: row.email, role: roleSchema.catch('member').parse(row.role), resend: true });
  };
  const refusal = actions.find((action) => action.refusal !== null)?.refusal;
  if (actions.length === 0) return null;
  return (
    <RowMenu name={row.email}>
      {actions.map(({ kind, refusal: reason }) => {
        const { label, icon: Icon, isDanger = false } = ITEMS[kind];
        return (
          <Menu.Item
            key={kind}
            leftSection={<Icon size={15} aria-hidden />}
            {...(isDanger && { color: 'red' })}
            disabled={reason !== null || (kind === 'resend' && invite.isPending)}
            onClick={() => act(kind)}
          >
            {label}
          </Menu.Item>
        );
      })}
      {refusal && <div className={classes.refusal}>{refusal}</div>}
    </RowMenu>
  );
}
