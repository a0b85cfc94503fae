/** Queries of who changed what. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type ActivityFilter, activityEndpoints } from '#contracts/console/activity';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const activityQuery = (orgId: string, filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.activity(orgId, filter),
    queryFn: ({ signal, pageParam }) =>
      call(
        activityEndpoints.list,
        { params: { orgId }, query: { ...filter, ...(pageParam !== null && { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const lastFeatureChangesQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.lastFeatureChanges(orgId),
    queryFn: ({ signal }) => call(activityEndpoints.lastFeatureChanges, { params: { orgId } }, signal),
  });
