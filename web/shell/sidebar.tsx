/** The sidebar's content: logo, navigation, and the organisation switcher at the bottom. */
import { Box, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { Mark } from '#web/ui/mark.tsx';
import { administrationEntries, organisationEntries, sudoEntries, toolEntries } from './navigation.ts';
import { OrganisationSwitcher } from './organisation-switcher.tsx';
import classes from './sidebar.module.css';
import { SidebarGroup } from './sidebar-group.tsx';

export interface SidebarProps {
  readonly isCollapsed: boolean;
  /** Called after navigation, to close the sheet. */
  readonly onNavigate?: (() => void) | undefined;
}

export function Sidebar({ isCollapsed, onNavigate }: SidebarProps) {
  const { isSudoAccess } = useSession();
  const { name } = useOrganisation();
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
        <SidebarGroup
          title={name ?? 'Organisation'}
          entries={organisationEntries}
          isCollapsed={isCollapsed}
          onNavigate={onNavigate}
        />
        <SidebarGroup entries={administrationEntries} isCollapsed={isCollapsed} onNavigate={onNavigate} />
        <SidebarGroup title="Tools" entries={toolEntries} isCollapsed={isCollapsed} onNavigate={onNavigate} />
        {isSudoAccess && (
          <SidebarGroup
            title="Sudo"
            entries={sudoEntries}
            isCollapsed={isCollapsed}
            onNavigate={onNavigate}
          />
        )}
      </Stack>
      <Box flex="none" pt={8} px={12} pb={12} style={{ borderTop: '1px solid var(--line)' }}>
        <OrganisationSwitcher isCollapsed={isCollapsed} onNavigate={onNavigate} />
      </Box>
    </div>
  );
}
