/**
 * The products of all connected Stripe accounts, and the prices of one. In a file of its own, because the first screen loads the other
 * queries.
 */
import { queryOptions } from '@tanstack/react-query';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** From Stripe itself. */
export const productPricesQuery = (
  orgId: string,
  { integrationId, productId }: { readonly integrationId: string; readonly productId: string },
) =>
  queryOptions({
    queryKey: [...queryKeys.availableProducts(orgId), integrationId, productId],
    queryFn: ({ signal }) =>
      call(stripeIntegrationEndpoints.listPrices, { params: { orgId, integrationId, productId } }, signal),
  });

export const availableProductsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.availableProducts(orgId),
    queryFn: ({ signal }) =>
      call(stripeIntegrationEndpoints.availableProducts, { params: { orgId } }, signal),
  });
