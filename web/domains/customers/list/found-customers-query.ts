/** What the command palette's search finds. In a file of its own, because the palette needs none of the customers' other queries. */
import { queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { endpointQuery } from '#web/api/endpoint-query.ts';

const SHOWN = 8;

/** The first customers whose identifier, email or name begins with `query`. */
export const foundCustomersQuery = (orgId: string, query: string) =>
  queryOptions({
    ...endpointQuery(customerEndpoints.list, { orgId }, { query: { query } }),
    select: ({ items }) =>
      items.slice(0, SHOWN).map(({ identifier, name, email }) => ({ identifier, name, email })),
  });
