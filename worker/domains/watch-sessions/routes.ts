/** Watch sessions and their WebSockets. */
import { watchSessionEndpoints } from '#contracts/console/watch-sessions';
import { type Route, route } from '#worker/http/route';
import { connectWatch } from './connect-watch.ts';
import { createWatchSession } from './create-watch-session.ts';

export const watchSessionRoutes: readonly Route[] = [
  route(watchSessionEndpoints.create, ({ ctx, scope, body }) => createWatchSession(ctx, scope, body)),
  route(watchSessionEndpoints.connect, ({ ctx, scope, params }) =>
    connectWatch(ctx, scope, params.watchSessionId),
  ),
];
