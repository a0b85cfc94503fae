/** Query of the organisation's own subscription to Tessera. */
import { queryOptions } from '@tanstack/react-query';
import { billingEndpoints } from '#contracts/console/billing';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Poll interval. Changes in Stripe appear on an open page within it. */
const WATCH_MS = 5_000;

export const billingQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.billing(orgId),
    queryFn: ({ signal }) => call(billingEndpoints.get, { params: { orgId } }, signal),
    refetchInterval: WATCH_MS,
  });
