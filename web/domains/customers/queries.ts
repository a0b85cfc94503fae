/** Queries of customers: search, manual entries, entitlements and events. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CustomerFilter } from '#contracts/console/customer-list';
import { customerEndpoints } from '#contracts/console/customers';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { call } from '#web/api/call.ts';
import { keepFound } from '#web/api/keep-found.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** How often an open page reads a customer's usage again. */
const WATCH_MS = 10_000;

/** `call` encodes path segments; this keeps an identifier of dots from being resolved as a relative path. */
export function customerParams(orgId: string, identifier: string) {
  return { orgId, identifier: decodeURIComponent(identifierSegment(identifier)) };
}

export const customersQuery = (orgId: string, query: string, filter: CustomerFilter | undefined) =>
  infiniteQueryOptions({
    queryKey: queryKeys.customerSearch(orgId, query, filter),
    queryFn: ({ signal, pageParam }) =>
      call(
        customerEndpoints.list,
        {
          params: { orgId },
          query: {
            ...(query !== '' && { query }),
            ...(filter !== undefined && { filter }),
            ...(pageParam !== null && { cursor: pageParam }),
          },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) =>
      keepFound(previous, ({ pages }) => pages.every(({ items }) => items.length === 0)),
  });

export const customerChangesQuery = (orgId: string, identifier: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.customerChanges(orgId, identifier),
    queryFn: ({ signal, pageParam }) =>
      call(
        customerEndpoints.listChanges,
        {
          params: customerParams(orgId, identifier),
          query: pageParam === null ? {} : { cursor: pageParam },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
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

/** Runs when it is first read and on every `refetch`; an answer is never reused. @param features slugs; empty: all */
export const testCheckQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  features: readonly string[],
) =>
  queryOptions({
    queryKey: queryKeys.customerTestCheck(orgId, environmentId, identifier, features),
    queryFn: ({ signal }) =>
      call(
        customerEndpoints.testCheck,
        {
          params: { ...customerParams(orgId, identifier), environmentId },
          body: features.length === 0 ? {} : { features: [...features] },
        },
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
