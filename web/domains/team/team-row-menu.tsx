/** Actions of one team row. Irreversible actions ask for confirmation; disabled actions show the reason. */
import { Box, Menu } from '@mantine/core';
import {
  IconEraser,
  IconMailForward,
  IconMailOff,
  IconShieldHalf,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { RowMenu } from '#web/ui/lists/row-menu.tsx';
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
  clear: { label: 'Clear', icon: IconEraser },
};

export interface TeamRowMenuProps {
  /** The row's accessible name. */
  readonly name: string;
  readonly actions: readonly TeamAction[];
  readonly onChoose: (kind: TeamActionKind) => void;
  /** Whether an invitation is being sent. */
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
      {refusal && (
        <Box c="dimmed" fz="xs" maw={220} pt={4} px={12} pb={8}>
          {refusal}
        </Box>
      )}
    </RowMenu>
  );
}
