/** Queries of JWT integrations. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { isNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** How often an open page checks whether its integration was deleted. */
const WATCH_MS = 15_000;

/** Disabled until an organisation is selected. */
export const jwtIntegrationsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.jwtIntegrations(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(jwtIntegrationEndpoints.list, { params: { orgId } }, signal),
  });

export const jwtIntegrationQuery = (orgId: string, integrationId: string) =>
  queryOptions({
    queryKey: queryKeys.jwtIntegration(orgId, integrationId),
    queryFn: ({ signal }) => call(jwtIntegrationEndpoints.get, { params: { orgId, integrationId } }, signal),
    refetchInterval: ({ state }) => (isNotFound(state.error) ? false : WATCH_MS),
  });
