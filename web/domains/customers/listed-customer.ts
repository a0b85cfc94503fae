/** What the list of customers has said of one: the page that opens from its row need not wait for more. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { CustomerList, KnownCustomer } from '#contracts/console/customer-list';
import { customerEndpoints } from '#contracts/console/customers';
import { endpointKey } from '#web/api/endpoint-query.ts';

export function listedCustomer(
  client: QueryClient,
  orgId: string,
  identifier: string | null,
): KnownCustomer | undefined {
  // Of any search and filter.
  const queryKey = endpointKey(customerEndpoints.list, { orgId }, 'pages');
  const lists = client.getQueriesData<InfiniteData<CustomerList>>({ queryKey });
  return lists
    .flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])
    .find((each) => each.identifier === identifier);
}
