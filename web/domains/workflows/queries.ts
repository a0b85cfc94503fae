/** Queries of workflows. The list contains no code. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { workflowEndpoints } from '#contracts/console/workflows';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { shownText } from '#web/values/customer-title.ts';

/** Idle until an organisation is selected. */
export const workflowsQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.workflows(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(workflowEndpoints.list, { params: { orgId } }, signal),
  });

export const workflowQuery = (orgId: string, workflowId: string) =>
  queryOptions({
    queryKey: queryKeys.workflow(orgId, workflowId),
    queryFn: ({ signal }) => call(workflowEndpoints.get, { params: { orgId, workflowId } }, signal),
  });

const SUGGESTIONS = 8;

/** Emails or identifiers of the customers that a search finds, to run a workflow for. */
export const customerSuggestionsQuery = (orgId: string, query: string) =>
  queryOptions({
    queryKey: queryKeys.customerSuggestions(orgId, query),
    queryFn: async ({ signal }) => {
      const { items } = await call(
        customerEndpoints.list,
        { params: { orgId }, query: query === '' ? {} : { query } },
        signal,
      );
      const found = items.map(({ identifier, email }) => shownText(email) ?? identifier);
      return [...new Set(found)].slice(0, SUGGESTIONS);
    },
    placeholderData: (previous) => previous,
  });
