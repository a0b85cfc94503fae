/** Queries of workflows. The list contains no code. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { eventEndpoints } from '#contracts/console/events';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { type WorkflowSummary, workflowEndpoints } from '#contracts/console/workflows';
import { call } from '#web/api/call.ts';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { shownText } from '#web/values/customer-title.ts';

/** Idle until an organisation is selected. */
export const workflowsQuery = (orgId: string | null) =>
  callQuery(
    queryKeys.workflows(orgId),
    workflowEndpoints.list,
    orgId === null ? null : { params: { orgId } },
  );

export const workflowQuery = (orgId: string, workflowId: string) =>
  callQuery(queryKeys.workflow(orgId, workflowId), workflowEndpoints.get, { params: { orgId, workflowId } });

export interface RunSearch {
  readonly workflowId: string;
  readonly isFailed: boolean;
  /** The previous page's end; null: the first page. */
  readonly timeTo: string | null;
}

/** A page of a workflow's recorded runs, newest first. */
export const workflowRunsQuery = (orgId: string, { workflowId, isFailed, timeTo }: RunSearch) => {
  const criteria = { workflowId, isFailed, timeTo: timeTo === null ? null : Number(timeTo) };
  return callQuery(
    queryKeys.workflowRuns(orgId, criteria),
    eventEndpoints.searchRuns,
    { params: { orgId }, query: { criteria: JSON.stringify(criteria) } },
    { placeholderData: keepPreviousData },
  );
};

/** While tests have not run on the saved code. */
const POLL_MS = 1_500;

/** Tests run after a save and after one is added, so their results follow. */
export const workflowTestsQuery = (orgId: string, { id: workflowId, isCompiled }: TestedWorkflow) =>
  callQuery(
    queryKeys.workflowTests(orgId, workflowId),
    workflowTestEndpoints.list,
    { params: { orgId, workflowId } },
    {
      refetchInterval: ({ state: { data } }) =>
        isCompiled && data?.some(({ status }) => status === null) ? POLL_MS : false,
    },
  );

type TestedWorkflow = Pick<WorkflowSummary, 'id' | 'isCompiled'>;

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
