/** What the command palette's search finds. In a file of its own, because the palette needs none of the customers' other queries. */
import { queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const SHOWN = 8;

/** The first customers whose identifier, email or name begins with `query`. */
export const foundCustomersQuery = (orgId: string, query: string) =>
  queryOptions({
    queryKey: queryKeys.foundCustomers(orgId, query),
    queryFn: async ({ signal }) => {
      const { items } = await call(customerEndpoints.list, { params: { orgId }, query: { query } }, signal);
      return items.slice(0, SHOWN).map(({ identifier, name, email }) => ({ identifier, name, email }));
    },
  });
