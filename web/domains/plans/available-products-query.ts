/**
 * The products of all connected Stripe accounts. In a file of its own, because the first screen loads the other
 * queries.
 */
import { queryOptions } from '@tanstack/react-query';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const availableProductsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.availableProducts(orgId),
    queryFn: ({ signal }) =>
      call(stripeIntegrationEndpoints.availableProducts, { params: { orgId } }, signal),
  });
