/** Queries of customers: search, manual entries, entitlements and events. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CustomerFilter } from '#contracts/console/customer-list';
import { customerEndpoints } from '#contracts/console/customers';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { call } from '#web/api/call.ts';
import { callQuery, pagesQuery } from '#web/api/call-query.ts';
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
    ...pagesQuery(queryKeys.customerSearch(orgId, query, filter), (cursor, signal) => {
      const narrowed = { ...(query !== '' && { query }), ...(filter !== undefined && { filter }) };
      return call(customerEndpoints.list, { params: { orgId }, query: { ...narrowed, ...cursor } }, signal);
    }),
    placeholderData: (previous) =>
      keepFound(previous, ({ pages }) => pages.every(({ items }) => items.length === 0)),
  });

export const customerChangesQuery = (orgId: string, identifier: string) =>
  pagesQuery(queryKeys.customerChanges(orgId, identifier), (cursor, signal) =>
    call(customerEndpoints.listChanges, { params: customerParams(orgId, identifier), query: cursor }, signal),
  );

export const customerQuery = (orgId: string, identifier: string) =>
  callQuery(queryKeys.customer(orgId, identifier), customerEndpoints.get, {
    params: customerParams(orgId, identifier),
  });

export const entitlementsQuery = (orgId: string, identifier: string, environmentId: string) =>
  callQuery(
    queryKeys.customerEntitlements(orgId, environmentId, identifier),
    customerEndpoints.getEntitlements,
    { params: { ...customerParams(orgId, identifier), environmentId } },
    { staleTime: 0, refetchInterval: WATCH_MS },
  );

export const customerEventsQuery = (orgId: string, identifier: string, environmentId: string) =>
  callQuery(
    queryKeys.customerEvents(orgId, environmentId, identifier),
    customerEndpoints.searchEvents,
    { params: customerParams(orgId, identifier), query: { environmentId } },
    { staleTime: 0, refetchInterval: WATCH_MS },
  );

export const sourceUsageQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  customerId: string,
) =>
  callQuery(
    queryKeys.customerSourceUsage(orgId, environmentId, identifier, customerId),
    customerEndpoints.readSourceUsage,
    { params: { ...customerParams(orgId, identifier), environmentId, customerId } },
    { staleTime: 0 },
  );

/** Runs when it is first read and on every `refetch`; an answer is never reused. @param features slugs; empty: all */
export const testCheckQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  features: readonly string[],
) =>
  callQuery(
    queryKeys.customerTestCheck(orgId, environmentId, identifier, features),
    customerEndpoints.testCheck,
    {
      params: { ...customerParams(orgId, identifier), environmentId },
      body: features.length === 0 ? {} : { features: [...features] },
    },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  );
