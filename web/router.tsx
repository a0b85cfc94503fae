/** The console's routes, from the entries of its pages: layout and guard of each. Page code loads lazily with its route. */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  createBrowserRouter,
  matchRoutes,
  Navigate,
  Outlet,
  type RouteObject,
  type RouterState,
  ScrollRestoration,
  useRouteError,
} from 'react-router';
import { CONSOLE_PATHS } from '#contracts/console/console-paths';
import { FailedPage } from '#web/routes/failed-page.tsx';
import { NotFoundPage } from '#web/routes/not-found.tsx';
import { selectedOrganisation } from '#web/session/selected-organisation.ts';
import { useSession } from '#web/session/session.ts';
import { CentredLayout } from '#web/shell/centred-layout.tsx';
import { DashboardLayout } from '#web/shell/dashboard-layout.tsx';
import { RequireOrganisation, RequireSession, RequireSudo } from '#web/shell/guards.tsx';
import { NavigationContext } from '#web/shell/navigation.ts';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';
import type { RouteHandle } from '#web/ui/page/route-handle.ts';
import { showAddressedPage } from '#web/ui/page/site-history.tsx';
import { pageNavigation } from './page-navigation.ts';
import { type Page, pages } from './pages.ts';
import { paths, SIGN_IN_PAGES } from './paths.ts';
import { loadAhead, startPage } from './start-page.ts';

/** The router has led to a page before sign-in, which is not its own. */
function LeaveConsole() {
  useEffect(showAddressedPage, []);
  return <FullPageSpinner />;
}

const RouteFailure = () => <FailedPage error={useRouteError()} />;

const shell = (
  <NavigationContext value={pageNavigation}>
    <DashboardLayout />
  </NavigationContext>
);

/** For pages that nobody has to sign in for, and unknown URLs. */
function ShellOfSession() {
  const { sessionState, user } = useSession();
  if (user !== null) return shell;
  return sessionState === 'unauthenticated' ? <Outlet /> : <FullPageSpinner />;
}

/** The pages that are open to these, below `parent`. */
const routesOf = (isMeant: (page: Page) => boolean, parent = ''): RouteObject[] =>
  (Object.keys(pages) as (keyof typeof pages)[])
    .filter((name) => isMeant(pages[name]))
    .map((name) => {
      const { load, redirectsTo = '', title, subtitle, sidebar } = pages[name];
      const path = CONSOLE_PATHS[name].slice(parent.length);
      const at = path === '' ? ({ index: true } as const) : { path };
      return load === undefined
        ? { ...at, element: <Navigate to={redirectsTo} replace /> }
        : { ...at, handle: { title, subtitle, sidebar } satisfies RouteHandle, lazy: { Component: load } };
    });

const signedInRoutes: RouteObject[] = [
  ...routesOf(({ access, isPassage }) => access === 'signedIn' && !isPassage),
  {
    path: '/o/:orgId',
    element: <RequireOrganisation />,
    children: routesOf(({ access }) => access === undefined, '/o/:orgId/'),
  },
  { element: <RequireSudo />, children: routesOf(({ access }) => access === 'staff') },
];

export const routes: RouteObject[] = [
  {
    element: (
      <>
        <Outlet />
        {/* Every first page of a tab has the key 'default'. */}
        <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
      </>
    ),
    errorElement: <RouteFailure />,
    HydrateFallback: FullPageSpinner,
    children: [
      ...SIGN_IN_PAGES.map((name): RouteObject => ({ path: paths[name], element: <LeaveConsole /> })),
      {
        element: (
          <CentredLayout>
            <Outlet />
          </CentredLayout>
        ),
        children: routesOf(({ access }) => access === 'open'),
      },
      {
        element: <RequireSession />,
        children: [
          ...routesOf(({ isPassage }) => isPassage === true),
          {
            element: shell,
            children: [{ errorElement: <RouteFailure />, children: signedInRoutes }],
          },
        ],
      },
      {
        element: <ShellOfSession />,
        children: [
          { errorElement: <RouteFailure />, children: routesOf(({ access }) => access === 'anyone') },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

/** A router removes `lazy` from the routes that it has loaded, so each one gets routes of its own. */
const copyOf = (route: RouteObject): RouteObject =>
  ({
    ...route,
    ...(typeof route.lazy === 'object' && { lazy: { ...route.lazy } }),
    ...(route.children && { children: route.children.map(copyOf) }),
  }) as RouteObject;

export const createRouter = () => createBrowserRouter(routes.map(copyOf));

/** How long the pointer rests on a link before its page is fetched. Crossing a list fetches nothing. */
const INTENT_MS = 80;

/** Fetches the code and the first data of a page when its link is pointed at or focused, whichever component shows the link. @returns ends it */
export function prefetchOnIntent(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const consider = ({ target }: Event) => {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    timer = setTimeout(() => prefetchPage(client, link.pathname), INTENT_MS);
  };
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider, { passive: true });
  return () => {
    clearTimeout(timer);
    document.removeEventListener('pointerover', consider);
    document.removeEventListener('focusin', consider);
  };
}

/** A page whose link was neither pointed at nor focused, such as by touch or from the palette: its queries start with its code. */
export const startWithCode =
  (client: QueryClient) =>
  ({ navigation: { location } }: RouterState): void => {
    if (location !== undefined) startPage(client, location.pathname, selectedOrganisation());
  };

function prefetchPage(client: QueryClient, pathname: string): void {
  // Chromium never asks again for a module that it could not load.
  if (pathname === window.location.pathname || !navigator.onLine) return;
  loadAhead(pathname);
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const { lazy } = route;
    // The navigation itself reports a failure.
    if (typeof lazy === 'object') void lazy.Component?.()?.catch(() => undefined);
  }
  startPage(client, pathname, selectedOrganisation());
}
