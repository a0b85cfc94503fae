/** Queries of customers: search, manual entries, entitlements and events. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CustomerFilter } from '#contracts/console/customer-list';
import { customerEndpoints } from '#contracts/console/customers';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { endpointQuery, pagesQuery } from '#web/api/endpoint-query.ts';
import { keepFound } from '#web/api/keep-found.ts';

/** How often an open page reads a customer's usage again. */
export const WATCHED = { staleTime: 0, refetchInterval: 10_000 };

/** `call` encodes path segments; this keeps an identifier of dots from being resolved as a relative path. */
export function customerParams(orgId: string, identifier: string) {
  return { orgId, identifier: decodeURIComponent(identifierSegment(identifier)) };
}

export const customersQuery = (orgId: string, query: string, filter: CustomerFilter | undefined) =>
  infiniteQueryOptions({
    ...pagesQuery(
      customerEndpoints.list,
      { orgId },
      { ...(query !== '' && { query }), ...(filter !== undefined && { filter }) },
    ),
    placeholderData: (previous) =>
      keepFound(previous, ({ pages }) => pages.every(({ items }) => items.length === 0)),
  });

export const customerChangesQuery = (orgId: string, identifier: string) =>
  pagesQuery(customerEndpoints.listChanges, customerParams(orgId, identifier), {});

export const customerQuery = (orgId: string, identifier: string) =>
  endpointQuery(customerEndpoints.get, customerParams(orgId, identifier));

export const entitlementsQuery = (orgId: string, identifier: string, environmentId: string) =>
  endpointQuery(
    customerEndpoints.getEntitlements,
    { ...customerParams(orgId, identifier), environmentId },
    WATCHED,
  );

export const customerEventsQuery = (orgId: string, identifier: string, environmentId: string) =>
  endpointQuery(customerEndpoints.searchEvents, customerParams(orgId, identifier), {
    query: { environmentId },
    ...WATCHED,
  });

export const sourceUsageQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  customerId: string,
) =>
  endpointQuery(
    customerEndpoints.readSourceUsage,
    { ...customerParams(orgId, identifier), environmentId, customerId },
    { staleTime: 0 },
  );

/** Runs when it is first read and on every `refetch`; an answer is never reused. @param features slugs; empty: all */
export const testCheckQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  features: readonly string[],
) =>
  endpointQuery(
    customerEndpoints.testCheck,
    { ...customerParams(orgId, identifier), environmentId },
    {
      body: features.length === 0 ? {} : { features: [...features] },
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
    },
  );
