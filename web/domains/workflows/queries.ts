/** Queries of workflows. The list contains no code. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { workflowEndpoints } from '#contracts/console/workflows';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Idle until an organisation is selected. */
export const workflowsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.workflows(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(workflowEndpoints.list, { params: { orgId } }, signal),
  });

export const workflowQuery = (orgId: string, workflowId: string) =>
  queryOptions({
    queryKey: queryKeys.workflow(orgId, workflowId),
    queryFn: ({ signal }) => call(workflowEndpoints.get, { params: { orgId, workflowId } }, signal),
  });
