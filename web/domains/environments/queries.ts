/** Queries of environments and their settings. */
import { environmentEndpoints } from '#contracts/console/environments';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Idle until an organisation is selected. */
export const environmentsQuery = (orgId: string | null) =>
  callQuery(
    queryKeys.environments(orgId),
    environmentEndpoints.list,
    orgId === null ? null : { params: { orgId } },
  );

export const environmentQuery = (orgId: string, environmentId: string) =>
  callQuery(queryKeys.environment(orgId, environmentId), environmentEndpoints.get, {
    params: { orgId, environmentId },
  });
