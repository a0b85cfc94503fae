/** Environments over HTTP. */
import { environmentEndpoints } from '#contracts/console/environments';
import { type Route, route } from '#worker/http/route';
import { createEnvironment } from './create-environment.ts';
import { deleteEnvironment } from './delete-environment.ts';
import { getEnvironment, listEnvironments } from './store.ts';
import { updateEnvironment } from './update-environment.ts';

export const environmentRoutes: readonly Route[] = [
  route(environmentEndpoints.list, ({ ctx, scope }) => listEnvironments(ctx.db, scope)),
  route(environmentEndpoints.create, ({ ctx, scope, body }) => createEnvironment(ctx, scope, body)),
  route(environmentEndpoints.get, ({ ctx, scope, params }) =>
    getEnvironment(ctx.db, scope, params.environmentId),
  ),
  route(environmentEndpoints.update, ({ ctx, scope, params, body }) =>
    updateEnvironment(ctx, scope, params.environmentId, body),
  ),
  route(environmentEndpoints.remove, ({ ctx, scope, params }) =>
    deleteEnvironment(ctx, scope, params.environmentId),
  ),
];
