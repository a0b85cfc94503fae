/** What is read of JWT integrations. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { jwtIntegrationEndpoints } from '#contracts/integrations';
import { isNotFound } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

/** How soon an open page learns that its integration was deleted elsewhere. */
const WATCH_MS = 15_000;

/** Waits until an organisation is selected. */
export const jwtIntegrationsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'integrations', 'jwt'],
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(jwtIntegrationEndpoints.list, { params: { orgId } }, signal),
  });

export const jwtIntegrationQuery = (orgId: string, integrationId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'integrations', 'jwt', integrationId],
    queryFn: ({ signal }) => call(jwtIntegrationEndpoints.get, { params: { orgId, integrationId } }, signal),
    refetchInterval: ({ state }) => (isNotFound(state.error) ? false : WATCH_MS),
  });
