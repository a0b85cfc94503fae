/** Builds every URL of the console. router.tsx maps them to pages. */
import { identifierSegment } from '#engine/identity/identifier-segment';

const organisation = (orgId: string) => `/o/${orgId}`;

export const paths = {
  signIn: '/signin',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  emailVerification: '/email-verification',
  awaitingAdmission: '/awaiting-admission',
  verifyEmail: '/verify-email',
  emailVerified: '/email-verified',
  postSignIn: '/post-signin',
  quickstart: '/quickstart',
  home: '/',
  account: '/account',
  apiDocs: '/api-docs',
  createOrganisation: '/create-organisation',
  paymentSuccess: '/payment-success',
  paymentFailure: '/payment-failure',
  sudoOrganisations: '/sudo-orgs',
  sudoUsers: '/sudo-users',
  sudoQueues: '/sudo-queues',
  sudoUser: (userId: string) => `/sudo-users/${userId}`,
  dashboard: (orgId: string) => `${organisation(orgId)}/`,
  integrations: (orgId: string) => `${organisation(orgId)}/integrations`,
  connectStripe: (orgId: string) => `${organisation(orgId)}/integrations/stripe/connect`,
  /** Without a tab, the page opens at the first step that is open. */
  stripeIntegration: (
    orgId: string,
    integrationId: string,
    tab?: 'connect' | 'manage' | 'customers' | 'products',
  ) => `${organisation(orgId)}/integrations/stripe/${integrationId}${tab === undefined ? '' : `/${tab}`}`,
  jwtIntegration: (orgId: string, integrationId: string) =>
    `${organisation(orgId)}/integrations/jwt/${integrationId}`,
  features: (orgId: string) => `${organisation(orgId)}/features`,
  feature: (orgId: string, featureId: string) => `${organisation(orgId)}/features/${featureId}`,
  plans: (orgId: string) => `${organisation(orgId)}/plans`,
  plan: (orgId: string, planId: string, tab: 'manage' | 'feature' = 'manage') =>
    `${organisation(orgId)}/plans/${planId}/${tab}`,
  planFeatures: (orgId: string, planId: string) => `${organisation(orgId)}/plans/${planId}/edit-features`,
  customers: (orgId: string) => `${organisation(orgId)}/customers`,
  customer: (orgId: string, identifier: string, environmentId?: string) =>
    `${organisation(orgId)}/customers/${identifierSegment(identifier)}${environmentId === undefined ? '' : `?environment=${environmentId}`}`,
  workflows: (orgId: string) => `${organisation(orgId)}/workflows`,
  workflow: (orgId: string, workflowId: string, tab: 'manage' | 'code' = 'manage') =>
    `${organisation(orgId)}/workflows/${workflowId}/${tab}`,
  environments: (orgId: string, tab: 'versions' | 'changes' | 'environments' = 'versions') =>
    `${organisation(orgId)}/environments/${tab}`,
  environment: (orgId: string, environmentId: string, tab: 'manage' | 'keys' = 'manage') =>
    `${organisation(orgId)}/environments/environments/${environmentId}/${tab}`,
  observability: (orgId: string, tab: 'events' | 'live' | 'metrics' = 'events') =>
    `${organisation(orgId)}/observe/${tab}`,
  team: (orgId: string) => `${organisation(orgId)}/team`,
  settings: (orgId: string) => `${organisation(orgId)}/settings`,
  billing: (orgId: string) => `${organisation(orgId)}/billing`,
} as const;

/** Replaces the prefix /o/{id} of a path with another organisation's. Other paths stay unchanged. */
export function inOrganisation(path: string, orgId: string): string {
  return path.replace(/^\/o\/[^/]+/, organisation(orgId));
}
