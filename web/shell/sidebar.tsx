/** The sidebar's content: logo, navigation, and the organisation switcher at the bottom. */
import { Box, Stack } from '@mantine/core';
import { use } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { Mark } from '#web/ui/labels/mark.tsx';
import { NavigationContext } from './navigation.ts';
import { OrganisationSwitcher } from './organisation-switcher.tsx';
import classes from './sidebar.module.css';
import { SidebarGroup } from './sidebar-group.tsx';

const GROUPS = ['organisation', 'administration', 'tools', 'staff'] as const;

export interface SidebarProps {
  readonly isCollapsed: boolean;
  /** Called after navigation, to close the sheet. */
  readonly onNavigate?: (() => void) | undefined;
}

export function Sidebar({ isCollapsed, onNavigate }: SidebarProps) {
  const { isSudoAccess } = useSession();
  const { name } = useOrganisation();
  const navigation = use(NavigationContext);
  const titles: Readonly<Record<string, string>> = {
    organisation: name ?? 'Organisation',
    tools: 'Tools',
    staff: 'Sudo',
  };
  return (
    <div
      className={classes.sidebar}
      data-collapsed={isCollapsed || undefined}
      data-sudo={isSudoAccess || undefined}
    >
      <Link
        to={paths.home}
        className={classes.brand}
        onClick={onNavigate}
        aria-label="Tessera, to the dashboard"
      >
        <Mark size={22} />
        <span className={isCollapsed ? 'visually-hidden' : classes.wordmark}>Tessera</span>
      </Link>
      <Stack aria-label="Main" component="nav" gap={16} flex={1} py={8} px={12} style={{ overflowY: 'auto' }}>
        {GROUPS.filter((group) => group !== 'staff' || isSudoAccess).map((group) => (
          <SidebarGroup
            key={group}
            title={titles[group]}
            entries={navigation.filter((entry) => entry.group === group)}
            isCollapsed={isCollapsed}
            onNavigate={onNavigate}
          />
        ))}
      </Stack>
      <Box flex="none" pt={8} px={12} pb={12} style={{ borderTop: '1px solid var(--line)' }}>
        <OrganisationSwitcher isCollapsed={isCollapsed} onNavigate={onNavigate} />
      </Box>
    </div>
  );
}
