/** Search of an organisation's recorded events. */
import { eventEndpoints } from '#contracts/events';
import { type Route, route } from '#worker/http/route';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;

export const eventRoutes: readonly Route[] = [
  route(eventEndpoints.search, async ({ ctx, scope, query: { criteria } }) => {
    const stream = await openEventStream(ctx, scope);
    return stream.search({
      environmentId: criteria.environment ?? null,
      text: criteria.textSearch ?? null,
      timeTo: criteria.timeTo ?? null,
      limit: PAGE_SIZE,
    });
  }),
];
