/** The route table: which page answers which address, in which frame, behind which guard. Pages load with their routes. */
import { createBrowserRouter, Navigate, Outlet, type RouteObject, ScrollRestoration } from 'react-router';
import { paths } from './paths.ts';
import { FailedPage } from './routes/failed-page.tsx';
import { NotFoundPage } from './routes/not-found.tsx';
import { RequireOrganisation } from './session/require-organisation.tsx';
import { RequireSession } from './session/require-session.tsx';
import { RequireSudo } from './session/require-sudo.tsx';
import { CentredLayout } from './shell/centred-layout.tsx';
import { FullPageSpinner } from './ui/full-page-spinner.tsx';

const paymentFailure = async () => (await import('./routes/payment-failure.tsx')).PaymentFailurePage;
const dashboard = async () => (await import('./routes/dashboard.tsx')).DashboardPage;

/** Before sign-in, and back from a payment, in the centred frame. */
const openRoutes: RouteObject[] = [
  { path: paths.signIn, lazy: { Component: async () => (await import('./routes/signin.tsx')).SignInPage } },
  { path: paths.signUp, lazy: { Component: async () => (await import('./routes/signup.tsx')).SignUpPage } },
  {
    path: paths.forgotPassword,
    lazy: { Component: async () => (await import('./routes/forgot-password.tsx')).ForgotPasswordPage },
  },
  {
    path: paths.resetPassword,
    lazy: { Component: async () => (await import('./routes/reset-password.tsx')).ResetPasswordPage },
  },
  {
    path: paths.emailVerification,
    lazy: { Component: async () => (await import('./routes/email-verification.tsx')).EmailVerificationPage },
  },
  {
    path: paths.awaitingAdmission,
    lazy: { Component: async () => (await import('./routes/awaiting-admission.tsx')).AwaitingAdmissionPage },
  },
  {
    path: paths.verifyEmail,
    lazy: { Component: async () => (await import('./routes/verify-email.tsx')).VerifyEmailPage },
  },
  {
    path: paths.paymentSuccess,
    lazy: { Component: async () => (await import('./routes/payment-success.tsx')).PaymentSuccessPage },
  },
  { path: paths.paymentFailure, lazy: { Component: paymentFailure } },
  { path: '/o/:orgId/payment-failure', lazy: { Component: paymentFailure } },
  {
    path: '/o/:orgId/payment-canceled',
    lazy: { Component: async () => (await import('./routes/payment-canceled.tsx')).PaymentCanceledPage },
  },
];

/** Signed in, without a frame: they only lead on. */
const passingRoutes: RouteObject[] = [
  {
    path: paths.emailVerified,
    lazy: { Component: async () => (await import('./routes/email-verified.tsx')).EmailVerifiedPage },
  },
  {
    path: paths.postSignIn,
    lazy: { Component: async () => (await import('./routes/post-signin.tsx')).PostSignInPage },
  },
  { path: paths.quickstart, element: <Navigate to={paths.home} replace /> },
];

/** Of one organisation, below /o/:orgId. */
const organisationRoutes: RouteObject[] = [
  { index: true, lazy: { Component: dashboard } },
  {
    path: 'integrations',
    lazy: { Component: async () => (await import('./routes/integrations.tsx')).IntegrationsPage },
  },
  {
    path: 'integrations/stripe/connect',
    lazy: { Component: async () => (await import('./routes/connect-stripe.tsx')).ConnectStripePage },
  },
  {
    path: 'integrations/stripe/:integrationId/:tabId?',
    lazy: { Component: async () => (await import('./routes/stripe-integration.tsx')).StripeIntegrationPage },
  },
  {
    path: 'integrations/jwt/:integrationId',
    lazy: { Component: async () => (await import('./routes/jwt-integration.tsx')).JwtIntegrationPage },
  },
  { path: 'features', lazy: { Component: async () => (await import('./routes/features.tsx')).FeaturesPage } },
  {
    path: 'features/:featureId',
    lazy: { Component: async () => (await import('./routes/feature.tsx')).FeaturePage },
  },
  { path: 'plans', lazy: { Component: async () => (await import('./routes/plans.tsx')).PlansPage } },
  {
    path: 'plans/:planId/:tabId?',
    lazy: { Component: async () => (await import('./routes/plan.tsx')).PlanPage },
  },
  {
    path: 'plans/:planId/edit-features',
    handle: { sidebar: 'hidden' },
    lazy: { Component: async () => (await import('./routes/plan-edit-features.tsx')).PlanEditFeaturesPage },
  },
  {
    path: 'customers',
    lazy: { Component: async () => (await import('./routes/customers.tsx')).CustomersPage },
  },
  {
    path: 'customers/:identifier',
    lazy: { Component: async () => (await import('./routes/customer.tsx')).CustomerPage },
  },
  {
    path: 'workflows',
    lazy: { Component: async () => (await import('./routes/workflows.tsx')).WorkflowsPage },
  },
  {
    path: 'workflows/:workflowId/:tabId?',
    lazy: { Component: async () => (await import('./routes/workflows.tsx')).WorkflowsPage },
  },
  { path: 'environments', element: <Navigate to="versions" replace /> },
  {
    path: 'environments/:tabId',
    lazy: { Component: async () => (await import('./routes/environments.tsx')).EnvironmentsPage },
  },
  {
    path: 'environments/environments/:environmentId/:tabId?',
    lazy: { Component: async () => (await import('./routes/environment.tsx')).EnvironmentPage },
  },
  {
    path: 'observe/:tabId?',
    lazy: { Component: async () => (await import('./routes/observability.tsx')).ObservabilityPage },
  },
  { path: 'team', lazy: { Component: async () => (await import('./routes/team.tsx')).TeamPage } },
  { path: 'billing', lazy: { Component: async () => (await import('./routes/billing.tsx')).BillingPage } },
  { path: 'settings', lazy: { Component: async () => (await import('./routes/settings.tsx')).SettingsPage } },
];

/** Of platform staff; nobody else is shown them. */
const sudoRoutes: RouteObject[] = [
  {
    path: paths.sudoOrganisations,
    lazy: { Component: async () => (await import('./routes/sudo-orgs.tsx')).SudoOrgsPage },
  },
  {
    path: paths.sudoUsers,
    lazy: { Component: async () => (await import('./routes/sudo-users.tsx')).SudoUsersPage },
  },
  {
    path: `${paths.sudoUsers}/:userId`,
    lazy: { Component: async () => (await import('./routes/sudo-user.tsx')).SudoUserPage },
  },
  {
    path: paths.sudoQueues,
    lazy: { Component: async () => (await import('./routes/sudo-queues.tsx')).SudoQueuesPage },
  },
];

const signedInRoutes: RouteObject[] = [
  { path: paths.home, lazy: { Component: dashboard } },
  {
    path: paths.account,
    lazy: { Component: async () => (await import('./routes/account.tsx')).AccountPage },
  },
  {
    path: paths.apiDocs,
    lazy: { Component: async () => (await import('./routes/api-docs.tsx')).ApiDocsPage },
  },
  {
    path: paths.createOrganisation,
    lazy: {
      Component: async () => (await import('./routes/create-organisation.tsx')).CreateOrganisationPage,
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
          ...passingRoutes,
          {
            lazy: { Component: async () => (await import('./shell/dashboard-layout.tsx')).DashboardLayout },
            children: [{ errorElement: <FailedPage />, children: signedInRoutes }],
          },
        ],
      },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
