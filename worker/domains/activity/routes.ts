/** Who changed what, over HTTP. */
import { activityEndpoints } from '#contracts/console/activity';
import { type Route, route } from '#worker/http/route';
import { exportActivity } from './export-activity.ts';
import { listActivity } from './list-activity.ts';
import { listLastFeatureChanges } from './list-last-changes.ts';

export const activityRoutes: readonly Route[] = [
  route(activityEndpoints.list, ({ ctx, scope, query: { cursor, ...filter } }) =>
    listActivity(ctx.db, scope, filter, cursor),
  ),
  route(activityEndpoints.lastFeatureChanges, ({ ctx, scope }) => listLastFeatureChanges(ctx.db, scope)),
  route(activityEndpoints.export, async ({ ctx, scope, query }) => exportActivity(ctx, scope, query)),
];
