/** Queries of workflows. The list contains no code. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { eventEndpoints } from '#contracts/console/events';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { type WorkflowSummary, workflowEndpoints } from '#contracts/console/workflows';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { shownText } from '#web/values/customer-title.ts';

export const workflowsQuery = (orgId: string | null) => endpointQuery(workflowEndpoints.list, { orgId });

export const workflowQuery = (orgId: string, workflowId: string) =>
  endpointQuery(workflowEndpoints.get, { orgId, workflowId });

export interface RunSearch {
  readonly workflowId: string;
  readonly isFailed: boolean;
  /** The previous page's end; null: the first page. */
  readonly timeTo: string | null;
}

/** A page of a workflow's recorded runs, newest first. */
export const workflowRunsQuery = (orgId: string, { workflowId, isFailed, timeTo }: RunSearch) => {
  const criteria = { workflowId, isFailed, timeTo: timeTo === null ? null : Number(timeTo) };
  return endpointQuery(
    eventEndpoints.searchRuns,
    { orgId },
    { query: { criteria: JSON.stringify(criteria) }, placeholderData: keepPreviousData },
  );
};

/** While tests have not run on the saved code. */
const POLL_MS = 1_500;

/** Tests run after a save and after one is added, so their results follow. */
export const workflowTestsQuery = (orgId: string, { id: workflowId, isCompiled }: TestedWorkflow) =>
  endpointQuery(
    workflowTestEndpoints.list,
    { orgId, workflowId },
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
    ...endpointQuery(
      customerEndpoints.list,
      { orgId },
      { query: query === '' ? {} : { query }, placeholderData: keepPreviousData },
    ),
    select: ({ items }) => {
      const found = items.map(({ identifier, email }) => shownText(email) ?? identifier);
      return [...new Set(found)].slice(0, SUGGESTIONS);
    },
  });
