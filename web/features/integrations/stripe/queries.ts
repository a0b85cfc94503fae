/** What is read of Stripe integrations, and how often: soon while something is under way, else seldom. */
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/stripe';
import { isNotFound } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

/** While a sync runs (specification, section 9), and on the steps of connecting, which go on by themselves. */
export const SYNC_POLL_MS = 3000;
export const CONNECT_POLL_MS = 1000;
/** How soon an open page learns that its integration was deleted elsewhere, and of Stripe's latest events. */
const WATCH_MS = 15_000;

export const isSyncing = ({ syncJobs }: Pick<StripeIntegration, 'syncJobs'>): boolean =>
  syncJobs.some(({ status }) => status === 'running');

/** Waits until an organisation is selected. */
export const stripeIntegrationsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'integrations', 'stripe'],
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(stripeIntegrationEndpoints.list, { params: { orgId } }, signal),
    refetchInterval: ({ state }) => (state.data?.some(isSyncing) ? SYNC_POLL_MS : false),
  });

/** @param isConnecting its page stands at the steps of connecting */
export const stripeIntegrationQuery = (orgId: string, integrationId: string, isConnecting = false) =>
  queryOptions({
    queryKey: ['org', orgId, 'integrations', 'stripe', integrationId],
    queryFn: ({ signal }) =>
      call(stripeIntegrationEndpoints.get, { params: { orgId, integrationId } }, signal),
    refetchInterval: ({ state: { data, error } }) => {
      if (isNotFound(error)) return false;
      if (isConnecting) return CONNECT_POLL_MS;
      return data !== undefined && isSyncing(data) ? SYNC_POLL_MS : WATCH_MS;
    },
  });

/** One page of what was read from Stripe. */
export interface StoredPage {
  readonly query: string;
  readonly cursor: string | null;
  /** A sync runs: the rows are read again as it goes. */
  readonly isUnderWay: boolean;
  /** When the last sync ended: the rows are read again then. */
  readonly syncedAt: number;
}

export const stripeCustomersQuery = (orgId: string, integrationId: string, page: StoredPage) =>
  queryOptions({
    queryKey: [...storedKey(orgId, integrationId), 'customers', page.query, page.cursor, page.syncedAt],
    queryFn: ({ signal }) =>
      call(
        stripeIntegrationEndpoints.listCustomers,
        { params: { orgId, integrationId }, query: narrowedBy(page) },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: page.isUnderWay ? SYNC_POLL_MS : WATCH_MS,
  });

export const stripeProductsQuery = (orgId: string, integrationId: string, page: StoredPage) =>
  queryOptions({
    queryKey: [...storedKey(orgId, integrationId), 'products', page.query, page.cursor, page.syncedAt],
    queryFn: ({ signal }) =>
      call(
        stripeIntegrationEndpoints.listProducts,
        { params: { orgId, integrationId }, query: narrowedBy(page) },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: page.isUnderWay ? SYNC_POLL_MS : WATCH_MS,
  });

const storedKey = (orgId: string, integrationId: string) =>
  ['org', orgId, 'integrations', 'stripe', integrationId] as const;

const narrowedBy = ({ query, cursor }: StoredPage) => ({
  ...(query !== '' && { query }),
  ...(cursor !== null && { cursor }),
});
