/** Builds every URL of the console. router.tsx maps them to pages. */
import { identifierSegment } from '#engine/identity/identifier-segment';

const organisation = (orgId: string) => `/o/${orgId}`;

/** The Events tab's URL parameters. Empty ones are left out. */
export interface EventsAddress {
  /** Search text. */
  readonly q?: string | undefined;
  /** A customer's identifier, exactly. */
  readonly subject?: string | undefined;
  /** Environment id. */
  readonly environment?: string | undefined;
  readonly type?: string | undefined;
  readonly outcome?: string | undefined;
  /** Slug. */
  readonly plan?: string | undefined;
  /** Slug. */
  readonly feature?: string | undefined;
  /** Two letters. */
  readonly country?: string | undefined;
  /** A range that ends now: '24h'. */
  readonly range?: string | undefined;
  /** A fixed range: epoch milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The position of a page after the first. */
  readonly before?: string | undefined;
  /** Id of the open event. */
  readonly event?: string | undefined;
  /** Its tab, unless it is the first. */
  readonly tab?: string | undefined;
}

function queryText(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

export const paths = {
  signIn: '/signin',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  emailVerification: '/email-verification',
  awaitingAdmission: '/awaiting-admission',
  verifyEmail: '/verify-email',
  newAttempts: '/new-attempts',
  emailVerified: '/email-verified',
  postSignIn: '/post-signin',
  quickstart: '/quickstart',
  home: '/',
  account: '/account',
  apiDocs: '/api-docs',
  /** @param id of a section of domains/api-docs/api-reference.tsx */
  apiDocsSection: (id: string) => `/api-docs#${id}`,
  underConstruction: '/under-construction',
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
  plan: (orgId: string, planId: string, tab: 'manage' | 'feature' = 'feature') =>
    `${organisation(orgId)}/plans/${planId}/${tab}`,
  comparePlans: (orgId: string) => `${organisation(orgId)}/plans/compare`,
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
  events: (orgId: string, address: EventsAddress = {}) =>
    `${organisation(orgId)}/observe/events${queryText(address)}`,
  team: (orgId: string) => `${organisation(orgId)}/team`,
  settings: (orgId: string) => `${organisation(orgId)}/settings`,
  billing: (orgId: string) => `${organisation(orgId)}/billing`,
} as const;

/** Pages that are shown without the console. */
export const signInPages: readonly string[] = [
  paths.signIn,
  paths.signUp,
  paths.forgotPassword,
  paths.resetPassword,
  paths.emailVerification,
  paths.awaitingAdmission,
];

/** The entry of `signInPages` at this path. Null: the path belongs to the console. */
export function signInPageOf(pathname: string): string | null {
  const path = pathname.replace(/\/+$/, '').toLowerCase();
  return signInPages.find((page) => page === path) ?? null;
}

/** The part of a path below /o/{id} that every organisation has: a section, with its tab. */
const SHARED_PAGE =
  /^\/(environments\/(versions|changes|environments)(?![^/])|observe\/[^/]+|integrations\/stripe\/connect$|[^/]*)|^$/;

/** The URL parameters that mean the same in every organisation. Others are ids and slugs of one, positions in its lists, or tokens. */
const SHARED_PARAMS = new Set(['q', 'query', 'filter', 'type', 'outcome', 'country', 'range', 'from', 'to']);

/**
 * The same page in another organisation. The page of an item, which the other organisation does not have, becomes its
 * section. Paths outside of an organisation stay unchanged.
 * @param search the query. If the page is the same, it keeps the parameters that mean the same in every organisation
 */
export function inOrganisation(path: string, orgId: string, search = ''): string {
  const [, rest] = /^\/o\/[^/]+(.*)$/.exec(path) ?? [];
  if (rest === undefined) return path + search;
  const [page = ''] = SHARED_PAGE.exec(rest) ?? [];
  const params = [...new URLSearchParams(page === rest ? search : '')];
  const shared = params.filter(([name]) => SHARED_PARAMS.has(name));
  return organisation(orgId) + page + queryText(Object.fromEntries(shared));
}
