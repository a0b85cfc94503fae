/**
 * The products of all connected Stripe accounts, and the prices of one. In a file of its own, because the first screen loads the other
 * queries.
 */
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** From Stripe itself. */
export const productPricesQuery = (
  orgId: string,
  { integrationId, productId }: { readonly integrationId: string; readonly productId: string },
) => endpointQuery(stripeIntegrationEndpoints.listPrices, { orgId, integrationId, productId });
