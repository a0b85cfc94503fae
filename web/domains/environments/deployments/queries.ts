/** Query of what every environment runs. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { deploymentEndpoints } from '#contracts/console/artifacts';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { displayOf } from './deployment-display.ts';

/** Poll interval while a deployment is in progress. */
export const DEPLOYMENT_POLL_MS = 2000;

/**
 * The deployment status of every environment. The top bar, the tables and the poll share this one query, so they always
 * agree. Idle until an organisation is selected.
 */
export const deploymentStatusQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.deployments(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) =>
            call(deploymentEndpoints.status, { params: { orgId }, query: { previewOnly: 'false' } }, signal),
    refetchInterval: ({ state }) =>
      state.data?.environments.some((status) => displayOf(status) === 'deploying')
        ? DEPLOYMENT_POLL_MS
        : false,
  });
