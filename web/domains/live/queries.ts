/** Query of the newest decisions, for lists that are then kept up to date by a live view. */
import { queryOptions } from '@tanstack/react-query';
import { eventEndpoints } from '#contracts/console/events';
import { call } from '#web/api/call.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';
import { loadCustomerNames } from '#web/session/customer-names.ts';

/** Access checks and counter updates: a burst of Stripe events hides none of them. */
const DECISIONS = ['ac', 'cu'] as const;

/** On the dashboard. */
export const SHOWN_DECISIONS = 6;

export const newestDecisionsQuery = (orgId: string) =>
  queryOptions({
    queryKey: endpointKey(eventEndpoints.search, { orgId }, 'newest'),
    queryFn: async ({ client, signal }) => {
      const pages = await Promise.all(
        DECISIONS.map((type) =>
          call(
            eventEndpoints.search,
            { params: { orgId }, query: { criteria: JSON.stringify({ type }) } },
            signal,
          ),
        ),
      );
      const events = pages.flatMap((page) => page.events).sort((one, other) => other.time - one.time);
      const shown = events.slice(0, SHOWN_DECISIONS);
      await loadCustomerNames(client, orgId, shown);
      return events;
    },
  });
