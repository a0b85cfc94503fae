/** Query of the organisation's own subscription to Tessera. */
import { billingEndpoints } from '#contracts/console/billing';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** Poll interval. Changes in Stripe appear on an open page within it. */
const WATCH_MS = 5_000;

/** Asks Stripe, so it is not repeated with every poll. The page goes without it while Stripe is unavailable. */
const INVOICE_FRESH_MS = 5 * 60_000;

export const nextInvoiceQuery = (orgId: string) =>
  endpointQuery(billingEndpoints.nextInvoice, { orgId }, { staleTime: INVOICE_FRESH_MS, retry: false });

export const billingQuery = (orgId: string) =>
  endpointQuery(billingEndpoints.get, { orgId }, { refetchInterval: WATCH_MS });
