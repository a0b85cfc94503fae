/** What is read of customers. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/customers';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { call } from '../../api/call.ts';

/** How often an open page looks at what a customer uses. */
const WATCH_MS = 10_000;

/** `call` encodes what stands in a path; this only keeps dots from being taken for something else. */
export function customerParams(orgId: string, identifier: string) {
  return { orgId, identifier: decodeURIComponent(identifierSegment(identifier)) };
}

export const customersQuery = (orgId: string, query: string) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'customers', 'list', query],
    queryFn: ({ signal, pageParam }) =>
      call(
        customerEndpoints.list,
        {
          params: { orgId },
          query: { ...(query !== '' && { query }), ...(pageParam !== null && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });

export const customerQuery = (orgId: string, identifier: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'customers', 'one', identifier],
    queryFn: ({ signal }) =>
      call(customerEndpoints.get, { params: customerParams(orgId, identifier) }, signal),
  });

export const standingQuery = (orgId: string, identifier: string, environmentId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'customers', 'one', identifier, 'standing', environmentId],
    queryFn: ({ signal }) =>
      call(
        customerEndpoints.getStanding,
        { params: { ...customerParams(orgId, identifier), environmentId } },
        signal,
      ),
    staleTime: 0,
    refetchInterval: WATCH_MS,
  });

export const customerEventsQuery = (orgId: string, identifier: string, environmentId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'customers', 'one', identifier, 'events', environmentId],
    queryFn: ({ signal }) =>
      call(
        customerEndpoints.searchEvents,
        { params: customerParams(orgId, identifier), query: { environmentId } },
        signal,
      ),
    staleTime: 0,
    refetchInterval: WATCH_MS,
  });
