/**
 * Every query key of the console, and which keys a change makes stale. A key begins with its scope:
 *
 *     ['org', orgId, environmentId | null, resource, …]   data of an organisation, or of one of its environments
 *     ['user', …]                                         data of the signed-in user, across organisations
 *     ['sudo', …]                                         data that platform staff see
 *     ['api-description']
 *
 * Signing out removes the `org`, `user` and `sudo` scopes (session/start-frame.ts).
 */
import type { QueryClient } from '@tanstack/react-query';

/** Position 3 of an organisation's key. Changes are announced per resource. */
type Resource =
  | 'activity'
  | 'api-keys'
  | 'artifacts'
  | 'billing'
  | 'customers'
  | 'deployments'
  | 'environments'
  | 'events'
  | 'features'
  | 'item-uses'
  | 'jwt-integrations'
  | 'members'
  | 'organisation'
  | 'plan-editor'
  | 'plans'
  | 'still-deployed'
  | 'stripe-integrations'
  | 'stripe-products'
  | 'summary'
  | 'support-access'
  | 'team'
  | 'usage'
  | 'workflows';

const inOrganisation = <Rest extends readonly unknown[]>(
  orgId: string | null,
  resource: Resource,
  ...rest: Rest
) => ['org', orgId, null, resource, ...rest] as const;

const inEnvironment = <Rest extends readonly unknown[]>(
  orgId: string,
  environmentId: string,
  resource: Resource,
  ...rest: Rest
) => ['org', orgId, environmentId, resource, ...rest] as const;

export const queryKeys = {
  apiDescription: ['api-description'],

  ownOrganisations: ['user', 'organisations'],
  invitations: ['user', 'invitations'],

  sudoOrganisations: ['sudo', 'organisations'],
  sudoOrganisationSearch: (search: string) => ['sudo', 'organisations', 'search', search] as const,
  sudoOrganisation: (orgId: string) => ['sudo', 'organisations', 'one', orgId] as const,
  sudoUsers: ['sudo', 'users'],
  sudoUserSearch: (search: string) => ['sudo', 'users', 'search', search] as const,
  sudoUser: (userId: string) => ['sudo', 'users', 'one', userId] as const,
  deadLetters: ['sudo', 'dead-letters'],

  /** Prefix of every key of the organisation. */
  organisationScope: (orgId: string | null) => ['org', orgId] as const,
  organisation: (orgId: string) => inOrganisation(orgId, 'organisation'),
  supportAccess: (orgId: string) => inOrganisation(orgId, 'support-access'),
  organisationSummary: (orgId: string | null) => inOrganisation(orgId, 'summary'),
  member: (orgId: string, userId: string) => inOrganisation(orgId, 'members', userId),
  team: (orgId: string) => inOrganisation(orgId, 'team'),
  billing: (orgId: string) => inOrganisation(orgId, 'billing'),
  nextInvoice: (orgId: string) => inOrganisation(orgId, 'billing', 'next-invoice'),
  usage: (orgId: string, period: 'day') => inOrganisation(orgId, 'usage', period),

  activity: (orgId: string, filter: object) => inOrganisation(orgId, 'activity', filter),

  features: (orgId: string | null) => inOrganisation(orgId, 'features'),
  featureSummaries: (orgId: string) => inOrganisation(orgId, 'plans', 'feature-summaries'),
  featureCalls: (orgId: string) => inOrganisation(orgId, 'events', 'feature-calls'),
  lastFeatureChanges: (orgId: string) => inOrganisation(orgId, 'activity', 'last-feature-changes'),
  feature: (orgId: string, featureId: string) => inOrganisation(orgId, 'features', featureId),
  plans: (orgId: string | null) => inOrganisation(orgId, 'plans'),
  plan: (orgId: string, planId: string) => inOrganisation(orgId, 'plans', planId),
  planSummaries: (orgId: string) => inOrganisation(orgId, 'plans', 'summaries'),
  planVersions: (orgId: string) => inOrganisation(orgId, 'plans', 'current-versions'),
  planVersion: (orgId: string, planId: string, version: number | undefined) =>
    inOrganisation(orgId, 'plans', planId, 'versions', version),
  workflows: (orgId: string | null) => inOrganisation(orgId, 'workflows'),
  workflow: (orgId: string, workflowId: string) => inOrganisation(orgId, 'workflows', workflowId),
  workflowTests: (orgId: string, workflowId: string) =>
    inOrganisation(orgId, 'workflows', workflowId, 'tests'),
  planEditor: (orgId: string, planId: string) => inOrganisation(orgId, 'plan-editor', planId),

  artifacts: (orgId: string) => inOrganisation(orgId, 'artifacts'),
  lastDiff: (orgId: string) => inOrganisation(orgId, 'artifacts', 'last-diff'),
  lostNames: (orgId: string) => inOrganisation(orgId, 'artifacts', 'lost-names'),
  versionTests: (orgId: string, artifactId: string | null) =>
    inOrganisation(orgId, 'artifacts', 'tests', artifactId),
  versionDiff: (orgId: string, fromArtifactId: string, toArtifactId: string) =>
    inOrganisation(orgId, 'artifacts', 'diff', fromArtifactId, toArtifactId),
  environmentDiff: (orgId: string, environmentId: string, toArtifactId: string | null) =>
    inEnvironment(orgId, environmentId, 'artifacts', 'diff', toArtifactId),
  impact: (orgId: string, environmentId: string, toArtifactId: string | null) =>
    inEnvironment(orgId, environmentId, 'artifacts', 'impact', toArtifactId),
  replay: (orgId: string, environmentId: string, toArtifactId: string | null) =>
    inEnvironment(orgId, environmentId, 'artifacts', 'replay', toArtifactId),
  planImpact: (orgId: string, environmentId: string, planId: string, properties: object) =>
    inEnvironment(orgId, environmentId, 'artifacts', 'plan-impact', planId, properties),
  deployments: (orgId: string | null) => inOrganisation(orgId, 'deployments'),
  /** A resource of its own, which no change makes stale: the deletion that it is about would refetch it. */
  stillDeployed: (orgId: string, item: object | null) => inOrganisation(orgId, 'still-deployed', item),
  /** As `stillDeployed`. */
  itemUses: (orgId: string, item: object | null) => inOrganisation(orgId, 'item-uses', item),
  environments: (orgId: string | null) => inOrganisation(orgId, 'environments'),
  environment: (orgId: string, environmentId: string) => inEnvironment(orgId, environmentId, 'environments'),
  apiKeys: (orgId: string, environmentId: string) => inEnvironment(orgId, environmentId, 'api-keys'),
  apiKeyUses: (orgId: string, environmentId: string) =>
    inEnvironment(orgId, environmentId, 'api-keys', 'uses'),
  revealedKey: (orgId: string, keyId: string) => inOrganisation(orgId, 'api-keys', 'revealed', keyId),

  customerSearch: (orgId: string, query: string, filter = 'all') =>
    inOrganisation(orgId, 'customers', 'search', filter, query),
  customerChanges: (orgId: string, identifier: string) =>
    inOrganisation(orgId, 'customers', 'changes', identifier),
  customerSuggestions: (orgId: string, query: string) =>
    inOrganisation(orgId, 'customers', 'suggestions', query),
  customerNames: (orgId: string) => inOrganisation(orgId, 'customers', 'names'),
  foundCustomers: (orgId: string, query: string) => inOrganisation(orgId, 'customers', 'found', query),
  customer: (orgId: string, identifier: string) => inOrganisation(orgId, 'customers', 'one', identifier),
  customerEntitlements: (orgId: string, environmentId: string, identifier: string) =>
    inEnvironment(orgId, environmentId, 'customers', identifier, 'entitlements'),
  customerTestCheck: (
    orgId: string,
    environmentId: string,
    identifier: string,
    features: readonly string[],
  ) => inEnvironment(orgId, environmentId, 'customers', identifier, 'test-check', features.join()),
  customerSourceUsage: (orgId: string, environmentId: string, identifier: string, customerId: string) =>
    inEnvironment(orgId, environmentId, 'customers', identifier, 'sources', customerId),
  customerEvents: (orgId: string, environmentId: string, identifier: string) =>
    inEnvironment(orgId, environmentId, 'customers', identifier, 'events'),

  eventSearch: (orgId: string, criteria: object) => inOrganisation(orgId, 'events', 'search', criteria),
  eventHistogram: (orgId: string, criteria: object) => inOrganisation(orgId, 'events', 'histogram', criteria),
  nearLimit: (orgId: string) => inOrganisation(orgId, 'events', 'near-limit'),
  eventMetrics: (orgId: string, criteria: object) => inOrganisation(orgId, 'events', 'metrics', criteria),
  event: (orgId: string, eventId: string) => inOrganisation(orgId, 'events', 'one', eventId),
  workflowRuns: (orgId: string, criteria: object) =>
    inOrganisation(orgId, 'events', 'workflow-runs', criteria),
  eventExecutions: (orgId: string, eventId: string) =>
    inOrganisation(orgId, 'events', 'one', eventId, 'executions'),
  eventExplanation: (orgId: string, eventId: string) =>
    inOrganisation(orgId, 'events', 'one', eventId, 'explanation'),
  /** Kept up to date by the live view. */
  newestDecisions: (orgId: string) => inOrganisation(orgId, 'events', 'newest'),

  jwtIntegrations: (orgId: string | null) => inOrganisation(orgId, 'jwt-integrations'),
  jwtIntegration: (orgId: string, integrationId: string) =>
    inOrganisation(orgId, 'jwt-integrations', integrationId),
  stripeIntegrations: (orgId: string | null) => inOrganisation(orgId, 'stripe-integrations'),
  stripeIntegration: (orgId: string, integrationId: string) =>
    inOrganisation(orgId, 'stripe-integrations', integrationId),
  /** One page of the customers or products that a sync has stored. */
  stripeStored: (
    orgId: string,
    integrationId: string,
    list: 'customers' | 'products',
    page: { readonly query: string; readonly cursor: string | null; readonly syncedAt: number },
  ) =>
    inOrganisation(orgId, 'stripe-integrations', integrationId, list, page.query, page.cursor, page.syncedAt),
  availableProducts: (orgId: string) => inOrganisation(orgId, 'stripe-products'),
} as const;

/** Whether the key belongs to the scope that a sign-out removes. */
export function isPrivateKey([scope]: readonly unknown[]): boolean {
  return scope === 'org' || scope === 'user' || scope === 'sudo';
}

/**
 * Refetches what is on screen of these resources, in the organisation and in all of its environments, and marks the rest
 * stale; so is the activity after every change. `deletedId` names a deleted item: its own queries are left alone, because its page is closing and would show an
 * error.
 */
export function invalidateResources(
  client: QueryClient,
  orgId: string,
  resources: readonly Resource[],
  deletedId?: string,
): Promise<void> {
  return client.invalidateQueries({
    queryKey: queryKeys.organisationScope(orgId),
    predicate: ({ queryKey }) =>
      (queryKey[3] === 'activity' || resources.some((resource) => resource === queryKey[3])) &&
      (deletedId === undefined || (queryKey[2] !== deletedId && queryKey[4] !== deletedId)),
  });
}

/**
 * Call after a change of the workspace (features, plans, product links, workflows). Versions are compared with it, and the preview
 * environment deploys it.
 */
export function invalidateWorkspace(client: QueryClient, orgId: string): Promise<void> {
  return invalidateResources(client, orgId, ['artifacts', 'deployments', 'environments']);
}
