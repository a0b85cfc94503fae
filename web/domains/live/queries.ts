/** Query of the newest decisions, for lists that are then kept up to date by a live view. */
import { queryOptions } from '@tanstack/react-query';
import { eventEndpoints } from '#contracts/console/events';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Access checks and counter updates: a burst of Stripe events hides none of them. */
const DECISIONS = ['ac', 'cu'] as const;

export const newestDecisionsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.newestDecisions(orgId),
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        DECISIONS.map((type) =>
          call(
            eventEndpoints.search,
            { params: { orgId }, query: { criteria: JSON.stringify({ type }) } },
            signal,
          ),
        ),
      );
      return pages.flatMap(({ events }) => events).sort((one, other) => other.time - one.time);
    },
  });
