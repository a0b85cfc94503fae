/**
 * Every page of the console after sign-in: who may open it, its code, the queries that it runs first, and its place in the navigation and the
 * palette. Router, navigation, first queries, the HTML's preloads and the screenshots are derived from these entries. Its URL is the path of
 * the same name in packages/contracts/console/console-paths.ts, which the Worker reads, too.
 */
import {
  IconActivity,
  IconBook2,
  IconBox,
  IconBuildingCommunity,
  IconCompass,
  IconCreditCard,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconPlug,
  IconRoute,
  IconSettings,
  IconStack2,
  IconUser,
  IconUserSearch,
  IconUserShield,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { ConsolePage } from '#contracts/console/console-paths';
import { billingQuery } from '#web/domains/billing/queries.ts';
import { chooseEnvironment, isTestModeOnly, listedMode } from '#web/domains/customers/choose-environment.ts';
import { identifierInPath } from '#web/domains/customers/identifier-in-path.ts';
import { listedCustomer } from '#web/domains/customers/listed-customer.ts';
import { customerQuery, customersQuery, entitlementsQuery } from '#web/domains/customers/queries.ts';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { shownEnvironment } from '#web/domains/environments/keys/shown-environment.ts';
import { environmentQuery, environmentsQuery } from '#web/domains/environments/queries.ts';
import { artifactsQuery, lastDiffQuery } from '#web/domains/environments/versions/queries.ts';
import { featureQuery, featuresQuery } from '#web/domains/features/queries.ts';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { newestDecisionsQuery } from '#web/domains/live/queries.ts';
import { nearLimitQuery } from '#web/domains/metrics/near-limit-query.ts';
import { planQuery, plansQuery } from '#web/domains/plans/queries.ts';
import { teamQuery } from '#web/domains/team/queries.ts';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { workflowsQuery } from '#web/domains/workflows/queries.ts';
import type { SignInPageName } from './paths.ts';
import type { NavigationGroup } from './shell/navigation.ts';

/**
 * Starts the queries of a page with its code, not after it. A page works without; it then loads a little later.
 * @param id the path's parameter after the organisation
 */
type Start = (client: QueryClient, orgId: string, id: string) => unknown;

export interface Page {
  /**
   * `open`: without a session. `anyone`: the same, and inside the console for who is signed in. `signedIn`: without an organisation.
   * `staff`: platform staff. Absent: for members, below /o/:orgId.
   */
  readonly access?: 'open' | 'anyone' | 'signedIn' | 'staff';
  /** Absent: it leads to the page beside it, at `redirectsTo`. */
  readonly load?: () => Promise<ComponentType>;
  readonly redirectsTo?: string;
  /** Has no frame and nothing to see: its code leads to another page. */
  readonly isPassage?: true;
  /** Of the tab in the browser, the heading, and the entry in navigation and palette. Absent: the page says it. */
  readonly title?: string;
  /** Below the heading. Absent: the page says it, or has none. Those of the pages that are opened most are here, which the HTML shows first. */
  readonly subtitle?: string;
  /** Until the name is known, the heading is the path's parameter after the organisation. */
  readonly isTitledById?: true;
  /** The place in the navigation and among the palette's pages. */
  readonly navigation?: {
    readonly group: NavigationGroup;
    readonly icon: TablerIcon;
    readonly label?: string;
  };
  /** What `:tabId` can be. The first one opens. */
  readonly tabs?: readonly string[];
  readonly sidebar?: 'hidden' | 'collapsed';
  readonly start?: Start;
  /** Large code that the page loads on request: fetched when a link to it is pointed at or focused. */
  readonly loadAhead?: () => Promise<unknown>;
}

const startDashboard: Start = (client, orgId) => [
  startKeys(client, orgId),
  client.prefetchQuery(lastDiffQuery(orgId)),
  client.prefetchQuery(usageQuery(orgId)),
  client.prefetchQuery(newestDecisionsQuery(orgId)),
  client.prefetchQuery(nearLimitQuery(orgId)),
];

/** A failure is shown by the card that reads the same queries. */
async function startKeys(client: QueryClient, orgId: string): Promise<void> {
  const environments = await client.fetchQuery(environmentsQuery(orgId)).catch(() => []);
  const shown = shownEnvironment(environments);
  if (shown !== undefined) await client.prefetchQuery(apiKeysQuery(orgId, shown.id));
}

const startPlan: Start = (client, orgId, id) => [
  client.prefetchQuery(planQuery(orgId, id)),
  client.prefetchQuery(featuresQuery(orgId)),
];

const startCustomer: Start = (client, orgId, id) => {
  const identifier = identifierInPath(id);
  return [
    identifier !== null && startEntitlements(client, orgId, identifier),
    client.prefetchQuery(plansQuery(orgId)),
    client.prefetchQuery(featuresQuery(orgId)),
  ];
};

/** In the environment that the page will choose: known at once if the list of customers and the environments are. Failures are shown by the page. */
async function startEntitlements(client: QueryClient, orgId: string, identifier: string): Promise<void> {
  const customer = client.fetchQuery(customerQuery(orgId, identifier)).catch(() => null);
  const environments = client.ensureQueryData(environmentsQuery(orgId)).catch(() => []);
  const listed = listedMode(identifier, listedCustomer(client, orgId, identifier));
  const found = listed === undefined ? await customer : null;
  const isTestMode = listed ?? isTestModeOnly(identifier, found?.linked ?? []);
  const chosen = chooseEnvironment(await environments, null, isTestMode, found?.created);
  if (chosen !== undefined) await client.prefetchQuery(entitlementsQuery(orgId, identifier, chosen.id));
}

const startPlans: Start = (client, orgId) => client.prefetchQuery(plansQuery(orgId));

const PLANS_SUBTITLE = 'Bundles of feature values, granted by subscription, sign-in status or manually.';

const DASHBOARD_SUBTITLE =
  'What is deployed, what was decided, and how much of the month’s allowance is used.';

const dashboard = async () => (await import('#web/routes/dashboard/dashboard.tsx')).DashboardPage;
const paymentFailure = async () =>
  (await import('#web/routes/organisation/payment-failure.tsx')).PaymentFailurePage;

/** In the order of the navigation. */
export const pages: Readonly<Record<Exclude<ConsolePage, SignInPageName>, Page>> = {
  verifyEmail: {
    access: 'open',
    load: async () => (await import('#web/routes/sign-in/verify-email.tsx')).VerifyEmailPage,
  },
  newAttempts: {
    access: 'open',
    load: async () => (await import('#web/routes/new-attempts.tsx')).NewAttemptsPage,
  },
  paymentSuccess: {
    access: 'open',
    load: async () => (await import('#web/routes/organisation/payment-success.tsx')).PaymentSuccessPage,
  },
  paymentFailure: { access: 'open', load: paymentFailure },
  organisationPaymentFailure: { access: 'open', load: paymentFailure },
  organisationPaymentCanceled: {
    access: 'open',
    load: async () => (await import('#web/routes/organisation/payment-canceled.tsx')).PaymentCanceledPage,
  },
  emailVerified: {
    access: 'signedIn',
    isPassage: true,
    load: async () => (await import('#web/routes/sign-in/email-verified.tsx')).EmailVerifiedPage,
  },
  postSignIn: {
    access: 'signedIn',
    isPassage: true,
    load: async () => (await import('#web/routes/sign-in/post-signin.tsx')).PostSignInPage,
  },
  home: { access: 'signedIn', subtitle: DASHBOARD_SUBTITLE, load: dashboard, start: startDashboard },
  quickstart: {
    access: 'signedIn',
    sidebar: 'collapsed',
    load: async () => (await import('#web/routes/quickstart/quickstart.tsx')).QuickstartPage,
  },
  createOrganisation: {
    access: 'signedIn',
    title: 'Create an organisation',
    load: async () =>
      (await import('#web/routes/organisation/create-organisation.tsx')).CreateOrganisationPage,
  },
  underConstruction: {
    access: 'signedIn',
    title: 'Under Construction',
    load: async () => (await import('#web/routes/under-construction.tsx')).UnderConstructionPage,
  },
  dashboard: {
    subtitle: DASHBOARD_SUBTITLE,
    navigation: { group: 'organisation', icon: IconLayoutDashboard, label: 'Dashboard' },
    load: dashboard,
    start: startDashboard,
  },
  integrations: {
    title: 'Integrations',
    subtitle: 'Connect your payment and auth providers.',
    navigation: { group: 'organisation', icon: IconPlug },
    load: async () => (await import('#web/routes/integrations/integrations.tsx')).IntegrationsPage,
    start: (client, orgId) => [
      client.prefetchQuery(stripeIntegrationsQuery(orgId)),
      client.prefetchQuery(jwtIntegrationsQuery(orgId)),
      client.prefetchQuery(usageQuery(orgId)),
    ],
  },
  connectStripe: {
    title: 'Connect Stripe',
    load: async () => (await import('#web/routes/integrations/connect-stripe.tsx')).ConnectStripePage,
  },
  stripeIntegration: {
    tabs: ['connect', 'manage', 'customers', 'products'],
    load: async () => (await import('#web/routes/integrations/stripe-integration.tsx')).StripeIntegrationPage,
  },
  jwtIntegration: {
    load: async () => (await import('#web/routes/integrations/jwt-integration.tsx')).JwtIntegrationPage,
  },
  webhooks: {
    title: 'Webhooks',
    navigation: { group: 'organisation', icon: IconWebhook },
    load: async () => (await import('#web/routes/integrations/webhooks.tsx')).WebhooksPage,
  },
  webhook: {
    load: async () => (await import('#web/routes/integrations/webhooks.tsx')).WebhookPage,
  },
  features: {
    title: 'Features',
    subtitle: 'Everything you gate or meter. Plans set the values of its properties.',
    navigation: { group: 'organisation', icon: IconBox },
    load: async () => (await import('#web/routes/workspace/features.tsx')).FeaturesPage,
    start: (client, orgId) => client.prefetchQuery(featuresQuery(orgId)),
  },
  feature: {
    load: async () => (await import('#web/routes/workspace/feature.tsx')).FeaturePage,
    start: (client, orgId, id) => client.prefetchQuery(featureQuery(orgId, id)),
  },
  plans: {
    title: 'Plans',
    subtitle: PLANS_SUBTITLE,
    navigation: { group: 'organisation', icon: IconListDetails },
    load: async () => (await import('#web/routes/workspace/plans.tsx')).PlansPage,
    start: startPlans,
  },
  comparePlans: {
    title: 'Compare plans',
    subtitle: PLANS_SUBTITLE,
    load: async () => (await import('#web/routes/workspace/plans.tsx')).ComparePlansPage,
    start: startPlans,
  },
  planFeatures: {
    sidebar: 'hidden',
    load: async () => (await import('#web/routes/workspace/plan-edit-features.tsx')).PlanEditFeaturesPage,
    start: startPlan,
  },
  plan: {
    tabs: ['feature', 'manage'],
    load: async () => (await import('#web/routes/workspace/plan.tsx')).PlanPage,
    start: startPlan,
  },
  customers: {
    title: 'Customers',
    subtitle: 'See what a customer can do and has used, grant plans and override values.',
    navigation: { group: 'organisation', icon: IconUserSearch },
    load: async () => (await import('#web/routes/customers/customers.tsx')).CustomersPage,
    start: (client, orgId) => [
      client.prefetchInfiniteQuery(customersQuery(orgId, '', undefined)),
      client.prefetchQuery(plansQuery(orgId)),
      client.prefetchQuery(environmentsQuery(orgId)),
    ],
  },
  customer: {
    isTitledById: true,
    load: async () => (await import('#web/routes/customers/customer.tsx')).CustomerPage,
    start: startCustomer,
  },
  workflows: {
    title: 'Workflows',
    subtitle: 'Override plans with your own TypeScript.',
    navigation: { group: 'organisation', icon: IconRoute },
    load: async () => (await import('#web/routes/workspace/workflows.tsx')).WorkflowsPage,
    start: (client, orgId) => [
      client.prefetchQuery(workflowsQuery(orgId)),
      client.prefetchQuery(environmentsQuery(orgId)),
    ],
  },
  workflow: {
    tabs: ['manage', 'code'],
    load: async () => (await import('#web/routes/workspace/workflow.tsx')).WorkflowPage,
    loadAhead: () => import('#web/domains/workflows/code/code-editor.tsx'),
  },
  anyEnvironments: { redirectsTo: 'versions' },
  environments: {
    title: 'Environments',
    subtitle: 'Freeze your changes as versions, deploy them and roll back.',
    navigation: { group: 'organisation', icon: IconStack2 },
    tabs: ['versions', 'changes', 'environments'],
    load: async () => (await import('#web/routes/workspace/environments.tsx')).EnvironmentsPage,
    start: (client, orgId) => [
      client.prefetchQuery(environmentsQuery(orgId)),
      client.prefetchQuery(artifactsQuery(orgId)),
    ],
  },
  environment: {
    tabs: ['manage', 'keys'],
    load: async () => (await import('#web/routes/workspace/environment.tsx')).EnvironmentPage,
    start: (client, orgId, id) => client.prefetchQuery(environmentQuery(orgId, id)),
  },
  observability: {
    title: 'Observability',
    subtitle: 'See every access check, counter update and Stripe event, and why it ended as it did.',
    navigation: { group: 'organisation', icon: IconActivity },
    tabs: ['events', 'live', 'metrics'],
    load: async () => (await import('#web/routes/observability.tsx')).ObservabilityPage,
    start: (client, orgId) => [
      client.prefetchQuery(environmentsQuery(orgId)),
      client.prefetchQuery(plansQuery(orgId)),
      client.prefetchQuery(featuresQuery(orgId)),
    ],
  },
  team: {
    title: 'Team',
    navigation: { group: 'administration', icon: IconUsers },
    load: async () => (await import('#web/routes/organisation/team.tsx')).TeamPage,
    start: (client, orgId) => client.prefetchQuery(teamQuery(orgId)),
  },
  activity: {
    title: 'Activity',
    subtitle: 'Every change by members, API keys, support and Stripe.',
    navigation: { group: 'palette', icon: IconHistory },
    load: async () => (await import('#web/routes/organisation/activity.tsx')).ActivityPage,
  },
  settings: {
    title: 'Settings',
    subtitle: 'Name, time zone and data regions.',
    navigation: { group: 'administration', icon: IconSettings },
    load: async () => (await import('#web/routes/organisation/settings.tsx')).SettingsPage,
  },
  billing: {
    title: 'Plan & Billing',
    subtitle: 'Your organisation’s subscription and usage.',
    navigation: { group: 'administration', icon: IconCreditCard },
    load: async () => (await import('#web/routes/organisation/billing.tsx')).BillingPage,
    start: (client, orgId) => client.prefetchQuery(billingQuery(orgId)),
  },
  apiDocs: {
    access: 'signedIn',
    title: 'API Docs',
    navigation: { group: 'tools', icon: IconBook2 },
    load: async () => (await import('#web/routes/documentation/api-docs.tsx')).ApiDocsPage,
  },
  docs: {
    access: 'anyone',
    title: 'Guides',
    navigation: { group: 'tools', icon: IconCompass },
    load: async () => (await import('#web/routes/documentation/docs.tsx')).DocsPage,
  },
  sudoOrganisations: {
    access: 'staff',
    title: 'Sudo Orgs',
    navigation: { group: 'staff', icon: IconBuildingCommunity },
    load: async () => (await import('#web/routes/sudo/sudo-orgs.tsx')).SudoOrgsPage,
  },
  sudoUsers: {
    access: 'staff',
    title: 'Sudo Users',
    navigation: { group: 'staff', icon: IconUserShield },
    load: async () => (await import('#web/routes/sudo/sudo-users.tsx')).SudoUsersPage,
  },
  sudoUser: {
    access: 'staff',
    load: async () => (await import('#web/routes/sudo/sudo-user.tsx')).SudoUserPage,
  },
  sudoQueues: {
    access: 'staff',
    title: 'Undelivered messages',
    load: async () => (await import('#web/routes/sudo/sudo-queues.tsx')).SudoQueuesPage,
  },
  account: {
    access: 'signedIn',
    title: 'Profile Information',
    navigation: { group: 'palette', icon: IconUser, label: 'Account' },
    load: async () => (await import('#web/routes/account.tsx')).AccountPage,
  },
};
