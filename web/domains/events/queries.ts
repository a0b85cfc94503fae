/** Queries of recorded events. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Event, eventEndpoints } from '#contracts/console/events';
import { atServerTime } from '#web/api/at-server-time.ts';
import { call } from '#web/api/call.ts';
import { endpointKey, endpointQuery } from '#web/api/endpoint-query.ts';
import { keepFound } from '#web/api/keep-found.ts';
import { loadCustomerNames } from '#web/session/customer-names.ts';
import { type EventSearch, type Period, type SearchedPage, typeCriteria } from './event-search.ts';

/** Without the fields that are not set. */
export const criteriaText = (criteria: object) =>
  JSON.stringify(criteria, (_key, value: unknown) => value ?? undefined);

/** One page of a search, newest first. */
export const eventSearchQuery = (orgId: string, { key, criteriaAt }: SearchedPage) =>
  queryOptions({
    queryKey: endpointKey(eventEndpoints.search, { orgId }, 'page', key),
    queryFn: async ({ client, signal }) => {
      const page = await atServerTime((at) =>
        call(
          eventEndpoints.search,
          { params: { orgId }, query: { criteria: criteriaText(criteriaAt(at)) } },
          signal,
        ),
      );
      await loadCustomerNames(client, orgId, page.events);
      return page;
    },
    placeholderData: (previous) => keepFound(previous, ({ events }) => events.length === 0),
  });

/** Counts over time. Text, plan, feature, country and what was drawn from do not narrow them. */
export const eventHistogramQuery = (
  orgId: string,
  { environment, type, outcome }: Pick<EventSearch, 'environment' | 'type' | 'outcome'>,
  { from, to }: Period,
) => {
  const criteria = { environment, type: typeCriteria(type).type, outcome, timeFrom: from, timeTo: to };
  return endpointQuery(
    eventEndpoints.histogram,
    { orgId },
    { query: { criteria: criteriaText(criteria) }, placeholderData: keepPreviousData },
  );
};

/** An event never changes. `known` is the same event from a list. */
export const eventQuery = (orgId: string, eventId: string, known?: Event) =>
  endpointQuery(
    eventEndpoints.get,
    { orgId, eventId },
    { staleTime: Number.POSITIVE_INFINITY, initialData: known },
  );

export const eventExecutionsQuery = (orgId: string, eventId: string) =>
  endpointQuery(
    eventEndpoints.searchExecutions,
    { orgId },
    { query: { criteria: criteriaText({ eventId }) }, staleTime: Number.POSITIVE_INFINITY },
  );
