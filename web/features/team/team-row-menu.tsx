/** The menu of one row of the team: what cannot be taken back asks first, what this viewer may not do says why. */
import { Menu } from '@mantine/core';
import {
  IconMailForward,
  IconMailOff,
  IconShieldHalf,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { RowMenu } from '../../ui/row-menu.tsx';
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
  /** What the row is called. */
  readonly name: string;
  readonly actions: readonly TeamAction[];
  readonly onChoose: (kind: TeamActionKind) => void;
  /** An invitation is on its way. */
  readonly isSending: boolean;
}

export function TeamRowMenu({ name, actions, onChoose, isSending }: TeamRowMenuProps) {
  const refusal = actions.find((action) => action.refusal !== null)?.refusal;
  if (actions.length === 0) return null;
  return (
    <RowMenu name={name}>
      {actions.map(({ kind, refusal: reason }) => {
        const { label, icon: Icon, isDanger = false } = ITEMS[kind];
        return (
          <Menu.Item
            key={kind}
            leftSection={<Icon size={15} aria-hidden />}
            {...(isDanger && { color: 'red' })}
            disabled={reason !== null || (kind === 'resend' && isSending)}
            onClick={() => onChoose(kind)}
          >
            {label}
          </Menu.Item>
        );
      })}
      {refusal && <div className={classes.refusal}>{refusal}</div>}
    </RowMenu>
  );
}
