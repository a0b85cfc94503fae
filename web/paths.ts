/** Builds every URL of the console, from the table of its pages' paths. */
import { CONSOLE_PATHS, type ConsolePage } from '#contracts/console/console-paths';
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
  /** What usage was taken from: 'quota', 'held', 'balance:inv-118'. */
  readonly drew?: string | undefined;
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

/** The Activity page's URL parameters. */
export interface ActivityAddress {
  /** Id of an object: its history. */
  readonly target?: string | undefined;
  /** A person, a key, `stripe` or `service`. */
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  /** A range that ends now: '24h'. */
  readonly range?: string | undefined;
}

function queryText(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

type ValuesOf<Path> = Path extends `${string}/:${string}/${infer Rest}`
  ? [string, ...ValuesOf<`/${Rest}`>]
  : Path extends `${string}/:${string}?`
    ? [string?]
    : Path extends `${string}/:${string}`
      ? [string]
      : [];

/** The path of a page, with the values of its parameters in their order. */
function pathOf<Name extends ConsolePage>(
  name: Name,
  ...values: ValuesOf<(typeof CONSOLE_PATHS)[Name]>
): string {
  const rest = [...values];
  return CONSOLE_PATHS[name].replace(/\/:\w+\??/g, () => {
    const value = rest.shift();
    return value === undefined ? '' : `/${value}`;
  });
}

export const paths = {
  home: CONSOLE_PATHS.home,
  signIn: CONSOLE_PATHS.signIn,
  signUp: CONSOLE_PATHS.signUp,
  forgotPassword: CONSOLE_PATHS.forgotPassword,
  resetPassword: CONSOLE_PATHS.resetPassword,
  emailVerification: CONSOLE_PATHS.emailVerification,
  awaitingAdmission: CONSOLE_PATHS.awaitingAdmission,
  verifyEmail: CONSOLE_PATHS.verifyEmail,
  newAttempts: CONSOLE_PATHS.newAttempts,
  emailVerified: CONSOLE_PATHS.emailVerified,
  postSignIn: CONSOLE_PATHS.postSignIn,
  quickstart: CONSOLE_PATHS.quickstart,
  account: CONSOLE_PATHS.account,
  /** @param guide its id in packages/contracts/console/guide-list.ts. Absent: the overview */
  docs: (guide?: string) => pathOf('docs', guide || undefined),
  apiDocs: CONSOLE_PATHS.apiDocs,
  underConstruction: CONSOLE_PATHS.underConstruction,
  createOrganisation: CONSOLE_PATHS.createOrganisation,
  paymentSuccess: CONSOLE_PATHS.paymentSuccess,
  paymentFailure: CONSOLE_PATHS.paymentFailure,
  sudoOrganisations: CONSOLE_PATHS.sudoOrganisations,
  sudoUsers: CONSOLE_PATHS.sudoUsers,
  sudoQueues: CONSOLE_PATHS.sudoQueues,
  /** @param id of a section of domains/api-docs/api-reference.tsx */
  apiDocsSection: (id: string) => `${CONSOLE_PATHS.apiDocs}#${id}`,
  sudoUser: (userId: string) => pathOf('sudoUser', userId),
  dashboard: (orgId: string) => pathOf('dashboard', orgId),
  integrations: (orgId: string) => pathOf('integrations', orgId),
  connectStripe: (orgId: string) => pathOf('connectStripe', orgId),
  /** Without a tab, the page opens at the first step that is open. */
  stripeIntegration: (
    orgId: string,
    integrationId: string,
    tab?: 'connect' | 'manage' | 'customers' | 'products',
  ) => pathOf('stripeIntegration', orgId, integrationId, tab),
  jwtIntegration: (orgId: string, integrationId: string) => pathOf('jwtIntegration', orgId, integrationId),
  webhooks: (orgId: string) => pathOf('webhooks', orgId),
  webhook: (orgId: string, webhookId: string, tab?: 'manage') => pathOf('webhook', orgId, webhookId, tab),
  features: (orgId: string) => pathOf('features', orgId),
  feature: (orgId: string, featureId: string) => pathOf('feature', orgId, featureId),
  plans: (orgId: string) => pathOf('plans', orgId),
  plan: (orgId: string, planId: string, tab: 'manage' | 'feature' = 'feature') =>
    pathOf('plan', orgId, planId, tab),
  comparePlans: (orgId: string) => pathOf('comparePlans', orgId),
  planFeatures: (orgId: string, planId: string) => pathOf('planFeatures', orgId, planId),
  customers: (orgId: string) => pathOf('customers', orgId),
  customer: (orgId: string, identifier: string, environmentId?: string) =>
    pathOf('customer', orgId, identifierSegment(identifier)) + queryText({ environment: environmentId }),
  workflows: (orgId: string) => pathOf('workflows', orgId),
  workflow: (orgId: string, workflowId: string, tab: 'manage' | 'code' | 'runs' = 'manage') =>
    pathOf('workflow', orgId, workflowId, tab),
  environments: (orgId: string, tab: 'versions' | 'changes' | 'environments' = 'versions') =>
    pathOf('environments', orgId, tab),
  environment: (orgId: string, environmentId: string, tab: 'manage' | 'keys' = 'manage') =>
    pathOf('environment', orgId, environmentId, tab),
  observability: (orgId: string, tab: 'events' | 'live' | 'metrics' = 'events') =>
    pathOf('observability', orgId, tab),
  events: (orgId: string, address: EventsAddress = {}) =>
    pathOf('observability', orgId, 'events') + queryText(address),
  team: (orgId: string) => pathOf('team', orgId),
  activity: (orgId: string, address: ActivityAddress = {}) => pathOf('activity', orgId) + queryText(address),
  settings: (orgId: string) => pathOf('settings', orgId),
  billing: (orgId: string) => pathOf('billing', orgId),
} as const;

/** Pages that are shown without the console; sign-in-pages.tsx has their code. */
export const SIGN_IN_PAGES = [
  ...(['signIn', 'signUp', 'forgotPassword', 'resetPassword'] as const),
  ...(['emailVerification', 'awaitingAdmission'] as const),
] as const;
export type SignInPageName = (typeof SIGN_IN_PAGES)[number];

/** The page before sign-in at this path. Null: the path belongs to the console. */
export function signInPageAt(pathname: string): SignInPageName | null {
  const path = pathname.replace(/\/+$/, '').toLowerCase();
  return SIGN_IN_PAGES.find((name) => CONSOLE_PATHS[name] === path) ?? null;
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
