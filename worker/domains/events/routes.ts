import { eventEndpoints } from '#contracts/console/events';
import { type Route, route } from '#worker/http/route';
import { searchEvents } from './search-events.ts';

export const eventRoutes: readonly Route[] = [
  route(eventEndpoints.search, ({ ctx, scope, query }) => searchEvents(ctx, scope, query.criteria)),
];
