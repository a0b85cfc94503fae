/** Query of the organisation's own subscription to Tessera. */
import { queryOptions } from '@tanstack/react-query';
import { billingEndpoints } from '#contracts/console/billing';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Poll interval. Changes in Stripe appear on an open page within it. */
const WATCH_MS = 5_000;

/** Asks Stripe, so it is not repeated with every poll. The page goes without it while Stripe is unavailable. */
const INVOICE_FRESH_MS = 5 * 60_000;

export const nextInvoiceQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.nextInvoice(orgId),
    queryFn: ({ signal }) => call(billingEndpoints.nextInvoice, { params: { orgId } }, signal),
    staleTime: INVOICE_FRESH_MS,
    retry: false,
  });

export const billingQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.billing(orgId),
    queryFn: ({ signal }) => call(billingEndpoints.get, { params: { orgId } }, signal),
    refetchInterval: WATCH_MS,
  });
