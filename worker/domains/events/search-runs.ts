/** One page of a workflow's recorded runs. */
import type { eventEndpoints } from '#contracts/console/events';
import type { RunCriteria } from '#contracts/console/workflow-executions';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { continueSearch } from './continue-search.ts';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;

export async function searchRuns(
  ctx: RequestContext,
  scope: Scope,
  { timeTo, ...criteria }: RunCriteria,
): Promise<AnswerOf<typeof eventEndpoints.searchRuns>> {
  const stream = await openEventStream(ctx, scope);
  return continueSearch(
    timeTo ?? null,
    async (to) => stream.workflowRuns({ ...criteria, timeTo: to, limit: PAGE_SIZE }),
    ({ runs }) => runs.length > 0,
  );
}
