/** The products of all connected Stripe accounts. Apart from the other queries, which the first screen loads. */
import { queryOptions } from '@tanstack/react-query';
import { stripeIntegrationEndpoints } from '#contracts/stripe';
import { call } from '../../api/call.ts';

export const availableProductsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'integrations', 'stripe-products'],
    queryFn: ({ signal }) =>
      call(stripeIntegrationEndpoints.availableProducts, { params: { orgId } }, signal),
  });
