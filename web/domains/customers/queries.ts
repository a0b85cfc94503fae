/** Queries of customers: search, manual entries, entitlements and events. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** How often an open page reads a customer's usage again. */
const WATCH_MS = 10_000;

/** `call` encodes path segments; this keeps an identifier of dots from being resolved as a relative path. */
export function customerParams(orgId: string, identifier: string) {
  return { orgId, identifier: decodeURIComponent(identifierSegment(identifier)) };
}

export const customersQuery = (orgId: string, query: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.customerSearch(orgId, query),
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
    queryKey: queryKeys.customer(orgId, identifier),
    queryFn: ({ signal }) =>
      call(customerEndpoints.get, { params: customerParams(orgId, identifier) }, signal),
  });

export const entitlementsQuery = (orgId: string, identifier: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.customerEntitlements(orgId, environmentId, identifier),
    queryFn: ({ signal }) =>
      call(
        customerEndpoints.getEntitlements,
        { params: { ...customerParams(orgId, identifier), environmentId } },
        signal,
      ),
    staleTime: 0,
    refetchInterval: WATCH_MS,
  });

export const customerEventsQuery = (orgId: string, identifier: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.customerEvents(orgId, environmentId, identifier),
    queryFn: ({ signal }) =>
      call(
        customerEndpoints.searchEvents,
        { params: customerParams(orgId, identifier), query: { environmentId } },
        signal,
      ),
    staleTime: 0,
    refetchInterval: WATCH_MS,
  });
