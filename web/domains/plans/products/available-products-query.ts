/**
 * The products of all connected Stripe accounts, and the prices of one. In a file of its own, because the first screen loads the other
 * queries.
 */
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** From Stripe itself. */
export const productPricesQuery = (
  orgId: string,
  { integrationId, productId }: { readonly integrationId: string; readonly productId: string },
) =>
  callQuery(
    [...queryKeys.availableProducts(orgId), integrationId, productId],
    stripeIntegrationEndpoints.listPrices,
    { params: { orgId, integrationId, productId } },
  );

export const availableProductsQuery = (orgId: string) =>
  callQuery(queryKeys.availableProducts(orgId), stripeIntegrationEndpoints.availableProducts, {
    params: { orgId },
  });
