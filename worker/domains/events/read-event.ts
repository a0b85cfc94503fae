/** One event of the organisation, and the workflow executions of its call. */
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

/** @throws {ApiError} not-found, also for an event that is archived */
export async function readEvent(ctx: RequestContext, scope: Scope, id: string): Promise<Event> {
  const stream = await openEventStream(ctx, scope);
  const event = await stream.get(id);
  if (event === null) throw notFound('The event');
  return event;
}

/** @throws {ApiError} not-found */
export async function readExecutions(
  ctx: RequestContext,
  scope: Scope,
  eventId: string,
): Promise<WorkflowExecution[]> {
  const stream = await openEventStream(ctx, scope);
  const executions = await stream.executions(eventId);
  if (executions === null) throw notFound('The event');
  return executions;
}
