/** Queries of environments and their settings. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { environmentEndpoints } from '#contracts/console/environments';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Idle until an organisation is selected. */
export const environmentsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.environments(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(environmentEndpoints.list, { params: { orgId } }, signal),
  });

export const environmentQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.environment(orgId, environmentId),
    queryFn: ({ signal }) => call(environmentEndpoints.get, { params: { orgId, environmentId } }, signal),
  });
