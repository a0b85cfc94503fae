/**
 * The queries that a page runs first, by its path: they start with the page's code, not after it. A page works without an entry
 * here; it then loads a little later.
 */
import type { QueryClient } from '@tanstack/react-query';
import { billingQuery } from '#web/domains/billing/queries.ts';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { shownEnvironment } from '#web/domains/environments/keys/shown-environment.ts';
import { environmentQuery, environmentsQuery } from '#web/domains/environments/queries.ts';
import { artifactsQuery, lastDiffQuery } from '#web/domains/environments/versions/queries.ts';
import { featureQuery, featuresQuery } from '#web/domains/features/queries.ts';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { newestDecisionsQuery } from '#web/domains/live/queries.ts';
import { nearLimitQuery } from '#web/domains/metrics/queries.ts';
import { planQuery, plansQuery } from '#web/domains/plans/queries.ts';
import { teamQuery } from '#web/domains/team/queries.ts';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { workflowsQuery } from '#web/domains/workflows/queries.ts';

type Start = (client: QueryClient, orgId: string, id: string) => void;

const dashboard: Start = (client, orgId) => {
  void startKeys(client, orgId);
  void client.prefetchQuery(lastDiffQuery(orgId));
  void client.prefetchQuery(usageQuery(orgId));
  void client.prefetchQuery(newestDecisionsQuery(orgId));
  void client.prefetchQuery(nearLimitQuery(orgId));
};

/** A failure is shown by the card that reads the same queries. */
async function startKeys(client: QueryClient, orgId: string): Promise<void> {
  const environments = await client.fetchQuery(environmentsQuery(orgId)).catch(() => []);
  const shown = shownEnvironment(environments);
  if (shown !== undefined) await client.prefetchQuery(apiKeysQuery(orgId, shown.id));
}

/** Regular expressions of the paths below /o/{orgId}/. What the first group matches is passed on as `id`. */
const pages: readonly (readonly [pattern: string, start: Start])[] = [
  ['', dashboard],
  ['features', (client, orgId) => void client.prefetchQuery(featuresQuery(orgId))],
  ['features/([^/]+)', (client, orgId, id) => void client.prefetchQuery(featureQuery(orgId, id))],
  ['plans', (client, orgId) => void client.prefetchQuery(plansQuery(orgId))],
  ['plans/compare', (client, orgId) => void client.prefetchQuery(plansQuery(orgId))],
  [
    'plans/([^/]+)(?:/[^/]+)?',
    (client, orgId, id) => {
      void client.prefetchQuery(planQuery(orgId, id));
      void client.prefetchQuery(featuresQuery(orgId));
    },
  ],
  [
    'customers',
    (client, orgId) => {
      void client.prefetchQuery(plansQuery(orgId));
      void client.prefetchQuery(environmentsQuery(orgId));
    },
  ],
  [
    'workflows',
    (client, orgId) => {
      void client.prefetchQuery(workflowsQuery(orgId));
      void client.prefetchQuery(environmentsQuery(orgId));
    },
  ],
  [
    'environments/[^/]+',
    (client, orgId) => {
      void client.prefetchQuery(environmentsQuery(orgId));
      void client.prefetchQuery(artifactsQuery(orgId));
    },
  ],
  [
    'environments/environments/([^/]+)(?:/[^/]+)?',
    (client, orgId, id) => void client.prefetchQuery(environmentQuery(orgId, id)),
  ],
  [
    'observe(?:/[^/]+)?',
    (client, orgId) => {
      void client.prefetchQuery(environmentsQuery(orgId));
      void client.prefetchQuery(plansQuery(orgId));
      void client.prefetchQuery(featuresQuery(orgId));
    },
  ],
  [
    'integrations',
    (client, orgId) => {
      void client.prefetchQuery(stripeIntegrationsQuery(orgId));
      void client.prefetchQuery(jwtIntegrationsQuery(orgId));
    },
  ],
  ['team', (client, orgId) => void client.prefetchQuery(teamQuery(orgId))],
  ['billing', (client, orgId) => void client.prefetchQuery(billingQuery(orgId))],
];

/**
 * Starts the queries of the page at `pathname`. What is fresh or on its way is not asked again.
 * @param orgId the organisation of pages that name none, such as /
 */
export function startPage(client: QueryClient, pathname: string, orgId: string | null): void {
  if (pathname === '/') {
    if (orgId === null) return;
    void client.prefetchQuery(deploymentStatusQuery(orgId));
    dashboard(client, orgId, '');
    return;
  }
  const [, named, rest = ''] = /^\/o\/([^/]+)\/?(.*?)\/?$/.exec(pathname) ?? [];
  if (named === undefined) return;
  for (const [pattern, start] of pages) {
    const found = new RegExp(`^${pattern}$`).exec(rest);
    if (found === null) continue;
    void client.prefetchQuery(deploymentStatusQuery(named));
    start(client, named, found[1] ?? '');
    return;
  }
}
