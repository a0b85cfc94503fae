/** Queries of environments and their settings. */
import { environmentEndpoints } from '#contracts/console/environments';
import { endpointQuery } from '#web/api/endpoint-query.ts';

export const environmentsQuery = (orgId: string | null) =>
  endpointQuery(environmentEndpoints.list, { orgId });

export const environmentQuery = (orgId: string, environmentId: string) =>
  endpointQuery(environmentEndpoints.get, { orgId, environmentId });
