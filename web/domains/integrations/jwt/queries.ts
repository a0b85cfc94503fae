/** Queries of JWT integrations. */
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { isNotFound } from '#web/api/api-error.ts';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** How often an open page checks whether its integration was deleted. */
const WATCH_MS = 15_000;

export const jwtIntegrationsQuery = (orgId: string | null) =>
  endpointQuery(jwtIntegrationEndpoints.list, { orgId });

export const jwtIntegrationQuery = (orgId: string, integrationId: string) =>
  endpointQuery(
    jwtIntegrationEndpoints.get,
    { orgId, integrationId },
    { refetchInterval: ({ state }) => (isNotFound(state.error) ? false : WATCH_MS) },
  );
