/** Layout of the signed-in pages: sidebar, top bar, banners, page. */

import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Outlet } from 'react-router';
import { isSettled } from '#web/api/is-settled.ts';
import { paths } from '#web/paths.ts';
import { OrganisationProvider, useOrganisation } from '#web/session/organisation.tsx';
import { invitationsQuery, organisationSummaryQuery, ownOrganisationsQuery } from '#web/session/queries.ts';
import { type CodeApart, codeApart, LoadedApart, useOptionalCode } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart, whileOpen } from '#web/ui/loading/optional-part.tsx';
import { Retrying } from '#web/ui/loading/retrying.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import { HeaderSlot } from '#web/ui/page/header-slot.tsx';
import { useRouteHandle } from '#web/ui/page/route-handle.ts';
import classes from './dashboard-layout.module.css';
import { Header } from './header.tsx';
import bannerClasses from './invitation-banner.module.css';
import { Sidebar } from './sidebar.tsx';
import { MOBILE_QUERY, useSidebarState } from './sidebar-state.ts';
import { useCommandPalette } from './use-command-palette.ts';

const commandPalette = codeApart(async () => (await import('./command-palette.tsx')).CommandPalette);
const shortcutsDialog = codeApart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const sidebarSheet = codeApart(async () => (await import('./sidebar-sheet.tsx')).SidebarSheet);

/** The page comes first: the sheet's code is as large as a fifth of the first screen's. */
const SHEET_AFTER_MS = 2_000;

/** Few people have an invitation. */
const invitationBanner = codeApart(async () => (await import('./invitation-banner.tsx')).InvitationBanner);

/** Few organisations are being deleted. */
const deletionBanner = codeApart(async () => (await import('./deletion-banner.tsx')).DeletionBanner);

/** Few subscriptions need attention. */
const billingBanner = codeApart(async () => (await import('./billing-banner.tsx')).BillingBanner);

export function DashboardLayout() {
  const isMobile = useMediaQuery(MOBILE_QUERY, false, { getInitialValueInEffect: false });
  const palette = useCommandPalette();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { sidebar: forced } = useRouteHandle();
  // A forced state is not the user's choice: the toggle and its shortcut rest meanwhile, except for the sheet.
  const canToggle = forced === undefined || (forced === 'collapsed' && isMobile);
  const sidebar = useSidebarState(isMobile, canToggle);
  const isCollapsed = forced === 'collapsed' || !sidebar.isOpen;
  useEffect(() => {
    if (!isMobile) return;
    // Opening it reports a failure.
    const timer = setTimeout(() => void sidebarSheet.load().catch(() => undefined), SHEET_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isMobile]);

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
          <OptionalPart code={sidebarSheet} {...whileOpen(sidebar.isSheetOpen, sidebar.closeSheet)} />
        )}
        <div className={`column shrink ${classes.main}`}>
          <Header
            onToggleSidebar={canToggle ? sidebar.toggle : undefined}
            isSidebarOpen={isMobile ? sidebar.isSheetOpen : !isCollapsed}
            onSearch={palette.open}
            slot={setSlot}
          />
          <BannersAndPage slot={slot} />
          <Retrying />
        </div>
      </div>
      <OptionalPart
        code={commandPalette}
        isNeeded={palette.isOpen}
        props={{
          isOpen: palette.isOpen,
          onClose: palette.close,
          takeTyped: palette.takeTyped,
          onShortcuts: palette.showShortcuts,
          onToggleSidebar: canToggle ? sidebar.toggle : undefined,
        }}
        onFailure={palette.close}
      />
      <OptionalPart
        code={shortcutsDialog}
        {...whileOpen(palette.isShowingShortcuts, palette.hideShortcuts)}
      />
    </OrganisationProvider>
  );
}

/** The page appears together with its banners, because a late one would push it down. */
function BannersAndPage({ slot }: { readonly slot: HTMLElement | null }) {
  const { orgId } = useOrganisation();
  const home = orgId === null ? paths.home : paths.dashboard(orgId);
  const header = useMemo(() => ({ element: slot, home }), [slot, home]);
  const areOrganisationsKnown = isSettled(useQuery(ownOrganisationsQuery));
  const invitations = useQuery(invitationsQuery);
  const invitation = invitations.data?.[0];
  const summary = useQuery(organisationSummaryQuery(orgId));
  const name = summary.data?.name ?? '';
  const dueAt = summary.data?.deletion?.dueAt ?? null;
  // A server of the previous release sends none.
  const notice = summary.data?.billingNotice ?? null;
  // Once there, the banner stays rendered: it goes on after its invitation was accepted.
  const wasInvited = useLatch(invitation !== undefined);
  const joining = useBanner(invitationBanner, invitation !== undefined);
  const deletion = useBanner(deletionBanner, dueAt !== null);
  const billing = useBanner(billingBanner, notice !== null);
  // Later, the page stays while another organisation's banner is loaded.
  const isKnown = useLatch(
    isSettled(invitations) &&
      areOrganisationsKnown &&
      (orgId === null || isSettled(summary)) &&
      joining.isSettled &&
      deletion.isSettled &&
      billing.isSettled,
  );
  return (
    <>
      <div className={bannerClasses.banners}>
        {wasInvited && joining.isLoaded && <LoadedApart code={invitationBanner} props={{ invitation }} />}
        {orgId !== null && dueAt !== null && deletion.isLoaded && (
          <LoadedApart code={deletionBanner} props={{ orgId, name, dueAt }} />
        )}
        {orgId !== null && notice !== null && billing.isLoaded && (
          <LoadedApart code={billingBanner} props={{ orgId, notice }} />
        )}
      </div>
      <main id="content" className={classes.content} tabIndex={-1}>
        <HeaderSlot value={header}>{isKnown && <Outlet />}</HeaderSlot>
      </main>
    </>
  );
}

/** `isSettled`: nothing is to be waited for, since the banner is not needed, loaded, or missing. */
function useBanner<Props extends object>(code: CodeApart<Props>, isNeeded: boolean) {
  const [isMissing, setMissing] = useState(false);
  const isLoaded = useOptionalCode(code, isNeeded && !isMissing, () => setMissing(true));
  return { isLoaded, isSettled: !isNeeded || isLoaded || isMissing };
}
