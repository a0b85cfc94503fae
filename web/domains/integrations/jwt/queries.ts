/** Queries of JWT integrations. */
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { isNotFound } from '#web/api/api-error.ts';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** How often an open page checks whether its integration was deleted. */
const WATCH_MS = 15_000;

/** Disabled until an organisation is selected. */
export const jwtIntegrationsQuery = (orgId: string | null) =>
  callQuery(
    queryKeys.jwtIntegrations(orgId),
    jwtIntegrationEndpoints.list,
    orgId === null ? null : { params: { orgId } },
  );

export const jwtIntegrationQuery = (orgId: string, integrationId: string) =>
  callQuery(
    queryKeys.jwtIntegration(orgId, integrationId),
    jwtIntegrationEndpoints.get,
    { params: { orgId, integrationId } },
    { refetchInterval: ({ state }) => (isNotFound(state.error) ? false : WATCH_MS) },
  );
