/** Queries of Stripe integrations. They poll faster while a sync or a connection is in progress. */
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { isNotFound } from '#web/api/api-error.ts';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { keepFound } from '#web/api/keep-found.ts';

/** During a sync. The steps of connecting poll faster, because they advance on their own. */
export const SYNC_POLL_MS = 3000;
export const CONNECT_POLL_MS = 1000;
/** How often an open page checks for Stripe's latest events, and whether its integration was deleted. */
const WATCH_MS = 15_000;

export const isSyncing = ({ syncJobs }: Pick<StripeIntegration, 'syncJobs'>): boolean =>
  syncJobs.some(({ status }) => status === 'running');

export const stripeIntegrationsQuery = (orgId: string | null) =>
  endpointQuery(
    stripeIntegrationEndpoints.list,
    { orgId },
    { refetchInterval: ({ state }) => (state.data?.some(isSyncing) ? SYNC_POLL_MS : false) },
  );

/** @param isConnecting the page shows the steps of connecting */
export const stripeIntegrationQuery = (orgId: string, integrationId: string, isConnecting = false) =>
  endpointQuery(
    stripeIntegrationEndpoints.get,
    { orgId, integrationId },
    {
      refetchInterval: ({ state: { data, error } }) => {
        if (isNotFound(error)) return false;
        if (isConnecting) return CONNECT_POLL_MS;
        return data !== undefined && isSyncing(data) ? SYNC_POLL_MS : WATCH_MS;
      },
    },
  );

/** One page of stored customers or products. */
export interface StoredPage {
  readonly query: string;
  readonly cursor: string | null;
  /** A sync is running: the rows are polled. */
  readonly isUnderWay: boolean;
  /** The end of the last sync. A change refetches the rows. */
  readonly syncedAt: number;
}

export const stripeCustomersQuery = (orgId: string, integrationId: string, page: StoredPage) =>
  endpointQuery(stripeIntegrationEndpoints.listCustomers, { orgId, integrationId }, optionsOf(page));

export const stripeProductsQuery = (orgId: string, integrationId: string, page: StoredPage) =>
  endpointQuery(stripeIntegrationEndpoints.listProducts, { orgId, integrationId }, optionsOf(page));

const optionsOf = ({ query, cursor, isUnderWay }: StoredPage) => ({
  query: { ...(query !== '' && { query }), ...(cursor !== null && { cursor }) },
  placeholderData: <Found extends { readonly items: readonly unknown[] }>(previous: Found | undefined) =>
    keepFound(previous, ({ items }) => items.length === 0),
  refetchInterval: isUnderWay ? SYNC_POLL_MS : WATCH_MS,
});
