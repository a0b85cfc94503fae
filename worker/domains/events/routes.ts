import { creditMetricsEndpoints } from '#contracts/console/credit-metrics';
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { eventEndpoints } from '#contracts/console/events';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { type Route, route } from '#worker/http/route';
import { exportEvents } from './export-events.ts';
import { openEventStream } from './open-event-stream.ts';
import { readCredits } from './read-credits.ts';
import { readEvent, readExecutions } from './read-event.ts';
import { nameSubjects, searchEvents } from './search-events.ts';
import { searchRuns } from './search-runs.ts';

export const eventRoutes: readonly Route[] = [
  route(eventEndpoints.search, async ({ ctx, scope, query }) =>
    searchEvents(ctx, scope, await nameSubjects(ctx, scope, query.criteria)),
  ),
  route(eventEndpoints.get, ({ ctx, scope, params }) => readEvent(ctx, scope, params.eventId)),
  route(eventEndpoints.searchExecutions, async ({ ctx, scope, query }) => ({
    executions: await readExecutions(ctx, scope, query.criteria.eventId),
  })),
  route(eventEndpoints.searchRuns, ({ ctx, scope, query }) => searchRuns(ctx, scope, query.criteria)),
  route(eventEndpoints.export, async ({ ctx, scope, query }) =>
    exportEvents(ctx, scope, await nameSubjects(ctx, scope, query.criteria), query.format),
  ),
  route(eventMetricsEndpoints.read, async ({ ctx, scope, query }) => {
    const [stream, existing] = await Promise.all([
      openEventStream(ctx, scope),
      listEnvironmentIds(ctx.db, liveEnvironment(scope.orgId)),
    ]);
    return stream.metrics(query.criteria, ctx.now, existing);
  }),
  route(eventMetricsEndpoints.readFeatureCalls, async ({ ctx, scope }) => {
    const stream = await openEventStream(ctx, scope);
    return stream.featureCalls(ctx.now);
  }),
  route(creditMetricsEndpoints.read, ({ ctx, scope, query }) => readCredits(ctx, scope, query.criteria)),
  route(eventEndpoints.histogram, async ({ ctx, scope, query }) => {
    const stream = await openEventStream(ctx, scope);
    return stream.histogram(query.criteria);
  }),
];
