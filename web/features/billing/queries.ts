/** What is read of an organisation's own subscription. */
import { queryOptions } from '@tanstack/react-query';
import { billingEndpoints } from '#contracts/billing';
import { call } from '../../api/call.ts';

/** What is changed at Stripe shows on an open page within this time. */
const WATCH_MS = 5_000;

export const billingQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'billing'],
    queryFn: ({ signal }) => call(billingEndpoints.get, { params: { orgId } }, signal),
    refetchInterval: WATCH_MS,
  });
