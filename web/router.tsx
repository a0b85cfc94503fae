/** The console's route table: the page, layout and guard of every URL. Page code loads lazily with its route. */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  createBrowserRouter,
  matchRoutes,
  Navigate,
  Outlet,
  type RouteObject,
  ScrollRestoration,
  useRouteError,
} from 'react-router';
import { FailedPage } from '#web/routes/failed-page.tsx';
import { startPage } from '#web/routes/first-queries.ts';
import { NotFoundPage } from '#web/routes/not-found.tsx';
import { selectedOrganisation } from '#web/session/selected-organisation.ts';
import { CentredLayout } from '#web/shell/centred-layout.tsx';
import { DashboardLayout } from '#web/shell/dashboard-layout.tsx';
import { RequireOrganisation, RequireSession, RequireSudo } from '#web/shell/guards.tsx';
import { FullPageSpinner } from '#web/ui/full-page-spinner.tsx';
import { showAddressedPage } from '#web/ui/site-history.tsx';
import { paths, signInPages } from './paths.ts';

/** The router has led to a page before sign-in, which is not its own. */
function LeaveConsole() {
  useEffect(showAddressedPage, []);
  return <FullPageSpinner />;
}

const RouteFailure = () => <FailedPage error={useRouteError()} />;

const paymentFailure = async () => (await import('#web/routes/payment-failure.tsx')).PaymentFailurePage;
const dashboard = async () => (await import('#web/routes/dashboard.tsx')).DashboardPage;

/** Pages without a session, in the centred layout. */
const openRoutes: RouteObject[] = [
  {
    path: paths.verifyEmail,
    lazy: { Component: async () => (await import('#web/routes/verify-email.tsx')).VerifyEmailPage },
  },
  {
    path: paths.newAttempts,
    lazy: { Component: async () => (await import('#web/routes/new-attempts.tsx')).NewAttemptsPage },
  },
  {
    path: paths.paymentSuccess,
    lazy: { Component: async () => (await import('#web/routes/payment-success.tsx')).PaymentSuccessPage },
  },
  { path: paths.paymentFailure, lazy: { Component: paymentFailure } },
  { path: '/o/:orgId/payment-failure', lazy: { Component: paymentFailure } },
  {
    path: '/o/:orgId/payment-canceled',
    lazy: { Component: async () => (await import('#web/routes/payment-canceled.tsx')).PaymentCanceledPage },
  },
];

/** Signed-in routes without a layout, which redirect. */
const redirectRoutes: RouteObject[] = [
  {
    path: paths.emailVerified,
    lazy: { Component: async () => (await import('#web/routes/email-verified.tsx')).EmailVerifiedPage },
  },
  {
    path: paths.postSignIn,
    lazy: { Component: async () => (await import('#web/routes/post-signin.tsx')).PostSignInPage },
  },
];

/** Pages of one organisation, below /o/:orgId. */
const organisationRoutes: RouteObject[] = [
  { index: true, lazy: { Component: dashboard } },
  {
    path: 'integrations',
    lazy: { Component: async () => (await import('#web/routes/integrations.tsx')).IntegrationsPage },
  },
  {
    path: 'integrations/stripe/connect',
    lazy: { Component: async () => (await import('#web/routes/connect-stripe.tsx')).ConnectStripePage },
  },
  {
    path: 'integrations/stripe/:integrationId/:tabId?',
    lazy: {
      Component: async () => (await import('#web/routes/stripe-integration.tsx')).StripeIntegrationPage,
    },
  },
  {
    path: 'integrations/jwt/:integrationId',
    lazy: { Component: async () => (await import('#web/routes/jwt-integration.tsx')).JwtIntegrationPage },
  },
  {
    path: 'features',
    lazy: { Component: async () => (await import('#web/routes/features.tsx')).FeaturesPage },
  },
  {
    path: 'features/:featureId',
    lazy: { Component: async () => (await import('#web/routes/feature.tsx')).FeaturePage },
  },
  { path: 'plans', lazy: { Component: async () => (await import('#web/routes/plans.tsx')).PlansPage } },
  {
    path: 'plans/compare',
    lazy: { Component: async () => (await import('#web/routes/plans.tsx')).ComparePlansPage },
  },
  {
    path: 'plans/:planId/:tabId?',
    lazy: { Component: async () => (await import('#web/routes/plan.tsx')).PlanPage },
  },
  {
    path: 'plans/:planId/edit-features',
    handle: { sidebar: 'hidden' },
    lazy: {
      Component: async () => (await import('#web/routes/plan-edit-features.tsx')).PlanEditFeaturesPage,
    },
  },
  {
    path: 'customers',
    lazy: { Component: async () => (await import('#web/routes/customers.tsx')).CustomersPage },
  },
  {
    path: 'customers/:identifier',
    lazy: { Component: async () => (await import('#web/routes/customer.tsx')).CustomerPage },
  },
  {
    path: 'workflows',
    lazy: { Component: async () => (await import('#web/routes/workflows.tsx')).WorkflowsPage },
  },
  {
    path: 'workflows/:workflowId/:tabId?',
    lazy: { Component: async () => (await import('#web/routes/workflow.tsx')).WorkflowPage },
  },
  { path: 'environments', element: <Navigate to="versions" replace /> },
  {
    path: 'environments/:tabId',
    lazy: { Component: async () => (await import('#web/routes/environments.tsx')).EnvironmentsPage },
  },
  {
    path: 'environments/environments/:environmentId/:tabId?',
    lazy: { Component: async () => (await import('#web/routes/environment.tsx')).EnvironmentPage },
  },
  {
    path: 'observe/:tabId?',
    lazy: { Component: async () => (await import('#web/routes/observability.tsx')).ObservabilityPage },
  },
  { path: 'team', lazy: { Component: async () => (await import('#web/routes/team.tsx')).TeamPage } },
  { path: 'billing', lazy: { Component: async () => (await import('#web/routes/billing.tsx')).BillingPage } },
  {
    path: 'settings',
    lazy: { Component: async () => (await import('#web/routes/settings.tsx')).SettingsPage },
  },
];

/** Pages for platform staff. */
const sudoRoutes: RouteObject[] = [
  {
    path: paths.sudoOrganisations,
    lazy: { Component: async () => (await import('#web/routes/sudo-orgs.tsx')).SudoOrgsPage },
  },
  {
    path: paths.sudoUsers,
    lazy: { Component: async () => (await import('#web/routes/sudo-users.tsx')).SudoUsersPage },
  },
  {
    path: `${paths.sudoUsers}/:userId`,
    lazy: { Component: async () => (await import('#web/routes/sudo-user.tsx')).SudoUserPage },
  },
  {
    path: paths.sudoQueues,
    lazy: { Component: async () => (await import('#web/routes/sudo-queues.tsx')).SudoQueuesPage },
  },
];

const signedInRoutes: RouteObject[] = [
  { path: paths.home, lazy: { Component: dashboard } },
  {
    path: paths.quickstart,
    handle: { sidebar: 'collapsed' },
    lazy: { Component: async () => (await import('#web/routes/quickstart.tsx')).QuickstartPage },
  },
  {
    path: paths.account,
    lazy: { Component: async () => (await import('#web/routes/account.tsx')).AccountPage },
  },
  {
    path: paths.apiDocs,
    lazy: { Component: async () => (await import('#web/routes/api-docs.tsx')).ApiDocsPage },
  },
  {
    path: paths.underConstruction,
    lazy: {
      Component: async () => (await import('#web/routes/under-construction.tsx')).UnderConstructionPage,
    },
  },
  {
    path: paths.createOrganisation,
    lazy: {
      Component: async () => (await import('#web/routes/create-organisation.tsx')).CreateOrganisationPage,
    },
  },
  { path: '/o/:orgId', element: <RequireOrganisation />, children: organisationRoutes },
  { element: <RequireSudo />, children: sudoRoutes },
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
      ...signInPages.map((path): RouteObject => ({ path, element: <LeaveConsole /> })),
      {
        element: (
          <CentredLayout>
            <Outlet />
          </CentredLayout>
        ),
        children: openRoutes,
      },
      {
        element: <RequireSession />,
        children: [
          ...redirectRoutes,
          {
            element: <DashboardLayout />,
            children: [{ errorElement: <RouteFailure />, children: signedInRoutes }],
          },
        ],
      },
      { path: '*', element: <NotFoundPage /> },
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

function prefetchPage(client: QueryClient, pathname: string): void {
  if (pathname === window.location.pathname) return;
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const { lazy } = route;
    // The navigation itself reports a failure.
    if (typeof lazy === 'object') void lazy.Component?.()?.catch(() => undefined);
  }
  startPage(client, pathname, selectedOrganisation());
}
