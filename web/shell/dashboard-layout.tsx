/** Layout of the signed-in pages: sidebar, top bar, banners, page. */
import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Outlet, useMatches } from 'react-router';
import { OrganisationProvider, useOrganisation } from '#web/session/organisation.tsx';
import { invitationsQuery, organisationSummaryQuery } from '#web/session/queries.ts';
import { HeaderSlot } from '#web/ui/header-slot.tsx';
import { Retrying } from '#web/ui/retrying.tsx';
import classes from './dashboard-layout.module.css';
import { Header } from './header.tsx';
import { InvitationBanner } from './invitation-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { MOBILE_QUERY, useSidebarState } from './sidebar-state.ts';
import { useCommandPalette } from './use-command-palette.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

const DeletionBanner = lazy(async () => ({
  default: (await import('./deletion-banner.tsx')).DeletionBanner,
}));

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}));

const SidebarSheet = lazy(async () => ({ default: (await import('./sidebar-sheet.tsx')).SidebarSheet }));

/** A route's layout options, set in its `handle`. */
export interface FrameHandle {
  readonly sidebar?: 'hidden' | 'collapsed';
}

export function DashboardLayout() {
  const isMobile = useMediaQuery(MOBILE_QUERY, false, { getInitialValueInEffect: false });
  const palette = useCommandPalette();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const forced = useMatches()
    .map(({ handle }) => (handle as FrameHandle | undefined)?.sidebar)
    .findLast((value) => value !== undefined);
  // A forced state is not the user's choice: the toggle and its shortcut rest meanwhile, except for the sheet.
  const canToggle = forced === undefined || (forced === 'collapsed' && isMobile);
  const sidebar = useSidebarState(isMobile, canToggle);
  const isCollapsed = forced === 'collapsed' || !sidebar.isOpen;
  // Fetched together with the organisations, so that a late banner does not push the page down.
  const invitations = useQuery(invitationsQuery);
  const isBannerKnown = !invitations.isPending || invitations.failureCount > 0;

  return (
    <OrganisationProvider>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <div
        className={classes.frame}
        data-sidebar={forced === 'hidden' || isMobile ? 'none' : isCollapsed ? 'collapsed' : 'expanded'}
      >
        {forced !== 'hidden' && !isMobile && (
          <Box
            component="aside"
            pos="sticky"
            top={0}
            h="100dvh"
            style={{ borderRight: '1px solid var(--line)', overflow: 'hidden' }}
            aria-label="Sidebar"
          >
            <Sidebar isCollapsed={isCollapsed} />
          </Box>
        )}
        {isMobile && (
          <Suspense>
            <SidebarSheet isOpen={sidebar.isSheetOpen} onClose={sidebar.closeSheet} />
          </Suspense>
        )}
        <div className={classes.main}>
          <Header
            onToggleSidebar={canToggle ? sidebar.toggle : undefined}
            isSidebarOpen={isMobile ? sidebar.isSheetOpen : !isCollapsed}
            onSearch={palette.open}
            slot={setSlot}
          />
          <InvitationBanner />
          <ScheduledDeletion />
          <main id="content" className={classes.content} tabIndex={-1}>
            <HeaderSlot value={slot}>{isBannerKnown && <Outlet />}</HeaderSlot>
          </main>
          <Retrying />
        </div>
      </div>
      {palette.count > 0 && (
        <Suspense>
          <CommandPalette
            request={palette.count}
            takeTyped={palette.takeTyped}
            onShortcuts={palette.askForShortcuts}
            onToggleSidebar={canToggle ? sidebar.toggle : undefined}
          />
        </Suspense>
      )}
      {palette.shortcutsAsked > 0 && (
        <Suspense>
          <ShortcutsDialog request={palette.shortcutsAsked} />
        </Suspense>
      )}
    </OrganisationProvider>
  );
}

/** Few organisations are being deleted: the banner is loaded on demand. */
function ScheduledDeletion() {
  const { orgId } = useOrganisation();
  const summary = useQuery(organisationSummaryQuery(orgId)).data;
  if (orgId === null || !summary?.deletion) return null;
  return (
    <Suspense>
      <DeletionBanner orgId={orgId} name={summary.name} dueAt={summary.deletion.dueAt} />
    </Suspense>
  );
}
