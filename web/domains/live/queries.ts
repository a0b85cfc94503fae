/** Query of the newest events, for lists that are then kept up to date by a live view. */
import { queryOptions } from '@tanstack/react-query';
import { eventEndpoints } from '#contracts/console/events';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const newestEventsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.newestEvents(orgId),
    queryFn: ({ signal }) => call(eventEndpoints.search, { params: { orgId }, query: {} }, signal),
  });
