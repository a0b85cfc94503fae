/** The route table: the page, layout and guard of every URL. Page code loads lazily with its route. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserRouter,
  matchRoutes,
  Navigate,
  Outlet,
  type RouteObject,
  ScrollRestoration,
} from 'react-router';
import { FailedPage } from '#web/routes/failed-page.tsx';
import { startPage } from '#web/routes/first-queries.ts';
import { NotFoundPage } from '#web/routes/not-found.tsx';
import { selectedOrganisation } from '#web/session/selected-organisation.ts';
import { CentredLayout } from '#web/shell/centred-layout.tsx';
import { RequireOrganisation, RequireSession, RequireSudo } from '#web/shell/guards.tsx';
import { FullPageSpinner } from '#web/ui/full-page-spinner.tsx';
import { paths } from './paths.ts';

const paymentFailure = async () => (await import('#web/routes/payment-failure.tsx')).PaymentFailurePage;
const dashboard = async () => (await import('#web/routes/dashboard.tsx')).DashboardPage;

/** Pages before sign-in and after a payment, in the centred layout. */
const openRoutes: RouteObject[] = [
  {
    path: paths.signIn,
    lazy: { Component: async () => (await import('#web/routes/signin.tsx')).SignInPage },
  },
  {
    path: paths.signUp,
    lazy: { Component: async () => (await import('#web/routes/signup.tsx')).SignUpPage },
  },
  {
    path: paths.forgotPassword,
    lazy: { Component: async () => (await import('#web/routes/forgot-password.tsx')).ForgotPasswordPage },
  },
  {
    path: paths.resetPassword,
    lazy: { Component: async () => (await import('#web/routes/reset-password.tsx')).ResetPasswordPage },
  },
  {
    path: paths.emailVerification,
    lazy: {
      Component: async () => (await import('#web/routes/email-verification.tsx')).EmailVerificationPage,
    },
  },
  {
    path: paths.awaitingAdmission,
    lazy: {
      Component: async () => (await import('#web/routes/awaiting-admission.tsx')).AwaitingAdmissionPage,
    },
  },
  {
    path: paths.verifyEmail,
    lazy: { Component: async () => (await import('#web/routes/verify-email.tsx')).VerifyEmailPage },
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

const routes: RouteObject[] = [
  {
    element: (
      <>
        <Outlet />
        <ScrollRestoration />
      </>
    ),
    errorElement: <FailedPage />,
    HydrateFallback: FullPageSpinner,
    children: [
      { element: <CentredLayout />, children: openRoutes },
      {
        element: <RequireSession />,
        children: [
          ...redirectRoutes,
          {
            lazy: {
              Component: async () => (await import('#web/shell/dashboard-layout.tsx')).DashboardLayout,
            },
            children: [{ errorElement: <FailedPage />, children: signedInRoutes }],
          },
        ],
      },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);

/** How long the pointer rests on a link before its page is fetched. Crossing a list fetches nothing. */
const INTENT_MS = 80;

/** Fetches the code and the first data of a page when its link is pointed at or focused, whichever component shows the link. */
export function prefetchOnIntent(client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const consider = ({ target }: Event) => {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    timer = setTimeout(() => prefetchPage(client, link.pathname), INTENT_MS);
  };
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider, { passive: true });
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
