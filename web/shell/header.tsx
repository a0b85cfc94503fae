/** Top bar: sidebar toggle, breadcrumbs, plan and preview status on the left; search, theme and user on the right. */
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isSettled } from '#web/api/is-settled.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import classes from './header.module.css';
import { shortcutLabels } from './shortcut-labels.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { UserMenu } from './user-menu.tsx';
import { useWorkspaceState, WorkspaceChip } from './workspace-chip.tsx';

export interface HeaderProps {
  /** Absent if the sidebar is hidden. */
  readonly onToggleSidebar: (() => void) | undefined;
  readonly isSidebarOpen: boolean;
  readonly onSearch: () => void;
  /** Receives the element into which pages render their breadcrumbs. */
  readonly slot: (element: HTMLElement | null) => void;
}

export function Header({ onToggleSidebar, isSidebarOpen, onSearch, slot }: HeaderProps) {
  return (
    <header className={classes.header}>
      <div className={`row shrink grow gap-8 ${classes.left}`}>
        {onToggleSidebar && (
          <Hint label={`Toggle the sidebar (${shortcutLabels.sidebar})`}>
            <ActionIcon aria-label="Toggle sidebar" aria-expanded={isSidebarOpen} onClick={onToggleSidebar}>
              <IconLayoutSidebar size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Hint>
        )}
        <div ref={slot} className={`fill ${classes.crumbs}`} />
        <PlanAndWorkspace />
      </div>
      <div className={`row rigid gap-8 ${classes.right}`}>
        <UnstyledButton className={classes.search} onClick={onSearch} aria-haspopup="dialog">
          <IconSearch size={15} aria-hidden />
          <span className={classes.searchText}>Search</span>
          <kbd className={classes.key} aria-hidden>
            {shortcutLabels.palette}
          </kbd>
        </UnstyledButton>
        <ThemeToggle />
        <UserMenu />
      </div>
    </header>
  );
}

/** Their widths vary. They appear together, and beside the breadcrumbs, so that they move nothing. */
function PlanAndWorkspace() {
  const { orgId, isLoading, planDisplayName } = useOrganisation();
  const summary = useQuery(organisationSummaryQuery(orgId));
  const workspace = useWorkspaceState(orgId);
  const areKnown = useLatch(isSettled(summary) && workspace.isKnown, orgId);
  if (isLoading || (orgId !== null && !areKnown)) return null;
  return (
    <>
      <span className={classes.plan} title="The organisation’s plan">
        {planDisplayName ?? '-'}
      </span>
      <WorkspaceChip />
    </>
  );
}
